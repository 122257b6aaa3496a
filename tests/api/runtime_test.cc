// SPDX-License-Identifier: Apache-2.0
// Runtimes, hooks and backends through the C API, with backends made here from the plugin ABI.
#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "api.h"
#include "xlashape_backend.h"

namespace {

using api::add_backend;
using api::alone;
using api::Error;
using api::message;
using api::ok;
using api::Plan;
using api::report_of;
using api::Runtime;
using api::shape;
using testing::HasSubstr;

Runtime runtime(const xlashape_runtime_options& options = alone()) { return api::runtime_of(options); }

// Why options are refused.
std::string refusal(const xlashape_runtime_options& options) {
  xlashape_runtime* made = nullptr;
  const std::string text = message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_runtime_create, &options, &made);
  EXPECT_EQ(made, nullptr);
  return text;
}

// A backend that says it does relayouts natively and fills the destination's bytes with 0x11, or fails.
struct Mock {
  inline static std::atomic<int> opened{0}, closed{0}, executed{0};
  inline static xlashape_status open_status = 0, execute_status = 0;
  inline static uint32_t source = 0;

  static xlashape_status supports(void*, const xlashape_op* op, xlashape_support* support, xlashape_error*) {
    // Bytes alone: its answers are wrong, and the smoke test asks for four of them.
    const bool takes = op->kind == XLASHAPE_OP_RELAYOUT && op->relayout->value_bits == 8;
    support->level = takes ? XLASHAPE_SUPPORT_NATIVE : XLASHAPE_SUPPORT_NONE;
    return XLASHAPE_STATUS_OK;
  }
  static xlashape_status execute(void*, const void*, const xlashape_op* op, const xlashape_run* run,
                                 xlashape_error* err) {
    ++executed;
    if (execute_status != XLASHAPE_STATUS_OK) {
      if (err != nullptr && err->struct_size >= sizeof *err) {
        err->code = execute_status;
        err->index = err->offset = -1;
        std::strcpy(err->message, "the mock gives up");
        err->message_len = 17;
      }
      return execute_status;
    }
    std::memset(reinterpret_cast<void*>(run->dst), 0x11, static_cast<size_t>(op->relayout->dst_high));
    return XLASHAPE_STATUS_OK;
  }
  static void close(void*) { ++closed; }
  static xlashape_status open(const xlashape_host* host, xlashape_backend* backend, xlashape_error* err) {
    ++opened;
    if (open_status != XLASHAPE_STATUS_OK) {
      std::strcpy(err->message, "no such device");
      return open_status;
    }
    source = host->source;
    backend->abi_version = host->abi_max;
    backend->name = "mock";
    backend->build_id = "mock 1";
    backend->sanitizer = "";
    backend->memory_spaces = XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU);
    backend->close = close;
    backend->supports = supports;
    backend->plan_execute = execute;
    return XLASHAPE_STATUS_OK;
  }
  static void reset() {
    opened = closed = executed = 0;
    open_status = execute_status = 0;
  }
};

xlashape_backend_info info_of(xlashape_runtime* rt, int64_t ordinal) {
  auto info = XLASHAPE_INIT(xlashape_backend_info);
  ok([&](auto* err) {
    info.struct_size = sizeof info;
    return xlashape_runtime_backend_info(rt, ordinal, &info, err);
  });
  return info;
}

TEST(Runtime, DefaultOneHoldsTheScalarBackend) {
  ASSERT_GE(xlashape_runtime_backend_count(nullptr), 1);
  const xlashape_backend_info info = info_of(nullptr, 0);
  EXPECT_EQ(api::backend_text(nullptr, 0, XLASHAPE_BACKEND_TEXT_NAME), "scalar");
  EXPECT_EQ(api::backend_text(nullptr, 0, XLASHAPE_BACKEND_TEXT_PATH), "");
  EXPECT_EQ(info.state, XLASHAPE_BACKEND_STATE_READY);
  EXPECT_EQ(info.abi_version, XLASHAPE_BACKEND_ABI_VERSION);
  EXPECT_EQ(info.memory_spaces, XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU));
  EXPECT_EQ(info.device_count, 0);
}

// A backend of any name that takes bytes, moves nothing, and asks for options.
struct Asks {
  inline static const xlashape_host* host = nullptr;
  inline static std::string kernel, missing;

  static xlashape_status open(const xlashape_host* given, xlashape_backend* backend, xlashape_error* err) {
    host = given;
    const auto ask = [&](const char* key) {
      const char* const value = given->option(given->opaque, key);
      return std::string(value != nullptr ? value : "nothing");
    };
    kernel = ask("kernel");
    missing = ask("missing");
    EXPECT_EQ(given->option(given->opaque, nullptr), nullptr);
    const xlashape_status status = Mock::open(given, backend, err);
    backend->name = "asks";
    return status;
  }
};

TEST(Choices, BackendOptionsReachTheirBackend) {
  Mock::reset();
  xlashape_runtime_options options = alone();
  options.backend_options = "asks.kernel=fast=er;;other.kernel=slow;asks.depth=3;";
  const Runtime rt = runtime(options);
  add_backend(rt, "asks", Asks::open);
  EXPECT_EQ(Asks::kernel, "fast=er");
  EXPECT_EQ(Asks::missing, "nothing");
  EXPECT_THAT(report_of(rt),
              HasSubstr("options: backend options not asked for so far: other.kernel=slow, asks.depth=3\n"));
}

TEST(Choices, BackendOptionsOfAnotherForm) {
  const auto refused = [](const std::string& text) {
    xlashape_runtime_options options = alone();
    options.backend_options = text.c_str();
    return refusal(options);
  };
  for (const char* text : {"kernel=1", "a.b", "a.=1", ".b=1", "a b.c=1", "a.b=1;x", "a.b.c=1", "=", "a=b.c"})
    EXPECT_THAT(refused(text), HasSubstr("does not have the form NAME.KEY=VALUE")) << text;
  EXPECT_EQ(refused("a.b=1;c.d=2;a.b=3"), "options.backend_options: a.b is given twice");
  EXPECT_EQ(refused("x\ny.z=1"), "options.backend_options: x\\x0ay.z=1 does not have the form NAME.KEY=VALUE");
  EXPECT_THAT(refused("a.b=" + std::string(65536, 'x')), HasSubstr("longer than 65536 bytes"));
}

// The plan's options come first, then the runtime's, then the environment's.
TEST(Choices, BackendOfARuntime) {
  xlashape_runtime_options options = alone();
  options.backend = "mock";
  const Runtime demand = runtime(options);
  const auto made_by = [&](const Runtime& rt, const char* name) {
    auto o = XLASHAPE_INIT(xlashape_relayout_options);
    o.backend = name;
    xlashape_plan* plan = nullptr;
    Error err;
    const xlashape_status status =
        xlashape_plan_create(rt.get(), shape("u8[4,6]{1,0}").get(), shape("u8[4,6]{0,1}").get(), &o, &plan, &err);
    const Plan owned(plan);
    return status == XLASHAPE_STATUS_OK ? std::string(xlashape_plan_backend(plan)) : std::string(err.message);
  };
  EXPECT_THAT(made_by(demand, nullptr), HasSubstr("no backend is named mock"));
  EXPECT_EQ(made_by(demand, "scalar"), "scalar");
  EXPECT_THAT(report_of(demand), HasSubstr("options: backend: mock\n"));
  options.backend = "mock,*";
  const Runtime wish = runtime(options);
  EXPECT_EQ(made_by(wish, nullptr), "scalar");
  EXPECT_THAT(report_of(wish), HasSubstr("options: backend: mock,*\n"));
  Mock::reset();
  add_backend(wish, "mock", Mock::open, -200);
  EXPECT_EQ(made_by(wish, nullptr), "mock");
  api::set_environment("XLASHAPE_BACKEND", "scalar");
  options.flags &= ~XLASHAPE_RUNTIME_NO_ENVIRONMENT;
  options.backend = "mock";
  EXPECT_THAT(made_by(runtime(options), nullptr), HasSubstr("no backend is named mock"));
  options.backend = nullptr;
  EXPECT_EQ(made_by(runtime(options), nullptr), "scalar");
  api::set_environment("XLASHAPE_BACKEND", "");
  const std::string endless(70000, 'x');
  options.backend = endless.c_str();
  EXPECT_THAT(refusal(options), HasSubstr("options.backend is longer than 65536 bytes"));
}

TEST(Choices, DeniedBackends) {
  Mock::reset();
  xlashape_runtime_options options = alone();
  options.denied_backends = "other,mock,scalar";
  const Runtime rt = runtime(options);
  EXPECT_EQ(message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_runtime_add_backend, rt.get(), "mock", 4, Mock::open, nullptr,
                    nullptr, 0),
            "backend mock is denied by the runtime's options");
  EXPECT_EQ(Mock::opened, 0);
  add_backend(rt, "mocks", Mock::open);  // another name is another backend
  xlashape_plan* plan = nullptr;
  Error err;
  EXPECT_EQ(xlashape_plan_create(rt.get(), shape("s16[4]{0}").get(), shape("s16[4]{0}").get(), nullptr, &plan, &err),
            XLASHAPE_STATUS_NOT_FOUND)
      << "only bytes are left";
  auto o = XLASHAPE_INIT(xlashape_relayout_options);
  o.backend = "scalar";
  EXPECT_EQ(xlashape_plan_create(rt.get(), shape("u8[4]{0}").get(), shape("u8[4]{0}").get(), &o, &plan, &err),
            XLASHAPE_STATUS_NOT_FOUND);
  EXPECT_THAT(err.message, HasSubstr("backend scalar is not in use: denied by the runtime's options"));
  EXPECT_THAT(report_of(rt), HasSubstr("options: denied backends: other,mock,scalar\n"));
  EXPECT_EQ(info_of(rt.get(), 0).state, XLASHAPE_BACKEND_STATE_FAILED);
}

TEST(Choices, Cpu) {
  xlashape_runtime_options options = alone();
  options.cpu = "scalar";
  EXPECT_THAT(report_of(runtime(options)), HasSubstr("processor: no features used"));
  options.cpu = "avx9";
  EXPECT_EQ(refusal(options),
            "options.cpu is avx9, it must be one of scalar, ssse3, sse4, avx2, avx3, avx3_dl, neon, sve");
}

// What it checks, and that it finds what is wrong: tests/unit/exec/verify_test.cc.
TEST(Runtime, VerifyCount) {
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT;
  options.verify_count = -1;
  EXPECT_THAT(refusal(options), HasSubstr("options.verify_count is -1"));
  options.verify_count = 64;
  const Runtime verifying = runtime(options);
  const auto a = shape("f32[30,50]"), b = shape("f32[30,50]{0,1:T(8,128)}");
  std::vector<float> src(1500, 1), dst(64 * 128);
  ok(xlashape_relayout, verifying.get(), a.get(), src.data(), 6000, b.get(), dst.data(), 4 * 64 * 128, nullptr);
  EXPECT_THAT(report_of(verifying), HasSubstr("verification: 64 positions of each execution; 2 executions verified"));
}

TEST(Runtime, BadHooksAreRefused) {
  const auto refused = [](auto&& change) {
    xlashape_executor executor = api::in_order(2);
    auto allocator = XLASHAPE_INIT(xlashape_allocator);
    allocator.alloc = [](void*, size_t, size_t) -> void* { return nullptr; };
    allocator.free = [](void*, void*, size_t, size_t) {};
    auto logger = XLASHAPE_INIT(xlashape_logger);
    logger.log = [](void*, int32_t, uint32_t, const char*, int64_t) {};
    auto options = XLASHAPE_INIT(xlashape_runtime_options);
    options.executor = &executor;
    options.allocator = &allocator;
    options.logger = &logger;
    change(executor, allocator, logger);
    return refusal(options);
  };
  EXPECT_THAT(refused([](auto& e, auto&, auto&) { e.struct_size = 8; }), HasSubstr("executor.struct_size is 8"));
  EXPECT_THAT(refused([](auto& e, auto&, auto&) { e.parallel_for = nullptr; }), HasSubstr("executor.parallel_for"));
  EXPECT_THAT(refused([](auto& e, auto&, auto&) { e.max_workers = 0; }), HasSubstr("max_workers"));
  EXPECT_THAT(refused([](auto&, auto& a, auto&) { a.struct_size = 0; }), HasSubstr("allocator.struct_size is 0"));
  EXPECT_THAT(refused([](auto&, auto& a, auto&) { a.alloc = nullptr; }), HasSubstr("allocator.alloc"));
  EXPECT_THAT(refused([](auto&, auto& a, auto&) { a.free = nullptr; }), HasSubstr("allocator.free"));
  EXPECT_THAT(refused([](auto&, auto&, auto& l) { l.struct_size = 4; }), HasSubstr("logger.struct_size is 4"));
}

TEST(Runtime, BackendsThatThereAreNot) {
  auto info = XLASHAPE_INIT(xlashape_backend_info);
  for (const int64_t bad : {int64_t{-1}, int64_t{1000}, INT64_MIN, INT64_MAX})
    EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_runtime_backend_info, nullptr, bad, &info),
                HasSubstr(std::to_string(bad)));
}

TEST(Runtime, ReportIsText) {
  const Runtime rt = runtime();
  const std::string report = report_of(rt);
  EXPECT_THAT(report, HasSubstr("scalar"));
  EXPECT_EQ(report.back(), '\n');
  api::answers_text(report, xlashape_runtime_report, rt.get());
}

TEST(Backend, AddedOneIsChosenAndClosed) {
  Mock::reset();
  const auto a = shape("u8[4]");
  const uint8_t src[4] = {1, 2, 3, 4};
  uint8_t dst[4] = {};
  Runtime rt = runtime();
  add_backend(rt, "mock", Mock::open);
  EXPECT_EQ(xlashape_runtime_backend_count(rt.get()), 2);
  const xlashape_backend_info info = info_of(rt.get(), 1);
  EXPECT_EQ(api::backend_text(rt.get(), 1, XLASHAPE_BACKEND_TEXT_NAME), "mock");
  EXPECT_EQ(api::backend_text(rt.get(), 1, XLASHAPE_BACKEND_TEXT_DETAIL), "mock 1");
  EXPECT_EQ(info.state, XLASHAPE_BACKEND_STATE_READY);
  ok(xlashape_relayout, rt.get(), a.get(), src, 4, a.get(), dst, 4, nullptr);
  EXPECT_EQ(dst[3], 0x11);
  EXPECT_EQ(Mock::executed, 2);

  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  options.backend = "scalar";
  ok(xlashape_relayout, rt.get(), a.get(), src, 4, a.get(), dst, 4, &options);
  EXPECT_EQ(dst[3], 4) << "asked for by name";

  // The name of a plan's backend outlives the plan.
  Plan other = api::plan(rt.get(), "u8[4]", "u8[4]");
  const char* const name = xlashape_plan_backend(other.get());
  other.reset();
  EXPECT_STREQ(name, "mock");
  // A plan keeps its runtime, and so its backend, alive.
  Plan plan = api::plan(rt.get(), "u8[4]", "u8[4]");
  EXPECT_STREQ(xlashape_plan_backend(plan.get()), "mock");
  rt.reset();
  EXPECT_EQ(Mock::closed, 0);
  ok(xlashape_plan_execute, plan.get(), src, 4, dst, 4);
  plan.reset();
  EXPECT_EQ(Mock::closed, 1);
  EXPECT_EQ(Mock::opened, 1);
}

TEST(Backend, ItsFailureIsToldWithItsSource) {
  Mock::reset();
  const auto a = shape("u8[4]");
  const Runtime rt = runtime();
  add_backend(rt, "mock", Mock::open);
  EXPECT_EQ(Mock::source, 2u) << "1 + the ordinal";
  Mock::execute_status = XLASHAPE_STATUS_DEVICE;
  const uint8_t src[4] = {1, 2, 3, 4};
  uint8_t dst[4] = {};
  Error err;
  EXPECT_EQ(xlashape_relayout(rt.get(), a.get(), src, 4, a.get(), dst, 4, nullptr, &err), XLASHAPE_STATUS_DEVICE);
  EXPECT_EQ(err.code, XLASHAPE_STATUS_DEVICE);
  EXPECT_EQ(err.source, 2u);
  EXPECT_THAT(err.message, HasSubstr("the mock gives up"));
  EXPECT_EQ(xlashape_relayout(rt.get(), a.get(), src, 4, a.get(), dst, 4, nullptr, nullptr), XLASHAPE_STATUS_DEVICE);
  Mock::reset();
}

TEST(Backend, OneThatCannotOpenIsKeptAsFailed) {
  Mock::reset();
  Mock::open_status = XLASHAPE_STATUS_DEVICE;
  const Runtime rt = runtime();
  Error err;
  EXPECT_EQ(xlashape_runtime_add_backend(rt.get(), "mock", 4, Mock::open, nullptr, nullptr, 0, &err),
            XLASHAPE_STATUS_DEVICE);
  EXPECT_THAT(err.message, HasSubstr("no such device"));
  ASSERT_EQ(xlashape_runtime_backend_count(rt.get()), 2);
  const xlashape_backend_info info = info_of(rt.get(), 1);
  EXPECT_EQ(info.state, XLASHAPE_BACKEND_STATE_FAILED);
  EXPECT_EQ(info.abi_version, 0u);
  EXPECT_THAT(api::backend_text(rt.get(), 1, XLASHAPE_BACKEND_TEXT_DETAIL), HasSubstr("no such device"));
  const auto a = shape("u8[4]");
  const uint8_t src[4] = {1, 2, 3, 4};
  uint8_t dst[4] = {};
  ok(xlashape_relayout, rt.get(), a.get(), src, 4, a.get(), dst, 4, nullptr);
  EXPECT_EQ(dst[3], 4) << "the scalar backend serves";
  EXPECT_EQ(Mock::closed, 0);
  Mock::reset();
}

TEST(Backend, BadCallsAreRefused) {
  const Runtime rt = runtime();
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_runtime_add_backend, rt.get(), "", 0, Mock::open,
                      nullptr, nullptr, 0),
              HasSubstr("name"));
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_runtime_add_backend, rt.get(), "scalar", 6, Mock::open,
                      nullptr, nullptr, 0),
              HasSubstr("scalar"));
  for (const std::string& path : {std::string("/no/such/file.so"), std::string("."), std::string("/dev/null")}) {
    Error err;
    EXPECT_NE(xlashape_runtime_load_backend(rt.get(), path.data(), path.size(), &err), XLASHAPE_STATUS_OK);
    EXPECT_GT(err.message_len, 0u);
  }
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_runtime_load_backend, rt.get(), "", 0);
  const std::string_view cut("/dev/null\0.so", 13);
  EXPECT_THAT(
      message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_runtime_load_backend, rt.get(), cut.data(), cut.size()),
      HasSubstr("NUL"));
}

TEST(Backend, UnknownNamesPointToTheReport) {
  const auto a = shape("u8[4]");
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  options.backend = "nonesuch";
  xlashape_plan* made = nullptr;
  EXPECT_THAT(message(XLASHAPE_STATUS_NOT_FOUND, xlashape_plan_create, nullptr, a.get(), a.get(), &options, &made),
              testing::AllOf(HasSubstr("nonesuch"), HasSubstr("the runtime's report")));
  EXPECT_EQ(made, nullptr);
}

TEST(Runtime, Retain) {
  Runtime rt = runtime();
  EXPECT_EQ(xlashape_runtime_retain(rt.get()), rt.get());
  xlashape_runtime_release(rt.get());
  EXPECT_EQ(xlashape_runtime_backend_count(rt.get()), 1);
}

// tests/loader/pool_test.cc sets it, in processes of their own.
TEST(Runtime, DefaultOneThatIsThereAlready) {
  xlashape_runtime_backend_count(nullptr);
  const Runtime rt = runtime();
  EXPECT_EQ(message(XLASHAPE_STATUS_BUSY, xlashape_runtime_set_default, rt.get()),
            "there is a default runtime already: set it once, before the first call that is given no runtime");
  EXPECT_EQ(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_runtime_set_default, nullptr), "runtime is NULL");
}

// Plans and scratch come from the embedder's allocator, with the sizes given back as they were taken.
TEST(Hooks, AllocatorServesPlans) {
  struct Counter {
    int64_t live = 0, bytes = 0, taken = 0;
    bool refuse = false;
    static void* alloc(void* opaque, size_t size, size_t alignment) {
      auto* self = static_cast<Counter*>(opaque);
      if (self->refuse) return nullptr;
      ++self->live;
      ++self->taken;
      self->bytes += static_cast<int64_t>(size);
      return api::aligned_memory(size, alignment);
    }
    static void free(void* opaque, void* pointer, size_t size, size_t alignment) {
      auto* self = static_cast<Counter*>(opaque);
      --self->live;
      self->bytes -= static_cast<int64_t>(size);
      api::free_aligned(pointer, alignment);
    }
  } counter;
  auto allocator = XLASHAPE_INIT(xlashape_allocator);
  allocator.opaque = &counter;
  allocator.alloc = Counter::alloc;
  allocator.free = Counter::free;
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  options.flags = XLASHAPE_RUNTIME_NO_LIBRARY_DIR | XLASHAPE_RUNTIME_NO_INSTALL_DIR;  // loading takes memory too
  options.allocator = &allocator;
  Runtime rt = runtime(options);
  const auto a = shape("f32[30,50]"), b = shape("f32[30,50]{0,1:T(8,128)}");
  const int64_t before = counter.taken;
  Plan plan = api::make<Plan>(xlashape_plan_create, rt.get(), a.get(), b.get(), nullptr);
  EXPECT_EQ(counter.taken, before + 1) << "one allocation for a plan";
  auto requirements = XLASHAPE_INIT(xlashape_plan_requirements);
  ASSERT_EQ(xlashape_plan_get_requirements(plan.get(), &requirements, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(requirements.plan_bytes, counter.bytes);
  std::vector<float> src(1500), dst(64 * 128);
  ok(xlashape_plan_execute, plan.get(), src.data(), byte_count(src), dst.data(), byte_count(dst));
  EXPECT_EQ(counter.taken, before + 1) << "executing allocates nothing";
  plan.reset();
  counter.refuse = true;
  xlashape_plan* made = nullptr;
  message(XLASHAPE_STATUS_NO_MEMORY, xlashape_plan_create, rt.get(), a.get(), b.get(), nullptr, &made);
  EXPECT_EQ(made, nullptr);
  rt.reset();
  EXPECT_EQ(counter.live, 0);
  EXPECT_EQ(counter.bytes, 0);
}

TEST(Hooks, ExecutorRunsEachTaskOnce) {
  struct Backwards {
    std::vector<int64_t> seen;
    bool give_up = false;
    static int32_t run(void* opaque, int64_t count, void* task_opaque, void (*task)(void*, int64_t, uint32_t)) {
      auto* self = static_cast<Backwards*>(opaque);
      if (self->give_up) return 1;
      for (int64_t i = count - 1; i >= 0; --i) {
        self->seen.push_back(i);
        task(task_opaque, i, static_cast<uint32_t>(i % 3));
      }
      return 0;
    }
  } order;
  auto executor = XLASHAPE_INIT(xlashape_executor);
  executor.max_workers = 3;
  executor.opaque = &order;
  executor.parallel_for = Backwards::run;
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  options.executor = &executor;
  const Runtime rt = runtime(options);
  const auto a = shape("u16[600,700]"), b = shape("u16[600,700]{0,1}");
  std::vector<uint16_t> src(600 * 700), dst(src.size()), want(src.size());
  for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<uint16_t>(i * 7);
  for (size_t y = 0; y < 600; ++y)
    for (size_t x = 0; x < 700; ++x) want[x * 600 + y] = src[y * 700 + x];
  const auto bytes = static_cast<int64_t>(2 * src.size());
  ASSERT_EQ(xlashape_relayout(rt.get(), a.get(), src.data(), bytes, b.get(), dst.data(), bytes, nullptr, nullptr),
            XLASHAPE_STATUS_OK);
  EXPECT_EQ(dst, want);
  ASSERT_GT(order.seen.size(), 1u) << "840 KB are worth more than one task";
  std::sort(order.seen.begin(), order.seen.end());
  for (size_t i = 0; i < order.seen.size(); ++i) EXPECT_EQ(order.seen[i], static_cast<int64_t>(i));
  order.give_up = true;
  message(XLASHAPE_STATUS_CANCELLED, xlashape_relayout, rt.get(), a.get(), src.data(), bytes, b.get(), dst.data(),
          bytes, nullptr);
}

// Each hook is released once, after its last call: when the runtime and the last plan of it are gone.
TEST(Hooks, AreReleasedWithTheLastPlan) {
  struct Hook {
    int calls = 0, releases = 0, calls_after = 0;
    void called() { releases == 0 ? ++calls : ++calls_after; }
    static void release(void* opaque) { ++static_cast<Hook*>(opaque)->releases; }
  } pool, memory, lines;
  const auto counting = [](Hook& hook) {
    xlashape_executor executor = api::in_order(2);
    executor.opaque = &hook;
    executor.parallel_for = [](void* opaque, int64_t count, void* task_opaque, xlashape_task_fn task) {
      static_cast<Hook*>(opaque)->called();
      return api::in_order(2).parallel_for(nullptr, count, task_opaque, task);
    };
    executor.release = Hook::release;
    return executor;
  };
  const auto make = [&](int32_t threads, xlashape_runtime** made, xlashape_error* err) {
    const xlashape_executor executor = counting(pool);
    auto allocator = XLASHAPE_INIT(xlashape_allocator);
    allocator.opaque = &memory;
    allocator.alloc = [](void* opaque, size_t size, size_t alignment) {
      static_cast<Hook*>(opaque)->called();
      return api::aligned_memory(size, alignment);
    };
    allocator.free = [](void* opaque, void* pointer, size_t, size_t alignment) {
      static_cast<Hook*>(opaque)->called();
      api::free_aligned(pointer, alignment);
    };
    allocator.release = Hook::release;
    auto logger = XLASHAPE_INIT(xlashape_logger);
    logger.opaque = &lines;
    logger.log = [](void* opaque, int32_t, uint32_t, const char*, int64_t) { static_cast<Hook*>(opaque)->called(); };
    logger.release = Hook::release;
    auto options = XLASHAPE_INIT(xlashape_runtime_options);
    options.executor = &executor;
    options.allocator = &allocator;
    options.logger = &logger;
    options.threads = threads;
    return xlashape_runtime_create(&options, made, err);
  };
  xlashape_runtime* rt = nullptr;
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, [&](auto* err) { return make(-1, &rt, err); });
  for (const Hook* hook : {&pool, &memory, &lines}) EXPECT_EQ(hook->releases, 0) << "the runtime was not made";
  ASSERT_EQ(make(0, &rt, nullptr), XLASHAPE_STATUS_OK);
  const auto a = shape("u16[600,700]"), b = shape("u16[600,700]{0,1}");
  Plan plan = api::make<Plan>(xlashape_plan_create, rt, a.get(), b.get(), nullptr);
  xlashape_runtime_release(rt);
  std::vector<uint16_t> src(600 * 700, 3), dst(src.size());
  ok(xlashape_plan_execute, plan.get(), src.data(), byte_count(src), dst.data(), byte_count(dst));
  // An executor of one execution is the caller's.
  Hook once;
  const xlashape_executor executor = counting(once);
  auto exec = XLASHAPE_INIT(xlashape_execute_options);
  exec.src = reinterpret_cast<uintptr_t>(src.data());
  exec.src_bytes = byte_count(src);
  exec.dst = reinterpret_cast<uintptr_t>(dst.data());
  exec.dst_bytes = byte_count(dst);
  exec.executor = &executor;
  ok(xlashape_plan_execute_with, plan.get(), &exec);
  for (const Hook* hook : {&pool, &memory, &lines, &once}) EXPECT_EQ(hook->releases, 0);
  plan.reset();
  for (const Hook* hook : {&pool, &memory, &lines}) {
    EXPECT_GT(hook->calls, 0);
    EXPECT_EQ(hook->releases, 1);
    EXPECT_EQ(hook->calls_after, 0);
  }
  EXPECT_EQ(once.releases, 0);
  EXPECT_GT(once.calls, 0);
}

// A backend that is linked in finds its user pointer in the host table; it is released after the backend is closed.
TEST(Hooks, BackendsHaveAUserPointer) {
  struct User {
    std::string order;
    int32_t level = XLASHAPE_SUPPORT_NATIVE;
  } low, high, refused;
  const xlashape_backend_open_fn open = [](const xlashape_host* host, xlashape_backend* table, xlashape_error*) {
    auto* user = static_cast<User*>(host->user);
    user->order += "open ";
    table->abi_version = host->abi_max;
    table->self = user;
    table->memory_spaces = XLASHAPE_SPACE_BIT(40);
    table->supports = [](void* self, const xlashape_op*, xlashape_support* support, xlashape_error*) {
      support->level = static_cast<User*>(self)->level;
      return xlashape_status{XLASHAPE_STATUS_OK};
    };
    table->plan_execute = [](void*, const void*, const xlashape_op*, const xlashape_run*, xlashape_error*) {
      return xlashape_status{XLASHAPE_STATUS_OK};
    };
    table->close = [](void* self) { static_cast<User*>(self)->order += "close "; };
    return xlashape_status{user->level == XLASHAPE_SUPPORT_NONE ? XLASHAPE_STATUS_DEVICE : XLASHAPE_STATUS_OK};
  };
  const xlashape_release_fn release = [](void* user) { static_cast<User*>(user)->order += "release"; };
  Runtime rt = runtime();
  refused.level = XLASHAPE_SUPPORT_NONE;
  EXPECT_EQ(xlashape_runtime_add_backend(rt.get(), "refused", 7, open, &refused, release, 0, nullptr),
            XLASHAPE_STATUS_DEVICE);
  EXPECT_EQ(xlashape_runtime_add_backend(rt.get(), "low", 3, open, &low, release, -1, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(xlashape_runtime_add_backend(rt.get(), "high", 4, open, &high, release, 1, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(xlashape_runtime_add_backend(rt.get(), "high", 4, open, &refused, release, 1, nullptr),
            XLASHAPE_STATUS_INVALID_ARGUMENT);
  const auto a = shape("u8[4]");
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  options.src_space = options.dst_space = 40;
  Plan plan = api::make<Plan>(xlashape_plan_create, rt.get(), a.get(), a.get(), &options);
  EXPECT_STREQ(xlashape_plan_backend(plan.get()), "high") << "the larger priority goes first";
  rt.reset();
  EXPECT_EQ(low.order, "open ");
  plan.reset();
  EXPECT_EQ(low.order, "open close release");
  EXPECT_EQ(high.order, "open close release");
  EXPECT_EQ(refused.order, "open ") << "what could not be added stays the caller's";
}

}  // namespace
