// SPDX-License-Identifier: Apache-2.0
// The cuda backend on a libcuda.so.1: the tests' own (fake_cuda.cc), which the loader's path leads to, or with --gpu a
// real one. Arguments: the plugin, [--gpu].
#include "gpu/plugin.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

using testing::DeviceProxy;
using testing::OnDevice;

testing::OpenFunction open_plugin = nullptr;
bool on_gpu = false;

struct Where {
  const char* name;
  DeviceProxy::Sides sides;
  const char* kernels;  // of the option; null: none
};
void PrintTo(const Where& where, std::ostream* out) { *out << where.name; }

class Cuda : public ::testing::TestWithParam<Where> {
 protected:
  Cuda() : device_(open_plugin, XLASHAPE_SPACE_CUDA, GetParam().sides, {"kernels", GetParam().kernels}) {}
  bool portable() const { return GetParam().kernels != nullptr && std::string(GetParam().kernels) == "portable"; }
  int much(int count) const { return GetParam().sides.src && GetParam().sides.dst ? count : count / 5; }
  const OnDevice device_;
};

TEST_P(Cuda, EveryKernel) { testing::run_every_kernel(device_, "cuda", !portable()); }
TEST_P(Cuda, RandomCases) { testing::run_random(device_, much(200), testing::random_case); }
TEST_P(Cuda, Planes) { testing::run_random(device_, much(50), testing::plane_case); }
TEST_P(Cuda, Factors) { testing::run_random(device_, much(80), testing::factors_case); }
TEST_P(Cuda, Indices) { testing::run_indices(device_, much(60)); }

INSTANTIATE_TEST_SUITE_P(
    Memory, Cuda,
    ::testing::Values(Where{"device", {true, true}, nullptr}, Where{"portable", {true, true}, "portable"},
                      Where{"nvidia", {true, true}, "nvidia"}, Where{"to_device", {false, true}, nullptr},
                      Where{"from_device", {true, false}, nullptr}, Where{"host", {false, false}, nullptr}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(CudaDevice, OnePlanOnFourThreads) {
  const testing::OpenedBackend backend(open_plugin, 0, 0);
  testing::run_on_threads(backend, XLASHAPE_SPACE_CUDA);
}

TEST(CudaDevice, KnowsWhichKernelsThereAre) {
  for (const std::string wrong : {"fast", "", "portable "}) {
    std::string message = "it opens";
    try {
      const testing::OpenedBackend backend(open_plugin, 0, 0, {"kernels", wrong.c_str()});
    } catch (const std::runtime_error& e) {
      message = e.what();
    }
    EXPECT_EQ(message, "option cuda.kernels is '" + wrong + "': it may be 'nvidia' or 'portable'");
  }
}

// Wide accesses are for memory of the device: what lies elsewhere is copied first.
TEST(CudaDevice, TellsWhichAlignmentItLikes) {
  const testing::OpenedBackend backend(open_plugin, 0, 0);
  const testing::Case c = testing::case_of({"f32[16,16]{1,0}", "f32[16,16]{0,1}", ""});
  alignas(16) char memory[16384];
  Arena arena(memory, sizeof memory);
  xlashape_relayout_ir ir;
  ASSERT_EQ(build_relayout(c.request, arena, &ir, nullptr), XLASHAPE_STATUS_OK);
  const auto supported = [&](int32_t kind, int32_t src, int32_t dst) {
    auto op = XLASHAPE_INIT(xlashape_op);
    op.kind = kind;
    op.relayout = &ir;
    op.src_space = src;
    op.dst_space = dst;
    auto support = XLASHAPE_INIT(xlashape_support);
    EXPECT_EQ(backend.table.supports(backend.table.self, &op, &support, nullptr), XLASHAPE_STATUS_OK);
    return std::pair(support.src_preferred_alignment, support.dst_preferred_alignment);
  };
  using Pair = std::pair<int64_t, int64_t>;
  EXPECT_EQ(supported(XLASHAPE_OP_RELAYOUT, XLASHAPE_SPACE_CUDA, XLASHAPE_SPACE_CUDA_MANAGED), Pair(16, 16));
  EXPECT_EQ(supported(XLASHAPE_OP_RELAYOUT, XLASHAPE_SPACE_CPU, XLASHAPE_SPACE_CUDA), Pair(0, 16));
  EXPECT_EQ(supported(XLASHAPE_OP_RELAYOUT, XLASHAPE_SPACE_CUDA_HOST, XLASHAPE_SPACE_CPU), Pair(16, 0));
  EXPECT_EQ(supported(XLASHAPE_OP_TO_LINEAR, XLASHAPE_SPACE_CUDA, XLASHAPE_SPACE_CUDA), Pair(0, 0));
}

TEST(CudaDevice, TellsItsName) {
  const testing::OpenedBackend backend(open_plugin, 0, 0);
  const xlashape_backend& table = backend.table;
  ASSERT_GE(table.device_count(table.self), 1);
  char text[512];
  EXPECT_GT(table.device_info(table.self, 0, text, sizeof text), 0);
  EXPECT_NE(std::string(text).find("sm_"), std::string::npos) << text;
  EXPECT_EQ(table.device_info(table.self, 99, text, sizeof text), 0);
}

// == What only the fake driver can show

// One plan on 4096 bytes of device memory, step by step.
class FakeCuda : public ::testing::Test {
 protected:
  using Count = int (*)(int);
  using Create = int (*)(void**, unsigned);
  using Retain = int (*)(void**, int);
  using Current = int (*)(void**);
  using Push = int (*)(void*);

  void SetUp() override {
    if (on_gpu) GTEST_SKIP() << "a real driver";
    driver_ = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (driver_ == nullptr) driver_ = dlopen("libcuda.so.1", RTLD_NOW);
    ASSERT_NE(driver_, nullptr) << dlerror();
    count_ = function<Count>("fake_cuda_count");
    unsetenv("XLASHAPE_FAKE_CUDA");
    err_.struct_size = sizeof err_;
  }
  void TearDown() override { unsetenv("XLASHAPE_FAKE_CUDA"); }

  template <class F>
  F function(const char* name) {
    return reinterpret_cast<F>(dlsym(driver_, name));
  }

  // Opens the plugin while the driver fails as told, and hands over its message.
  std::string message_of_open(const char* fault) {
    setenv("XLASHAPE_FAKE_CUDA", fault, 1);
    try {
      testing::OpenedBackend backend(open_plugin, 0, 0);
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "it opens";
  }

  void make_op(const char* src, const char* dst) {
    c_ = testing::case_of({src, dst, ""});
    ASSERT_EQ(build_relayout(c_.request, arena_, &ir_, &err_), XLASHAPE_STATUS_OK) << err_.message;
    op_.struct_size = sizeof op_;
    op_.kind = XLASHAPE_OP_RELAYOUT;
    op_.src_space = op_.dst_space = XLASHAPE_SPACE_CUDA;
    op_.relayout = &ir_;
  }

  // The whole way: plan, memory, execution on `queue`.
  xlashape_status run(const xlashape_backend& table, int32_t queue_kind = XLASHAPE_QUEUE_NONE, uint64_t queue = 0) {
    int64_t bytes, alignment;
    table.plan_size(table.self, &op_, &bytes, &alignment, nullptr);
    std::vector<std::max_align_t> storage(static_cast<size_t>(bytes) / sizeof(std::max_align_t) + 1);
    if (const xlashape_status s = table.plan_init(table.self, &op_, storage.data(), &err_)) return s;
    uint64_t memory[2] = {0, 0};
    xlashape_status status = table.memory_alloc(table.self, 0, XLASHAPE_SPACE_CUDA, 4096, &memory[0], &err_);
    if (status == XLASHAPE_STATUS_OK)
      status = table.memory_alloc(table.self, 0, XLASHAPE_SPACE_CUDA, 4096, &memory[1], &err_);
    if (status == XLASHAPE_STATUS_OK) {
      auto run = XLASHAPE_INIT(xlashape_run);
      run.queue = {queue_kind, 0, queue};
      run.src = memory[0];
      run.dst = memory[1];
      run.task_end = run.task_count = 1;
      synchronised_ = count_(4), allocated_ = count_(5);
      status = table.plan_execute(table.self, storage.data(), &op_, &run, &err_);
      synchronised_ = count_(4) - synchronised_, allocated_ = count_(5) - allocated_;
    }
    unsetenv("XLASHAPE_FAKE_CUDA");
    for (const uint64_t m : memory) table.memory_free(table.self, 0, m, XLASHAPE_SPACE_CUDA, nullptr);
    table.plan_destroy(table.self, storage.data());
    return status;
  }

  void* driver_ = nullptr;
  Count count_ = nullptr;
  int synchronised_ = 0, allocated_ = 0;
  testing::Case c_;
  alignas(16) char space_[16384];
  Arena arena_{space_, sizeof space_};
  xlashape_relayout_ir ir_{};
  xlashape_op op_{};
  xlashape_error err_{};
};

TEST_F(FakeCuda, SaysWhyItDoesNotOpen) {
  EXPECT_EQ(message_of_open("no_device"), "no CUDA device");
  EXPECT_EQ(message_of_open("old_driver").find("the CUDA driver is too old: it supports CUDA 8.0"), 0u);
  EXPECT_EQ(message_of_open("cuInit"), "cuInit: CUDA error 999, CUDA_ERROR_FAKE (as the test wished)");
}

TEST_F(FakeCuda, FaultsAreErrorsAndLeaveNothing) {
  make_op("f32[16,16]{1,0}", "f32[16,16]{0,1}");
  for (const char* fault : {"cuModuleLoadData", "cuStreamCreate", "cuModuleGetFunction", "cuMemAlloc", "cuLaunchKernel",
                            "cuStreamSynchronize"}) {
    {
      const testing::OpenedBackend backend(open_plugin, 0, 0);
      setenv("XLASHAPE_FAKE_CUDA", fault, 1);
      const xlashape_status status = run(backend.table);
      EXPECT_TRUE(status == XLASHAPE_STATUS_DEVICE || status == XLASHAPE_STATUS_NO_MEMORY)
          << fault << " gives " << status;
      EXPECT_NE(std::string(err_.message).find("CUDA error"), std::string::npos) << fault << ": " << err_.message;
    }
    for (int what = 0; what < 4; ++what) EXPECT_EQ(count_(what), 0) << fault << " leaves something of kind " << what;
  }
}

TEST_F(FakeCuda, AQueueIsOnlyEnqueuedOn) {
  make_op("f32[6,5]{1,0:T(3,5)(2,1)}", "f32[6,5]{1,0}");  // with tables
  const testing::OpenedBackend backend(open_plugin, 0, 0);
  ASSERT_EQ(run(backend.table), XLASHAPE_STATUS_OK) << err_.message;
  EXPECT_EQ(synchronised_, 1);
  void *context, *stream, *popped;
  ASSERT_EQ(function<Retain>("cuDevicePrimaryCtxRetain")(&context, 0), 0);
  function<Push>("cuCtxPushCurrent_v2")(context);
  function<Create>("cuStreamCreate")(&stream, 0);
  for (const uint64_t queue : {reinterpret_cast<uint64_t>(stream), uint64_t{0}, uint64_t{1}, uint64_t{2}}) {
    ASSERT_EQ(run(backend.table, XLASHAPE_QUEUE_CUDA, queue), XLASHAPE_STATUS_OK) << err_.message;
    EXPECT_EQ(synchronised_, 0);
    EXPECT_EQ(allocated_, 0);
  }
  EXPECT_EQ(run(backend.table, XLASHAPE_QUEUE_OPENCL, 7), XLASHAPE_STATUS_UNSUPPORTED);
  function<Push>("cuStreamDestroy_v2")(stream);
  function<Current>("cuCtxPopCurrent_v2")(&popped);
  EXPECT_EQ(popped, context);
  function<int (*)(int)>("cuDevicePrimaryCtxRelease_v2")(0);
}

// An event is recorded on the stream that signals, and waited for on the one that waits, and the host waits for
// neither.
TEST_F(FakeCuda, EventsAreBetweenStreams) {
  const testing::OpenedBackend backend(open_plugin, 0, 0);
  const xlashape_backend& t = backend.table;
  uint64_t memory = 0;  // by which the backend meets the context
  ASSERT_EQ(t.memory_alloc(t.self, 0, XLASHAPE_SPACE_CUDA, 16, &memory, &err_), XLASHAPE_STATUS_OK) << err_.message;
  void *context, *popped, *made, *first, *second;
  ASSERT_EQ(function<Retain>("cuDevicePrimaryCtxRetain")(&context, 0), 0);
  function<Push>("cuCtxPushCurrent_v2")(context);
  function<Create>("cuEventCreate")(&made, 2);
  function<Create>("cuStreamCreate")(&first, 0);
  function<Create>("cuStreamCreate")(&second, 0);
  function<Current>("cuCtxPopCurrent_v2")(&popped);
  const auto stream_of = function<void* (*)(void*, int)>("fake_cuda_stream");  // that recorded (0), that waits (1)
  const auto number = [](void* handle) { return reinterpret_cast<uint64_t>(handle); };
  const auto signal = [&](void* stream, uint64_t* event) {
    const xlashape_queue queue = {XLASHAPE_QUEUE_CUDA, 0, number(stream)};
    return t.queue_signal_event(t.self, 0, &queue, event, &err_);
  };
  const auto wait = [&](void* stream, uint64_t event) {
    const xlashape_queue queue = {XLASHAPE_QUEUE_CUDA, 0, number(stream)};
    return t.queue_wait_event(t.self, 0, &queue, event, &err_);
  };
  const int synchronised = count_(4);
  uint64_t event = number(made), none = 0;
  EXPECT_EQ(signal(first, &event), XLASHAPE_STATUS_OK) << err_.message;
  EXPECT_EQ(event, number(made));
  EXPECT_EQ(stream_of(made, 0), first);
  EXPECT_EQ(stream_of(made, 1), nullptr);
  EXPECT_EQ(wait(second, event), XLASHAPE_STATUS_OK) << err_.message;
  EXPECT_EQ(stream_of(made, 0), first);
  EXPECT_EQ(stream_of(made, 1), second);
  EXPECT_EQ(wait(nullptr, event), XLASHAPE_STATUS_OK) << err_.message;  // the legacy stream
  EXPECT_EQ(stream_of(made, 1), nullptr);
  EXPECT_EQ(count_(4), synchronised);

  EXPECT_EQ(signal(first, &none), XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(err_.message, "event is NULL: cuda records a CUevent of the caller's");
  EXPECT_EQ(wait(first, none), XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(err_.message, "event is NULL: cuda takes a CUevent");
  const xlashape_queue other = {XLASHAPE_QUEUE_OPENCL, 0, number(first)},
                       queue = {XLASHAPE_QUEUE_CUDA, 0, number(first)};
  EXPECT_EQ(t.queue_wait_event(t.self, 0, &other, event, &err_), XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_EQ(t.queue_signal_event(t.self, 2, &queue, &event, &err_), XLASHAPE_STATUS_UNSUPPORTED);
  for (const std::string fault : {"cuEventRecord", "cuStreamWaitEvent"}) {
    setenv("XLASHAPE_FAKE_CUDA", fault.c_str(), 1);
    EXPECT_EQ(fault == "cuEventRecord" ? signal(first, &event) : wait(first, event), XLASHAPE_STATUS_DEVICE);
    EXPECT_EQ(std::string(err_.message).find(fault + ": CUDA error"), 0u) << err_.message;
  }
  unsetenv("XLASHAPE_FAKE_CUDA");
  t.memory_free(t.self, 0, memory, XLASHAPE_SPACE_CUDA, nullptr);
  function<Push>("cuEventDestroy_v2")(made);
  function<Push>("cuStreamDestroy_v2")(first);
  function<Push>("cuStreamDestroy_v2")(second);
  function<int (*)(int)>("cuDevicePrimaryCtxRelease_v2")(0);
}

TEST_F(FakeCuda, TheContextIsLeftAsItWas) {
  make_op("f32[16,16]{1,0}", "f32[16,16]{0,1}");
  void* current = nullptr;
  const int before = count_(1);
  {
    const testing::OpenedBackend backend(open_plugin, 0, 0);
    ASSERT_EQ(run(backend.table), XLASHAPE_STATUS_OK) << err_.message;
    function<Current>("cuCtxGetCurrent")(&current);
    EXPECT_EQ(current, nullptr);
  }
  EXPECT_EQ(count_(1), before) << "primary contexts";
}

// Through pinned buffers, two pieces and a half each way, and what fails on the way.
TEST_F(FakeCuda, LargeCopiesGoThroughPinnedBuffers) {
  const int64_t bytes = 40 << 20;
  std::vector<uint32_t> in(static_cast<size_t>(bytes / 4)), out(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint32_t>(i * 2654435761u);
  {
    const testing::OpenedBackend backend(open_plugin, 0, 0);
    const xlashape_backend& t = backend.table;
    uint64_t memory = 0;
    ASSERT_EQ(t.memory_alloc(t.self, 0, XLASHAPE_SPACE_CUDA, bytes, &memory, &err_), XLASHAPE_STATUS_OK)
        << err_.message;
    const auto copy = [&](uint64_t to, int32_t to_space, uint64_t from, int32_t from_space) {
      return t.memory_copy(t.self, 0, from, from_space, to, to_space, bytes, &testing::kNoQueue, &err_);
    };
    const auto host_in = reinterpret_cast<uint64_t>(in.data()), host_out = reinterpret_cast<uint64_t>(out.data());
    setenv("XLASHAPE_FAKE_CUDA", "cuMemAllocHost", 1);
    EXPECT_EQ(copy(memory, XLASHAPE_SPACE_CUDA, host_in, XLASHAPE_SPACE_CPU), XLASHAPE_STATUS_DEVICE);
    setenv("XLASHAPE_FAKE_CUDA", "cuEventRecord", 1);
    EXPECT_EQ(copy(memory, XLASHAPE_SPACE_CUDA, host_in, XLASHAPE_SPACE_CPU), XLASHAPE_STATUS_DEVICE);
    unsetenv("XLASHAPE_FAKE_CUDA");
    ASSERT_EQ(copy(memory, XLASHAPE_SPACE_CUDA, host_in, XLASHAPE_SPACE_CPU), XLASHAPE_STATUS_OK) << err_.message;
    ASSERT_EQ(copy(host_out, XLASHAPE_SPACE_CPU, memory, XLASHAPE_SPACE_CUDA), XLASHAPE_STATUS_OK) << err_.message;
    EXPECT_TRUE(in == out);
    EXPECT_EQ(count_(7), 2);
    t.memory_free(t.self, 0, memory, XLASHAPE_SPACE_CUDA, nullptr);
  }
  EXPECT_EQ(count_(7), 0);
  EXPECT_EQ(count_(8), 0);
}

TEST_F(FakeCuda, ForeignMemoryIsRefused) {
  make_op("f32[16,16]{1,0}", "f32[16,16]{0,1}");
  const testing::OpenedBackend backend(open_plugin, 0, 0);
  const xlashape_backend& table = backend.table;
  int64_t bytes, alignment;
  table.plan_size(table.self, &op_, &bytes, &alignment, nullptr);
  std::vector<std::max_align_t> storage(static_cast<size_t>(bytes) / sizeof(std::max_align_t) + 1);
  ASSERT_EQ(table.plan_init(table.self, &op_, storage.data(), &err_), XLASHAPE_STATUS_OK) << err_.message;
  // One buffer on device 1, one on device 0, one on the host.
  void *other, *popped;
  uint64_t there = 0, here = 0;
  ASSERT_EQ(function<Retain>("cuDevicePrimaryCtxRetain")(&other, 1), 0);
  function<Push>("cuCtxPushCurrent_v2")(other);
  function<int (*)(uint64_t*, size_t)>("cuMemAlloc_v2")(&there, 4096);
  function<Current>("cuCtxPopCurrent_v2")(&popped);
  ASSERT_EQ(table.memory_alloc(table.self, 0, XLASHAPE_SPACE_CUDA, 4096, &here, &err_), XLASHAPE_STATUS_OK);
  auto run = XLASHAPE_INIT(xlashape_run);
  run.src = here;
  run.dst = there;
  run.task_end = run.task_count = 1;
  EXPECT_EQ(table.plan_execute(table.self, storage.data(), &op_, &run, &err_), XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(err_.message, "dst is on CUDA device 1, the call runs on device 0");
  run.dst = reinterpret_cast<uint64_t>(&run);
  EXPECT_EQ(table.plan_execute(table.self, storage.data(), &op_, &run, &err_), XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(err_.message, "dst is not an address that CUDA knows");
  table.memory_free(table.self, 0, here, XLASHAPE_SPACE_CUDA, nullptr);
  table.memory_free(table.self, 0, there, XLASHAPE_SPACE_CUDA, nullptr);
  table.plan_destroy(table.self, storage.data());
  function<int (*)(int)>("cuDevicePrimaryCtxRelease_v2")(1);
}

}  // namespace
}  // namespace xlashape::core

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (argc < 2) return 2;
  xlashape::core::on_gpu = argc > 2 && std::string(argv[2]) == "--gpu";
  xlashape::core::open_plugin = xlashape::core::testing::open_function(argv[1], "cuda");
  return RUN_ALL_TESTS();
}
