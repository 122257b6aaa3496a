// SPDX-License-Identifier: Apache-2.0
// Measuring through the C API, with a backend that has several ways to run a plan:
// plans that are measured, wisdom, profiles.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>

#include "api.h"
#include "xlashape_backend.h"

namespace {

namespace fs = std::filesystem;
using api::alone;
using api::Error;
using api::failure;
using api::kAlone;
using api::message;
using api::ok;
using api::Plan;
using api::report_of;
using api::Runtime;
using api::shape;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr int64_t kMillisecond = 1'000'000;

// GoogleTest's own has no sets of characters on Windows.
MATCHER_P(MatchesAll, pattern, "matches " + std::string(pattern)) { return std::regex_match(arg, std::regex(pattern)); }

// A backend with three ways, of which the default, 0, is slow and 2 is fast. A plan's part is the number of its way.
struct Ways {
  static constexpr int kCount = 3;
  inline static std::array<int, kCount> microseconds;  // that each takes
  inline static std::array<std::atomic<int>, kCount> runs;
  inline static uint64_t src, dst;  // of the last execution
  inline static bool wrong;         // it moves other bytes
  inline static xlashape_status failing;
  inline static std::function<int64_t(int64_t, char*, int64_t)> candidate;  // answers instead
  inline static std::function<xlashape_status(const xlashape_calibration&, char*, int64_t, int64_t*)> calibrated;
  inline static std::string given;               // the profile
  inline static xlashape_status profile_status;  // what it says of that
  inline static int given_count, asked;
  inline static int64_t predicted,
      predicted_for;  // its answer, -1: it refuses; and the workers that it was asked about

  static void reset() {
    // Longer than a thread is kept waiting on a busy machine: a way that was once much slower is not run again.
    microseconds = {6000, 4000, 0};
    for (auto& count : runs) count = 0;
    src = dst = 0;
    wrong = false;
    failing = profile_status = XLASHAPE_STATUS_OK;
    candidate = nullptr;
    calibrated = nullptr;
    given.clear();
    given_count = asked = 0;
    predicted = 1;
  }

  static xlashape_status supports(void*, const xlashape_op* op, xlashape_support* support, xlashape_error*) {
    const bool takes = op->kind == XLASHAPE_OP_RELAYOUT && op->relayout->nest != nullptr &&
                       op->relayout->nest->guard_count == 0 && op->relayout->has_padding == 0;
    support->level = takes ? XLASHAPE_SUPPORT_NATIVE : XLASHAPE_SUPPORT_NONE;
    return XLASHAPE_STATUS_OK;
  }
  static xlashape_status plan_size(void*, const xlashape_op*, int64_t* bytes, int64_t* alignment, xlashape_error*) {
    *bytes = *alignment = sizeof(int64_t);
    return XLASHAPE_STATUS_OK;
  }
  static xlashape_status plan_init(void*, const xlashape_op*, void* storage, xlashape_error*) {
    *static_cast<int64_t*>(storage) = 0;
    return XLASHAPE_STATUS_OK;
  }
  static xlashape_status plan_execute(void*, const void* storage, const xlashape_op* op, const xlashape_run* run,
                                      xlashape_error*) {
    const auto way = static_cast<size_t>(*static_cast<const int64_t*>(storage));
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(microseconds[way]);
    ++runs[way];
    src = run->src, dst = run->dst;
    if (run->task_begin == 0) move(*op->relayout, *run);
    while (std::chrono::steady_clock::now() < end) continue;
    return failing;
  }
  static void move(const xlashape_relayout_ir& ir, const xlashape_run& run) {
    const xlashape_loops& nest = *ir.nest;
    const auto bytes = static_cast<size_t>(ir.src_container_bits / 8);
    for (int64_t element = 0; element < ir.elements; ++element) {
      int64_t rest = element, from = nest.src_offset, to = nest.dst_offset;
      for (int32_t loop = 0; loop < nest.loop_count; ++loop) {
        from += rest % nest.extent[loop] * nest.src_stride[loop];
        to += rest % nest.extent[loop] * nest.dst_stride[loop];
        rest /= nest.extent[loop];
      }
      auto* const out = reinterpret_cast<unsigned char*>(run.dst) + to;
      std::memcpy(out, reinterpret_cast<const unsigned char*>(run.src) + from, bytes);
      if (wrong) *out ^= 1;
    }
  }
  static int64_t describe(void*, const void* storage, const xlashape_op*, char* text, int64_t capacity) {
    return std::snprintf(text, static_cast<size_t>(capacity), "way %d",
                         static_cast<int>(*static_cast<const int64_t*>(storage)));
  }
  static int64_t plan_candidate(void*, const void* storage, const xlashape_op*, int64_t index, char* text,
                                int64_t capacity) {
    ++asked;
    if (candidate) return candidate(index, text, capacity);
    if (index >= kCount) return 0;
    const int64_t now = *static_cast<const int64_t*>(storage);
    const int64_t way = index == 0 ? now : index <= now ? index - 1 : index;
    return std::snprintf(text, static_cast<size_t>(capacity), "way %d", static_cast<int>(way));
  }
  static xlashape_status plan_choose(void*, void* storage, const xlashape_op*, const char* choice, xlashape_error*) {
    if (std::strncmp(choice, "way ", 4) != 0 || choice[4] < '0' || choice[4] >= '0' + kCount || choice[5] != '\0')
      return XLASHAPE_STATUS_INVALID_ARGUMENT;
    *static_cast<int64_t*>(storage) = choice[4] - '0';
    return XLASHAPE_STATUS_OK;
  }
  static xlashape_status calibrate(void*, const xlashape_calibration* how, char* text, int64_t capacity,
                                   int64_t* needed, xlashape_error*) {
    return calibrated(*how, text, capacity, needed);
  }
  static xlashape_status plan_predict(void*, const void*, const xlashape_op*, int64_t workers, int64_t* ns,
                                      xlashape_error* err) {
    predicted_for = workers;
    *ns = predicted;
    if (predicted >= 0) return XLASHAPE_STATUS_OK;
    std::snprintf(err->message, sizeof err->message, "not measured");
    return XLASHAPE_STATUS_UNSUPPORTED;
  }
  static xlashape_status use_profile(void*, const char* text, xlashape_error* err) {
    given = text;
    ++given_count;
    if (profile_status != XLASHAPE_STATUS_OK) std::strcpy(err->message, "these numbers cannot be");
    return profile_status;
  }
  static xlashape_status open(const xlashape_host* host, xlashape_backend* backend, xlashape_error*) {
    backend->abi_version = host->abi_max;
    backend->name = "ways";
    backend->build_id = "ways 1";
    backend->memory_spaces = XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU);
    backend->supports = supports;
    backend->plan_size = plan_size;
    backend->plan_init = plan_init;
    backend->plan_execute = plan_execute;
    backend->describe = describe;
    backend->plan_candidate = plan_candidate;
    backend->plan_choose = plan_choose;
    backend->calibrate = calibrated ? calibrate : nullptr;
    backend->use_profile = use_profile;
    if (predicted != 0) backend->plan_predict = plan_predict;
    return XLASHAPE_STATUS_OK;
  }
};

struct Measuring : testing::Test {
  void SetUp() override { Ways::reset(); }
};

Runtime runtime(const xlashape_runtime_options& options = alone(), const char* name = "ways") {
  Runtime made = api::runtime_of(options);
  api::add_backend(made, name, Ways::open);
  return made;
}

constexpr const char *kRows = "u8[8,16]{1,0}", *kColumns = "u8[8,16]{0,1}";

struct Request {
  xlashape_relayout_options options = XLASHAPE_INIT(xlashape_relayout_options);
  xlashape_measure_options how = XLASHAPE_INIT(xlashape_measure_options);
  bool measures = true;

  xlashape_status plan(const Runtime& rt, const char* from, const char* to, xlashape_plan** made,
                       xlashape_error* err) const {
    const api::Shape src = shape(from), dst = shape(to);
    return measures ? xlashape_plan_create_measured(rt.get(), src.get(), dst.get(), &options, &how, made, err)
                    : xlashape_plan_create(rt.get(), src.get(), dst.get(), &options, made, err);
  }
};

Request measured(int64_t ns = 2000 * kMillisecond) {
  Request request;
  request.how.budget_ns = ns;
  return request;
}
Request unmeasured() {
  Request request;
  request.measures = false;
  return request;
}

Plan plan(const Runtime& rt, const Request& request, const char* from = kRows, const char* to = kColumns) {
  return api::make<Plan>([&](auto** made, auto* err) { return request.plan(rt, from, to, made, err); });
}

std::string way_of(const Plan& plan) { return api::text_from(xlashape_plan_describe, plan.get()); }

std::string wisdom_of(const Runtime& rt) { return api::text_from(xlashape_runtime_export_wisdom, rt.get()); }

bool moves(const Plan& plan) {
  unsigned char from[128], to[128];
  for (int i = 0; i < 128; ++i) from[i] = static_cast<unsigned char>(i * 7);
  if (xlashape_plan_execute(plan.get(), from, 128, to, 128, nullptr) != XLASHAPE_STATUS_OK) return false;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 16; ++j)
      if (to[j * 8 + i] != from[i * 16 + j]) return false;
  return true;
}

std::string refused(const Runtime& rt, const Request& request, xlashape_status want) {
  xlashape_plan* made = nullptr;
  const std::string text = message(want, [&](auto* err) { return request.plan(rt, kRows, kColumns, &made, err); });
  EXPECT_EQ(made, nullptr);
  return text;
}

TEST_F(Measuring, TheFastestWayIsKept) {
  const Runtime rt = runtime();
  EXPECT_EQ(way_of(plan(rt, unmeasured())), "way 0");
  EXPECT_EQ(Ways::asked, 0) << "nobody asked to measure";
  const Plan fast = plan(rt, measured());
  EXPECT_EQ(way_of(fast), "way 2");
  for (const auto& count : Ways::runs) EXPECT_GT(count, 0);
  EXPECT_TRUE(moves(fast));

  // Wisdom: what comes later knows it, without being measured again.
  EXPECT_THAT(wisdom_of(rt), MatchesAll("xlashape wisdom 1\nprocessor [-a-z0-9_.]+\n"
                                        "[0-9a-f]+ ways [0-9]+ [0-9]+ way 2\n"));
  const int before = Ways::runs[2];
  EXPECT_EQ(way_of(plan(rt, unmeasured())), "way 2");
  EXPECT_EQ(way_of(plan(rt, measured())), "way 2");
  EXPECT_EQ(Ways::runs[2], before);
  const api::Shape src = shape(kRows), dst = shape(kColumns);
  unsigned char from[128] = {}, to[128];
  ok(xlashape_relayout, rt.get(), src.get(), from, 128, dst.get(), to, 128, nullptr);
  EXPECT_EQ(Ways::runs[2], before + 2) << "one-shot relayouts know it, too";
  EXPECT_EQ(way_of(plan(rt, unmeasured(), "u8[8,8]{1,0}", "u8[8,8]{0,1}")), "way 0") << "another form";

  xlashape_runtime_forget_wisdom(rt.get());
  EXPECT_EQ(way_of(plan(rt, unmeasured())), "way 0");
  EXPECT_EQ(way_of(fast), "way 2") << "what was made stays";
}

TEST_F(Measuring, OnTheCallersMemory) {
  alignas(64) unsigned char from[128] = {}, to[128];
  Request request = measured();
  request.how.src = reinterpret_cast<uintptr_t>(from);
  request.how.dst = reinterpret_cast<uintptr_t>(to);
  EXPECT_EQ(way_of(plan(runtime(), request)), "way 2");
  EXPECT_EQ(Ways::src, reinterpret_cast<uintptr_t>(from));
  EXPECT_EQ(Ways::dst, reinterpret_cast<uintptr_t>(to));
}

// NULL, and a budget of 0, are the usual one.
TEST_F(Measuring, ForTheUsualTime) {
  EXPECT_EQ(way_of(plan(runtime(), measured(0))), "way 2");
  const Runtime rt = runtime();
  const api::Shape src = shape(kRows), dst = shape(kColumns);
  EXPECT_EQ(way_of(api::make<Plan>(xlashape_plan_create_measured, rt.get(), src.get(), dst.get(), nullptr, nullptr)),
            "way 2");
}

TEST_F(Measuring, RequestsThatAreRefused) {
  const Runtime rt = runtime();
  EXPECT_EQ(refused(rt, measured(-1), XLASHAPE_STATUS_INVALID_ARGUMENT),
            "how.budget_ns is -1, it must not be negative");
  Request request = measured();
  request.how.flags = 1;
  EXPECT_THAT(refused(rt, request, XLASHAPE_STATUS_INCOMPATIBLE), HasSubstr("flags 0x1"));
  request.how.flags = 0;
  request.how.src = 64;
  EXPECT_THAT(refused(rt, request, XLASHAPE_STATUS_INVALID_ARGUMENT), HasSubstr("only one of"));
  unsigned char memory[128];
  request.how.src = request.how.dst = reinterpret_cast<uintptr_t>(memory);
  EXPECT_THAT(refused(rt, request, XLASHAPE_STATUS_INVALID_ARGUMENT), HasSubstr("must not overlap"));
  request = measured();
  request.options.dst_space = XLASHAPE_SPACE_CUDA;
  EXPECT_THAT(refused(rt, request, XLASHAPE_STATUS_UNSUPPORTED), HasSubstr("only plans in CPU memory"));
  EXPECT_EQ(Ways::runs[0] + Ways::runs[1] + Ways::runs[2], 3) << "the smoke test's";
}

TEST_F(Measuring, BackendsWithoutChoice) {
  const Runtime rt = runtime();
  Request request = measured();
  request.options.backend = "scalar";
  EXPECT_NE(plan(rt, request), nullptr);
  Ways::candidate = [](int64_t index, char* text, int64_t) { return index == 0 ? std::sprintf(text, "way 0") : 0; };
  EXPECT_EQ(way_of(plan(rt, measured())), "way 0");
  EXPECT_EQ(Ways::runs[0], 3) << "one way needs no measuring";
  EXPECT_EQ(way_of(plan(rt, measured(), "u8[0,4]{1,0}", "u8[0,4]{0,1}")), "way 0");
}

// Whatever a backend answers, the plan is made; ways that are none are not run.
TEST_F(Measuring, CandidatesThatAreNone) {
  const Runtime rt = runtime();
  Ways::microseconds = {};
  const auto with = [&](std::function<int64_t(int64_t, char*, int64_t)> answer) {
    Ways::asked = 0;
    Ways::candidate = [answer](int64_t index, char* text, int64_t capacity) {
      return index == 0 ? std::sprintf(text, "way 0") : answer(index, text, capacity);
    };
    EXPECT_NE(plan(rt, measured(kMillisecond)), nullptr);
    xlashape_runtime_forget_wisdom(rt.get());
  };
  with([](int64_t, char*, int64_t) { return int64_t{7}; });
  with([](int64_t, char* text, int64_t) { return std::sprintf(text, "way\n"); });
  with([](int64_t, char* text, int64_t) { return std::sprintf(text, "w\xC3\xA4y"); });
  with([](int64_t, char* text, int64_t capacity) {
    return std::memset(text, 'x', static_cast<size_t>(capacity)), capacity;
  });
  with([](int64_t, char*, int64_t) -> int64_t { throw 5; });
  EXPECT_LE(Ways::asked, 2);
}

TEST_F(Measuring, AtMost64Candidates) {
  const Runtime rt = runtime();
  Ways::microseconds = {};
  Ways::candidate = [](int64_t index, char* text, int64_t) {
    return std::sprintf(text, index > 2 ? "no %d" : "way %d", static_cast<int>(index));
  };
  EXPECT_NE(plan(rt, measured(kMillisecond)), nullptr);
  EXPECT_EQ(Ways::asked, 64);
}

TEST_F(Measuring, RunsThatFail) {
  const Runtime rt = runtime();
  Ways::failing = XLASHAPE_STATUS_DEVICE;
  xlashape_plan* made = nullptr;
  Error err;
  EXPECT_EQ(measured().plan(rt, kRows, kColumns, &made, &err), XLASHAPE_STATUS_DEVICE);
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(err.source, 2u);
}

TEST_F(Measuring, MeasuredRunsAreNotVerified) {
  xlashape_runtime_options options = alone();
  options.verify_count = 1000;
  const Runtime rt = runtime(options);
  Ways::wrong = true;
  const Plan made = plan(rt, measured(kMillisecond));
  ASSERT_NE(made, nullptr);
  unsigned char from[128] = {}, to[128];
  EXPECT_EQ(xlashape_plan_execute(made.get(), from, 128, to, 128, nullptr), XLASHAPE_STATUS_INTERNAL);
}

TEST_F(Measuring, MemoryOfTheLibrary) {
  static int64_t held, given;
  static bool refuses;
  held = given = 0, refuses = false;
  auto allocator = XLASHAPE_INIT(xlashape_allocator);
  allocator.alloc = [](void*, size_t size, size_t alignment) -> void* {
    if (refuses && alignment == 4096) return nullptr;
    held += static_cast<int64_t>(size), given += static_cast<int64_t>(size);
    return api::aligned_memory(size, alignment);
  };
  allocator.free = [](void*, void* memory, size_t size, size_t alignment) {
    held -= static_cast<int64_t>(size);
    api::free_aligned(memory, alignment);
  };
  xlashape_runtime_options options = alone();
  options.allocator = &allocator;
  {
    const Runtime rt = runtime(options);
    const Plan kept = plan(rt, unmeasured());
    const int64_t one_plan = held, before = given;
    const Plan fast = plan(rt, measured());
    EXPECT_EQ(way_of(fast), "way 2");
    EXPECT_EQ(held, 2 * one_plan) << "what was measured on is given back";
    EXPECT_GE(given - before, one_plan + 256);
    xlashape_runtime_forget_wisdom(rt.get());
    refuses = true;
    EXPECT_EQ(refused(rt, measured(), XLASHAPE_STATUS_NO_MEMORY), "out of memory");
    EXPECT_EQ(held, 2 * one_plan);
    // A box far from position 0, and one that reaches below it.
    refuses = false;
    const int64_t base[] = {4, 8}, extent[] = {4, 8}, strides[] = {-16, -1};
    Request box = measured();
    box.options.src_base = box.options.dst_base = base, box.options.extent = extent;
    EXPECT_EQ(way_of(plan(rt, box)), "way 2");
    Request backwards = measured();
    backwards.options.src_byte_strides = strides;
    EXPECT_EQ(way_of(plan(rt, backwards)), "way 2");
  }
  EXPECT_EQ(held, 0);
}

TEST_F(Measuring, Predictions) {
  int64_t ns = 5;
  {
    const Runtime rt = runtime();
    const Plan of = plan(rt, unmeasured());
    Ways::predicted = 1234;
    ok(xlashape_plan_predict, of.get(), &ns);
    EXPECT_EQ(ns, 1234);
    EXPECT_EQ(Ways::predicted_for, 1);
    Ways::predicted = -1;
    Error err;
    EXPECT_EQ(xlashape_plan_predict(of.get(), &ns, &err), XLASHAPE_STATUS_UNSUPPORTED);
    EXPECT_THAT(err.message, HasSubstr("not measured"));
    EXPECT_EQ(ns, 0);
    Ways::predicted = 0;
    EXPECT_EQ(xlashape_plan_predict(of.get(), &ns, &err), XLASHAPE_STATUS_INTERNAL) << "nothing takes no time";
    EXPECT_EQ(xlashape_plan_predict(nullptr, &ns, nullptr), XLASHAPE_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(xlashape_plan_predict(of.get(), nullptr, nullptr), XLASHAPE_STATUS_INVALID_ARGUMENT);
  }
  // A backend without the slot, as those of older releases.
  const Runtime rt = runtime();
  Error err;
  EXPECT_EQ(xlashape_plan_predict(plan(rt, unmeasured()).get(), &ns, &err), XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_THAT(err.message, HasSubstr("does not predict"));
}

TEST_F(Measuring, OnTheExecutor) {
  const xlashape_executor executor = api::in_order(2);
  xlashape_runtime_options options = alone();
  options.executor = &executor;
  const Runtime rt = runtime(options);
  const Plan fast = plan(rt, measured());
  EXPECT_EQ(way_of(fast), "way 2");
  const Runtime single = runtime();
  int64_t taken = 0;
  const std::string text = wisdom_of(rt);
  EXPECT_EQ(
      xlashape_runtime_import_wisdom(single.get(), text.data(), static_cast<int64_t>(text.size()), &taken, nullptr),
      XLASHAPE_STATUS_OK);
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(way_of(plan(single, unmeasured())), "way 0") << "what two workers do says nothing of one";
}

TEST_F(Measuring, WisdomAsText) {
  const Runtime rt = runtime();
  const std::string head = wisdom_of(rt);
  api::answers_text(head, xlashape_runtime_export_wisdom, rt.get());
  plan(rt, measured());
  const std::string text = wisdom_of(rt);
  const auto import = [&](const Runtime& to, const std::string& given, int64_t* taken) {
    return xlashape_runtime_import_wisdom(to.get(), given.data(), static_cast<int64_t>(given.size()), taken, nullptr);
  };
  const Runtime other = runtime();
  int64_t taken = 7;
  EXPECT_EQ(import(other, text, &taken), XLASHAPE_STATUS_OK);
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(wisdom_of(other), text);
  EXPECT_EQ(way_of(plan(other, unmeasured())), "way 2");
  EXPECT_EQ(import(other, text, nullptr), XLASHAPE_STATUS_OK);
  // A choice that the backend does not take is as none.
  std::string strange = text;
  strange.replace(strange.size() - 6, 6, "way 9\n");
  EXPECT_EQ(import(other, strange, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(way_of(plan(other, unmeasured())), "way 0");
  EXPECT_EQ(way_of(plan(other, measured())), "way 2") << "so it is measured anew";

  taken = 7;
  const Error err = failure(XLASHAPE_STATUS_PARSE, [&](auto* e) {
    const std::string broken = head + "nonsense\n";
    return xlashape_runtime_import_wisdom(rt.get(), broken.data(), static_cast<int64_t>(broken.size()), &taken, e);
  });
  EXPECT_STREQ(err.message, "line 3: it does not begin with 32 hexadecimal digits");
  EXPECT_EQ(err.offset, static_cast<int64_t>(head.size()));
  EXPECT_EQ(taken, 7);
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_runtime_import_wisdom, rt.get(), "", -1, nullptr);
  xlashape_runtime_forget_wisdom(nullptr);  // that of the default runtime
}

// What a backend may be asked, and what it writes.
xlashape_status write_lines(const char* lines, char* text, int64_t capacity, int64_t* needed) {
  *needed = static_cast<int64_t>(std::strlen(lines)) + 1;
  if (*needed > capacity) return XLASHAPE_STATUS_OUT_OF_RANGE;
  std::memcpy(text, lines, static_cast<size_t>(*needed));
  return XLASHAPE_STATUS_OK;
}

struct Asked {
  std::string text = std::string(XLASHAPE_PROFILE_BYTES, '#');
  int64_t needed = -7;
  xlashape_status operator()(const Runtime& rt, const xlashape_calibrate_options* options = nullptr,
                             xlashape_error* err = nullptr) {
    text.assign(XLASHAPE_PROFILE_BYTES, '#');
    return xlashape_runtime_calibrate(rt.get(), options, text.data(), XLASHAPE_PROFILE_BYTES, &needed, err);
  }
  std::string profile() const { return text.c_str(); }
};

TEST_F(Measuring, Calibration) {
  static int64_t budget;
  Ways::calibrated = [](const xlashape_calibration& how, char* text, int64_t capacity, int64_t* needed) {
    EXPECT_EQ(how.executor->max_workers, 1u);
    int sum = 0;
    EXPECT_EQ(how.executor->parallel_for(
                  how.executor->opaque, 5, &sum,
                  [](void* opaque, int64_t i, uint32_t) { *static_cast<int*>(opaque) += static_cast<int>(i); }),
              0);
    EXPECT_EQ(sum, 10);
    EXPECT_GE(capacity, XLASHAPE_CALIBRATION_BYTES);
    budget = how.budget_ns;
    if (how.progress != nullptr)
      for (const int64_t done : {-1, 1, 5, 3, 99}) how.progress(how.progress_opaque, done, done < 0 ? 0 : 10);
    if (how.cancel != nullptr && *how.cancel != 0) return XLASHAPE_STATUS_CANCELLED;
    return write_lines("copy.ns = 12\nstream_bytes = 65536\n", text, capacity, needed);
  };
  const Runtime rt = runtime();
  Asked asked;
  Error err;
  ASSERT_EQ(asked(rt, nullptr, &err), XLASHAPE_STATUS_OK) << err.message;
  EXPECT_THAT(
      asked.profile(),
      MatchesAll("xlashape profile 1\nprocessor [-a-z0-9_.]+\n\\[ways\\]\ncopy.ns = 12\nstream_bytes = 65536\n"));
  EXPECT_EQ(asked.needed, static_cast<int64_t>(asked.profile().size()) + 1);
  EXPECT_EQ(budget, 10'000 * kMillisecond);

  static std::vector<int64_t> steps;
  steps.clear();
  auto options = XLASHAPE_INIT(xlashape_calibrate_options);
  options.budget_ns = 5;
  options.progress = [](void*, int64_t done, int64_t count) {
    EXPECT_LE(done, count);
    steps.push_back(done);
  };
  EXPECT_EQ(asked(rt, &options), XLASHAPE_STATUS_OK);
  EXPECT_EQ(budget, 5);
  EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
  EXPECT_EQ(steps.back(), 1000);
  int32_t cancel = 1;
  options.cancel = &cancel;
  EXPECT_EQ(asked(rt, &options), XLASHAPE_STATUS_CANCELLED);
  options.budget_ns = -1;
  EXPECT_EQ(message(XLASHAPE_STATUS_INVALID_ARGUMENT, [&](auto* e) { return asked(rt, &options, e); }),
            "options.budget_ns is -1, it must not be negative");
  options.flags = 2;
  EXPECT_THAT(message(XLASHAPE_STATUS_INCOMPATIBLE, [&](auto* e) { return asked(rt, &options, e); }),
              HasSubstr("flags 0x2"));
}

TEST_F(Measuring, CapacityOfAProfile) {
  static int calls;
  calls = 0;
  Ways::calibrated = [](const xlashape_calibration&, char* text, int64_t capacity, int64_t* needed) {
    ++calls;
    return write_lines("", text, capacity, needed);
  };
  const Runtime rt = runtime();
  int64_t needed = 0;
  ok(xlashape_runtime_calibrate, rt.get(), nullptr, nullptr, 0, &needed);
  EXPECT_EQ(needed, XLASHAPE_PROFILE_BYTES);
  char text[100];
  EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_runtime_calibrate, rt.get(), nullptr, text, 100, &needed),
              HasSubstr("the capacity is 100"));
  EXPECT_STREQ(text, "");
  EXPECT_EQ(calls, 0) << "nothing is measured in vain";
}

TEST_F(Measuring, CalibrationsThatAreNone) {
  Asked asked;
  EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, [&](auto* e) { return asked(runtime(), nullptr, e); }),
              StartsWith("no backend measures the machine"));
  const auto says = [&](const char* lines, int64_t more = 0) {
    Ways::calibrated = [=](const xlashape_calibration&, char* text, int64_t capacity, int64_t* needed) {
      const xlashape_status status = write_lines(lines, text, capacity, needed);
      *needed += more;
      return status;
    };
    const Runtime rt = runtime();
    Error err;
    EXPECT_EQ(asked(rt, nullptr, &err), XLASHAPE_STATUS_INTERNAL);
    EXPECT_EQ(err.source, 2u);
    EXPECT_EQ(asked.text, std::string(XLASHAPE_PROFILE_BYTES, '#'));
    return std::string(err.message);
  };
  EXPECT_EQ(says("a = 1"), "calibrate: line 1: the text ends before the line does");
  EXPECT_EQ(says("[b]\n"), "calibrate: line 1: [b], where \"key = number\" is expected");
  EXPECT_EQ(says("a = 1\na = 1\n"), "calibrate: line 2: a is given twice");
  EXPECT_EQ(says("a = 1\n", 1), "calibrate says that it wrote 8 bytes, there are 7");
}

// What executors must not do ends the calibration, and takes no backend out of use.
TEST_F(Measuring, ExecutorsWhileCalibrating) {
  using Task = void (*)(void*, int64_t, uint32_t);
  static std::function<int32_t(int64_t, void*, Task)> execute;
  Ways::calibrated = [](const xlashape_calibration& how, char* text, int64_t capacity, int64_t* needed) {
    std::array<std::atomic<int>, 3> runs = {};
    const auto run = [](void* all, int64_t i, uint32_t) {
      ++(*static_cast<decltype(runs)*>(all))[static_cast<size_t>(i)];
    };
    if (how.executor->parallel_for(how.executor->opaque, 3, &runs, run) != 0) return XLASHAPE_STATUS_CANCELLED;
    return write_lines("copy.ns = 12\n", text, capacity, needed);
  };
  auto executor = XLASHAPE_INIT(xlashape_executor);
  executor.max_workers = 4;
  executor.parallel_for = [](void*, int64_t count, void* opaque, Task task) { return execute(count, opaque, task); };
  xlashape_runtime_options options = alone();
  options.executor = &executor;
  const Runtime rt = runtime(options);
  Asked asked;
  const auto all = [](int64_t count, void* opaque, Task task) {
    for (int64_t i = 0; i < count; ++i) task(opaque, i, 0);
    return 0;
  };
  const std::function<int32_t(int64_t, void*, Task)> wrong[] = {
      [](int64_t, void*, Task) -> int32_t { throw std::runtime_error("mine"); },
      [](int64_t, void*, Task) -> int32_t { throw std::bad_alloc(); },
      [](int64_t, void*, Task) { return 0; },
      [&](int64_t count, void* opaque, Task task) { return all(count, opaque, task) + 1; },
      [&](int64_t count, void* opaque, Task task) { return task(opaque, 1, 0), all(count, opaque, task); },
      [&](int64_t count, void* opaque, Task task) { return task(opaque, -5, 0), all(count + 1000, opaque, task); }};
  for (const auto& one : wrong) {
    execute = one;
    Error err;
    EXPECT_EQ(asked(rt, nullptr, &err), XLASHAPE_STATUS_CANCELLED) << err.message;
  }
  execute = all;
  EXPECT_EQ(asked(rt), XLASHAPE_STATUS_OK);
  EXPECT_EQ(way_of(plan(rt, unmeasured())), "way 0");
}

// It is the program's, and not the backend's.
TEST_F(Measuring, ProgressThatThrowsWhileCalibrating) {
  Ways::calibrated = [](const xlashape_calibration& how, char* text, int64_t capacity, int64_t* needed) {
    for (int64_t done = 1; done < 9 && how.progress != nullptr; ++done) how.progress(how.progress_opaque, done, 10);
    return write_lines("copy.ns = 12\n", text, capacity, needed);
  };
  static int left;
  auto options = XLASHAPE_INIT(xlashape_calibrate_options);
  options.progress = [](void*, int64_t, int64_t) {
    if (left-- == 0) throw std::runtime_error("mine");
  };
  const Runtime rt = runtime();
  Asked asked;
  for (left = 0; left < 8; ++left) {
    const int before = left;
    Error err;
    EXPECT_EQ(asked(rt, &options, &err), XLASHAPE_STATUS_INTERNAL);
    EXPECT_THAT(err.message, HasSubstr("a function that the program gave"));
    left = before;
  }
  EXPECT_EQ(asked(rt), XLASHAPE_STATUS_OK);
  EXPECT_EQ(way_of(plan(rt, unmeasured())), "way 0");
}

TEST_F(Measuring, ProfileOfTheOptions) {
  Ways::calibrated = [](const xlashape_calibration&, char* text, int64_t capacity, int64_t* needed) {
    return write_lines("copy.ns = 12\n", text, capacity, needed);
  };
  Asked asked;
  ASSERT_EQ(asked(runtime()), XLASHAPE_STATUS_OK);
  EXPECT_EQ(Ways::given_count, 0) << "calibrating changes nothing";
  const std::string profile = asked.profile();
  xlashape_runtime_options options = alone();
  options.profile = profile.c_str();
  const Runtime rt = runtime(options);
  EXPECT_EQ(Ways::given, "copy.ns = 12\n");
  EXPECT_EQ(Ways::given_count, 1);
  EXPECT_THAT(report_of(rt), HasSubstr(": that of the options: used\n"));
  runtime(options, "other");
  EXPECT_EQ(Ways::given_count, 1) << "each has its own section";

  // A backend that refuses it works without.
  static std::vector<std::string> warnings;
  warnings.clear();
  auto logger = XLASHAPE_INIT(xlashape_logger);
  logger.log = [](void*, int32_t level, uint32_t, const char* text, int64_t) {
    if (level == XLASHAPE_LOG_WARNING) warnings.emplace_back(text);
  };
  options.logger = &logger;
  Ways::profile_status = XLASHAPE_STATUS_INVALID_ARGUMENT;
  const Runtime refusing = runtime(options);
  EXPECT_THAT(warnings, testing::ElementsAre("backend ways: it does not use the profile: these numbers cannot be"));
  EXPECT_THAT(report_of(refusing), HasSubstr("it does not use the profile: these numbers cannot be"));
  EXPECT_THAT(report_of(refusing), HasSubstr(": used, but not by ways\n"));
  EXPECT_EQ(way_of(plan(refusing, unmeasured())), "way 0");

  const std::string other = "xlashape profile 1\nprocessor vax\n[ways]\na = 1\n";
  options.profile = other.c_str();
  EXPECT_THAT(report_of(runtime(options)), HasSubstr(": that of the options: ignored: it is about vax\n"));
  EXPECT_EQ(Ways::given_count, 2);
  options.profile = "xlashape profile 1\n";
  const Error err = failure(XLASHAPE_STATUS_INVALID_ARGUMENT, [&](auto* e) {
    xlashape_runtime* made = nullptr;
    return xlashape_runtime_create(&options, &made, e);
  });
  EXPECT_STREQ(err.message, "options.profile: line 2: the text ends before the line does");
  EXPECT_EQ(err.offset, 19);
  options.profile = "";
  EXPECT_THAT(report_of(runtime(options)), HasSubstr(": none, as the options say\n"));
}

std::string path_of(const Runtime& rt) { return api::text_from(xlashape_runtime_profile_path, rt.get()); }

TEST_F(Measuring, ProfileOfAFile) {
  Ways::calibrated = [](const xlashape_calibration&, char* text, int64_t capacity, int64_t* needed) {
    return write_lines("copy.ns = 12\n", text, capacity, needed);
  };
  Asked asked;
  ASSERT_EQ(asked(runtime()), XLASHAPE_STATUS_OK);
  const xlashape_runtime_options reading = alone(kAlone & ~XLASHAPE_RUNTIME_NO_ENVIRONMENT);
  if (report_of(runtime(reading)).find("built with dynamic_backends=false") != std::string::npos)
    GTEST_SKIP() << "a library without a loader reads no files";
  const fs::path folder =
      fs::temp_directory_path() / ("xlashape_measuring_" + std::to_string(reinterpret_cast<uintptr_t>(&asked)));
  fs::create_directories(folder / "xlashape");
  fs::permissions(folder, fs::perms::owner_all);
  fs::permissions(folder / "xlashape", fs::perms::owner_all);
#ifdef _WIN32
  api::set_environment("LOCALAPPDATA", folder.string());
#else
  api::set_environment("XDG_CONFIG_HOME", folder.string());
#endif
  const std::string path = path_of(runtime(reading));
  EXPECT_EQ(fs::path(path).parent_path(), folder / "xlashape");
  EXPECT_EQ(Ways::given_count, 0);
  std::ofstream(path, std::ios::binary) << asked.profile();
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  const Runtime rt = runtime(reading);
  EXPECT_EQ(Ways::given, "copy.ns = 12\n") << report_of(rt);
  EXPECT_THAT(report_of(rt), HasSubstr(path + ": used\n"));
  api::answers_text(path, xlashape_runtime_profile_path, rt.get());
  api::set_environment("XLASHAPE_PROFILE", "none");
  const Runtime without = runtime(reading);
  EXPECT_THAT(report_of(without), AllOf(HasSubstr(": none: XLASHAPE_PROFILE is none\n"),
                                        HasSubstr("environment: XLASHAPE_PROFILE=none\n")));
  EXPECT_EQ(path_of(without), "");
  api::set_environment("XLASHAPE_PROFILE", path);
  EXPECT_EQ(path_of(runtime(reading)), path);
  EXPECT_EQ(Ways::given_count, 2);
  runtime();
  EXPECT_EQ(Ways::given_count, 2) << "no environment, no file";
  api::set_environment("XLASHAPE_PROFILE", "");
  fs::remove_all(folder);
}

}  // namespace
