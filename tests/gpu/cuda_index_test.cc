// SPDX-License-Identifier: Apache-2.0
// Index plans on the cuda backend through the public interface, on the tests' own libcuda.so.1 (fake_cuda.cc).
#include "gpu/device_memory.h"
#include "gpu/index_plans.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

class Memory {
 public:
  static constexpr int32_t kSpace = XLASHAPE_SPACE_CUDA, kQueueKind = XLASHAPE_QUEUE_CUDA;
  uint64_t queue() const { return reinterpret_cast<uint64_t>(device_.stream); }
  uint64_t alloc(int64_t bytes) { return device_.alloc(bytes); }
  void free(uint64_t memory) { device_.free(memory); }
  void write(uint64_t memory, int64_t offset, const void* from, int64_t bytes) {
    device_.write(memory + static_cast<uint64_t>(offset), from, bytes);
  }
  void read(void* to, uint64_t memory, int64_t offset, int64_t bytes) {
    device_.read(to, memory + static_cast<uint64_t>(offset), bytes);
  }
  void wait() { device_.wait(); }
  void enter() { device_.enter(); }

 private:
  gpu::Device device_;
};

Memory& memory() {
  static Memory made;
  return made;
}

int count(int what) {
  const auto function =
      reinterpret_cast<int (*)(int)>(dlsym(dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), "fake_cuda_count"));
  return function(what);
}

TEST(CudaIndexPlan, AgreesWithTheCpu) { testing::check_index_plans(memory(), "cuda"); }
TEST(CudaIndexPlan, Scalars) { testing::check_scalars(memory()); }
TEST(CudaIndexPlan, QueueBesideWaiting) { testing::check_queue_beside_waiting(memory()); }

TEST(CudaIndexPlan, AQueueIsOnlyEnqueuedOn) {
  std::mt19937_64 random(1);
  for (const char* text : {"f32[3,5]", "bf16[6,5]{1,0:T(3,5)(2,1)}"}) {
    const testing::Map map = testing::map_of(text);
    const testing::Batch b(map, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, 100, {2, 1}, 10, random);
    testing::OnDevice<Memory> src(memory(), b.in), dst(memory(), b.out);
    const testing::IndexPlan plan =
        testing::plan_of(map, b.conversion, XLASHAPE_INDEX_MARK_INVALID, b.steps, Memory::kSpace, Memory::kSpace);
    xlashape_execute_options exec = testing::queued(memory(), testing::exec_of(&src, &dst));
    const int modules = count(2), synchronised = count(4), allocated = count(5);
    ASSERT_EQ(xlashape_index_plan_execute_with(plan.get(), b.count, &exec, nullptr, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_EQ(count(2), modules);
    EXPECT_EQ(count(4), synchronised);
    EXPECT_EQ(count(5), allocated);
    EXPECT_EQ(dst.fetch(), b.want);
    // Host memory that CUDA does not know, and a queue of another kind.
    auto err = XLASHAPE_INIT(xlashape_error);
    exec.queue.kind = XLASHAPE_QUEUE_OPENCL;
    EXPECT_EQ(xlashape_index_plan_execute_with(plan.get(), b.count, &exec, nullptr, &err), XLASHAPE_STATUS_UNSUPPORTED);
    testing::Ints here(400);
    exec = testing::exec_of<Memory>(&src, nullptr);
    exec.dst = reinterpret_cast<uint64_t>(here.data()), exec.dst_bytes = byte_count(here);
    EXPECT_EQ(xlashape_index_plan_execute_with(plan.get(), b.count, &exec, nullptr, &err),
              XLASHAPE_STATUS_INVALID_ARGUMENT);
    EXPECT_STREQ(err.message, "dst is not an address that CUDA knows");
  }
}

}  // namespace
}  // namespace xlashape::core
