// SPDX-License-Identifier: Apache-2.0
// The cuda backend through the public interface, on the tests' own libcuda.so.1 (fake_cuda.cc): what a program tells
// it, and what it tells a program.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "gpu/device_memory.h"
#include "xlashape_runtime.h"

namespace xlashape::gpu {
namespace {

struct Release {
  void operator()(xlashape_runtime* runtime) const { xlashape_runtime_release(runtime); }
  void operator()(xlashape_shape* shape) const { xlashape_shape_release(shape); }
  void operator()(xlashape_plan* plan) const { xlashape_plan_release(plan); }
};
using Runtime = std::unique_ptr<xlashape_runtime, Release>;
using Shape = std::unique_ptr<xlashape_shape, Release>;
using Plan = std::unique_ptr<xlashape_plan, Release>;

struct CudaClient : testing::Test {
  CudaClient() { err.struct_size = sizeof err; }
  void TearDown() override { unsetenv("XLASHAPE_BACKEND_OPTIONS"); }

  Runtime runtime(const char* backend_options, uint32_t flags) {
    auto options = XLASHAPE_INIT(xlashape_runtime_options);
    options.flags = flags;
    options.backend_options = backend_options;
    xlashape_runtime* made = nullptr;
    EXPECT_EQ(xlashape_runtime_create(&options, &made, &err), XLASHAPE_STATUS_OK) << err.message;
    return Runtime(made);
  }
  Shape shape(const std::string& text) {
    xlashape_shape* made = nullptr;
    EXPECT_EQ(xlashape_shape_parse(text.data(), static_cast<int64_t>(text.size()), 0, &made, &err), XLASHAPE_STATUS_OK);
    return Shape(made);
  }
  Plan plan(const Runtime& runtime) {
    auto options = XLASHAPE_INIT(xlashape_relayout_options);
    options.src_space = options.dst_space = XLASHAPE_SPACE_CUDA;
    xlashape_plan* made = nullptr;
    xlashape_plan_create(runtime.get(), shape("f32[256,256]{1,0}").get(), shape("f32[256,256]{0,1}").get(), &options,
                         &made, &err);
    return Plan(made);
  }
  // The kernels of a plan, or why there is none.
  std::string kernels(const Runtime& runtime) {
    const Plan made = plan(runtime);
    if (made == nullptr) return "";
    char line[256];
    int64_t needed;
    EXPECT_EQ(xlashape_plan_describe(made.get(), line, sizeof line, &needed, &err), XLASHAPE_STATUS_OK);
    return std::string(line).find("xs_nvidia_") != std::string::npos ? "nvidia" : "portable";
  }
  std::string report(const Runtime& runtime) {
    std::string text(1 << 16, '\0');
    int64_t needed = 0;
    EXPECT_EQ(xlashape_runtime_report(runtime.get(), text.data(), static_cast<int64_t>(text.size()), &needed, &err),
              XLASHAPE_STATUS_OK);
    return text.c_str();
  }

  xlashape_error err{};
};

TEST_F(CudaClient, KernelsAreAnOption) {
  EXPECT_EQ(kernels(runtime(nullptr, 0)), "nvidia");
  EXPECT_EQ(kernels(runtime("cuda.kernels=portable", 0)), "portable");
  setenv("XLASHAPE_BACKEND_OPTIONS", "opencl.kernels=none;cuda.kernels=portable", 1);
  EXPECT_EQ(kernels(runtime(nullptr, 0)), "portable");
  EXPECT_EQ(kernels(runtime("cuda.kernels=nvidia", 0)), "nvidia");
  EXPECT_EQ(kernels(runtime(nullptr, XLASHAPE_RUNTIME_NO_ENVIRONMENT)), "nvidia");
  unsetenv("XLASHAPE_BACKEND_OPTIONS");
  const Runtime wrong = runtime("cuda.kernels=fast", 0);
  EXPECT_EQ(plan(wrong), nullptr);
  EXPECT_NE(report(wrong).find("option cuda.kernels is 'fast': it may be 'nvidia' or 'portable'"), std::string::npos)
      << report(wrong);
}

// Host data goes through the device where its backend is named: as the first plan of a runtime, and when all backends
// for the host were loaded before.
TEST_F(CudaClient, TakesHostMemoryByName) {
  const Shape from = shape("u8[3,4]{1,0}"), to = shape("u8[3,4]{0,1}");
  for (const bool host_first : {false, true}) {
    const Runtime own = runtime(nullptr, 0);
    auto options = XLASHAPE_INIT(xlashape_relayout_options);
    char out[12] = {};
    if (host_first) {
      ASSERT_EQ(xlashape_relayout(own.get(), from.get(), "abcdefghijkl", 12, to.get(), out, 12, &options, &err),
                XLASHAPE_STATUS_OK);
    }
    options.backend = "cuda";
    xlashape_plan* made = nullptr;
    ASSERT_EQ(xlashape_plan_create(own.get(), from.get(), to.get(), &options, &made, &err), XLASHAPE_STATUS_OK)
        << err.message;
    const Plan plan(made);
    ASSERT_EQ(xlashape_plan_execute(made, "ABCDEFGHIJKL", 12, out, 12, &err), XLASHAPE_STATUS_OK) << err.message;
    EXPECT_EQ(std::string(out, 12), "AEIBFJCGKDHL");
  }
}

TEST_F(CudaClient, RequirementsTellTheWidestAccess) {
  const Runtime own = runtime(nullptr, 0);
  const Plan made = plan(own);
  auto r = XLASHAPE_INIT(xlashape_plan_requirements);
  ASSERT_EQ(xlashape_plan_get_requirements(made.get(), &r, &err), XLASHAPE_STATUS_OK) << err.message;
  EXPECT_EQ(r.src_preferred_alignment, 16);
  EXPECT_EQ(r.dst_preferred_alignment, 16);
}

TEST_F(CudaClient, EventsGoToTheDriver) {
  static const Device device;  // lives on, as its stream does
  const Runtime own = runtime(nullptr, 0);
  const Plan met = plan(own);
  ASSERT_NE(met, nullptr) << err.message;
  cuda::CUevent made;
  ASSERT_EQ(device.cu.cuEventCreate(&made, cuda::kEventNoTiming), cuda::kSuccess);
  const xlashape_queue queue = {XLASHAPE_QUEUE_CUDA, 0, reinterpret_cast<uint64_t>(device.stream)};
  uint64_t event = reinterpret_cast<uint64_t>(made);
  EXPECT_EQ(xlashape_queue_signal_event(own.get(), 0, XLASHAPE_SPACE_CUDA, &queue, &event, &err), XLASHAPE_STATUS_OK)
      << err.message;
  EXPECT_EQ(event, reinterpret_cast<uint64_t>(made));
  EXPECT_EQ(xlashape_queue_wait_event(own.get(), 0, XLASHAPE_SPACE_CUDA, &queue, event, &err), XLASHAPE_STATUS_OK)
      << err.message;
  const auto stream_of = reinterpret_cast<cuda::CUstream (*)(cuda::CUevent, int)>(
      dlsym(dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), "fake_cuda_stream"));
  for (const int use : {0, 1}) EXPECT_EQ(stream_of(made, use), device.stream);
  event = 0;
  EXPECT_EQ(xlashape_queue_signal_event(own.get(), 0, XLASHAPE_SPACE_CUDA, &queue, &event, &err),
            XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(event, 0u);
  EXPECT_EQ(xlashape_queue_wait_event(own.get(), 0, XLASHAPE_SPACE_CUDA, &queue, event, &err),
            XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(err.message, "event is NULL: cuda takes a CUevent");
  device.cu.cuEventDestroy(made);
}

}  // namespace
}  // namespace xlashape::gpu
