// SPDX-License-Identifier: Apache-2.0
// Index plans on the opencl backend through the public interface, with buffers and a queue of the program's own.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "gpu/index_plans.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

class Memory {
 public:
  static constexpr int32_t kSpace = XLASHAPE_SPACE_OPENCL, kQueueKind = XLASHAPE_QUEUE_OPENCL;
  Memory() {
    cl_platform_id platform;
    cl_device_id device;
    cl_int code = CL_SUCCESS;
    EXPECT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
    EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), CL_SUCCESS);
    context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    queue_ = clCreateCommandQueue(context_, device, 0, &code);
    EXPECT_EQ(code, CL_SUCCESS);
  }
  ~Memory() {
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }
  Memory(const Memory&) = delete;

  uint64_t queue() const { return reinterpret_cast<uint64_t>(queue_); }
  uint64_t alloc(int64_t bytes) {
    cl_int code;
    const cl_mem made = clCreateBuffer(context_, CL_MEM_READ_WRITE, static_cast<size_t>(bytes), nullptr, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    return reinterpret_cast<uint64_t>(made);
  }
  void free(uint64_t memory) { clReleaseMemObject(mem(memory)); }
  void write(uint64_t memory, int64_t offset, const void* from, int64_t bytes) {
    EXPECT_EQ(clEnqueueWriteBuffer(queue_, mem(memory), CL_TRUE, static_cast<size_t>(offset),
                                   static_cast<size_t>(bytes), from, 0, nullptr, nullptr),
              CL_SUCCESS);
  }
  void read(void* to, uint64_t memory, int64_t offset, int64_t bytes) {
    EXPECT_EQ(clEnqueueReadBuffer(queue_, mem(memory), CL_TRUE, static_cast<size_t>(offset), static_cast<size_t>(bytes),
                                  to, 0, nullptr, nullptr),
              CL_SUCCESS);
  }
  void fill(uint64_t memory, int64_t value, int64_t bytes) {
    EXPECT_EQ(clEnqueueFillBuffer(queue_, mem(memory), &value, sizeof value, 0, static_cast<size_t>(bytes), 0, nullptr,
                                  nullptr),
              CL_SUCCESS);
    wait();
  }
  void wait() { clFinish(queue_); }
  void enter() {}

 private:
  static cl_mem mem(uint64_t memory) { return reinterpret_cast<cl_mem>(memory); }
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

class OpenClIndexPlan : public ::testing::Test {
 protected:
  Memory memory_;
};

TEST_F(OpenClIndexPlan, AgreesWithTheCpu) { testing::check_index_plans(memory_, "opencl"); }
TEST_F(OpenClIndexPlan, Scalars) { testing::check_scalars(memory_); }
TEST_F(OpenClIndexPlan, QueueBesideWaiting) { testing::check_queue_beside_waiting(memory_); }

// More than one launch takes. A scalar's: its multidimensional indices take no room.
TEST_F(OpenClIndexPlan, MoreThanOneLaunchTakes) {
  constexpr int64_t kLaunch = int64_t{1} << 24, kCount = kLaunch + 77;
  const testing::Map map = testing::map_of("f32[]");
  const auto plan = [&](int32_t conversion, uint32_t flags) {
    return testing::plan_of(map, conversion, flags, {0, 0}, Memory::kSpace, Memory::kSpace);
  };
  auto err = XLASHAPE_INIT(xlashape_error);
  const uint64_t linear = memory_.alloc(8 * kCount + 8), index = memory_.alloc(8);
  const auto at = [&](int64_t i) {
    int64_t value;
    memory_.read(&value, linear, 8 * i, 8);
    return value;
  };
  memory_.fill(linear, testing::kOld, 8 * kCount + 8);
  auto exec = XLASHAPE_INIT(xlashape_execute_options);
  exec.src = index, exec.src_bytes = 8, exec.dst = linear, exec.dst_bytes = 8 * kCount;
  const xlashape_execute_options on_queue = testing::queued(memory_, exec);
  ASSERT_EQ(xlashape_index_plan_execute_with(plan(XLASHAPE_CONVERSION_TO_LINEAR, XLASHAPE_INDEX_MARK_INVALID).get(),
                                             kCount, &on_queue, nullptr, &err),
            XLASHAPE_STATUS_OK)
      << err.message;
  for (const int64_t i : {int64_t{0}, kLaunch - 1, kLaunch, kCount - 1}) EXPECT_EQ(at(i), 0) << i;
  EXPECT_EQ(at(kCount), testing::kOld);
  const int64_t wrong = 1;
  memory_.write(linear, 8 * (kLaunch + 5), &wrong, 8);
  memory_.write(linear, 8 * (kLaunch + 9), &wrong, 8);
  int64_t bad = 0;
  const auto to_multi = [&](uint32_t flags) {
    auto back = XLASHAPE_INIT(xlashape_execute_options);
    back.src = linear, back.src_bytes = 8 * kCount, back.dst = index, back.dst_bytes = 8;
    return xlashape_index_plan_execute_with(plan(XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, flags).get(), kCount, &back,
                                            &bad, &err);
  };
  EXPECT_EQ(to_multi(0), XLASHAPE_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(err.index, kLaunch + 5);
  memory_.write(linear, 8 * 3, &wrong, 8);
  EXPECT_EQ(to_multi(XLASHAPE_INDEX_MARK_INVALID), XLASHAPE_STATUS_OK);
  EXPECT_EQ(bad, 3);
  memory_.free(linear);
  memory_.free(index);
}

}  // namespace
}  // namespace xlashape::core
