// SPDX-License-Identifier: Apache-2.0
// Lists of executions, and executions that are watched and cancelled.
#include <gtest/gtest.h>
#include <pthread.h>

#include <array>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <xlashape.hpp>

namespace {

using xlashape::Control;
using xlashape::Execution;
using xlashape::Plan;
using xlashape::Result;
using xlashape::Runtime;
using xlashape::RuntimeOptions;
using xlashape::Shape;
using xlashape::Status;
using xlashape::Task;

const std::string kData = "abcdefghijkl", kTiled("aebfi\0j\0cgdhk\0l\0", 16);

Plan small() { return Plan::create(Shape::parse("u8[3,4]"), Shape::parse("u8[3,4]{0,1:T(2,2)}")); }

// A transpose that is cut into several tasks when it is watched, and memory for it.
struct Large {
  explicit Large(std::int32_t threads = 1) : plan(made(threads)), data(4 << 20, '\0'), out(4 << 20, '.') {
    std::iota(data.begin(), data.end(), char{0});
  }
  static Plan made(std::int32_t threads) {
    RuntimeOptions options;
    options.threads = threads;
    return Plan::create(Shape::parse("u8[2048,2048]"), Shape::parse("u8[2048,2048]{0,1}"), {},
                        Runtime::create(options));
  }
  xlashape_execute_options options() {
    xlashape_execute_options options = {};
    options.src = reinterpret_cast<std::uintptr_t>(data.data());
    options.dst = reinterpret_cast<std::uintptr_t>(out.data());
    options.src_bytes = options.dst_bytes = static_cast<std::int64_t>(data.size());
    return options;
  }
  std::vector<Execution> twice() { return {Execution(plan, data, out), Execution(plan, data, other)}; }

  Plan plan;
  std::string data, out, other = out;
};

TEST(ExecutionList, MovesEach) {
  const Plan floats = Plan::create(Shape::parse("f32[2,3]"), Shape::parse("f32[2,3]{0,1}"));
  const float from[6] = {0, 1, 2, 3, 4, 5};
  for (const bool throwing : {false, true}) {
    std::vector<float> to(6);
    std::string out(16, '.');
    std::array<std::byte, 16> bytes = {};
    const std::vector<Execution> list = {Execution(small(), kData, out), Execution(floats, from, to),
                                         Execution(small(), kData, bytes)};
    if (throwing)
      xlashape::execute_list(list);
    else
      ASSERT_TRUE(xlashape::try_execute_list(list));
    EXPECT_EQ(out, kTiled);
    EXPECT_EQ(to, (std::vector<float>{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), 16), kTiled);
  }
  EXPECT_TRUE(xlashape::try_execute_list({}));
}

TEST(ExecutionList, ChecksEachBeforeTheFirst) {
  std::string out(16, '.'), less(15, '.');
  const std::vector<double> wrong(2);
  const Plan plan = small();
  const Plan floats = Plan::create(Shape::parse("f32[4]"), Shape::parse("f32[4]"));
  const std::pair<Execution, const char*> bad[] = {
      {Execution(plan, kData.substr(1), out), "src has 11 bytes, 12 are wanted"},
      {Execution(plan, kData, less), "dst has 15 bytes, 16 are wanted"},
      {Execution(floats, wrong, out), "src is no range of f32: objects of another type, of 8 bytes"},
      {Execution(plan, xlashape::Span<const char>(out.data() + 4, 12), out), "src and dst overlap"},
      {Execution(Plan(), kData, out), "the plan is empty"},
  };
  for (const auto& [execution, text] : bad) {
    const std::vector<Execution> list = {Execution(plan, kData, out), execution};
    const Result<void> result = xlashape::try_execute_list(list);
    EXPECT_EQ(result.error().message(), text);
    EXPECT_EQ(result.error().index(), 1);
    EXPECT_THROW(xlashape::execute_list(list), xlashape::Exception);
    EXPECT_EQ(out, std::string(16, '.')) << "the first one ran";
  }
}

TEST(ExecutionList, TakesOfOptionsWhatIsForAll) {
  std::string out(16, '.');
  const std::vector<Execution> list = {Execution(small(), kData, out)};
  xlashape_execute_options options = {};
  options.queue.kind = XLASHAPE_QUEUE_CUDA;
  const Result<void> queued = xlashape::try_execute_list(list, {}, options);
  EXPECT_EQ(queued.error().status(), Status::kUnsupported);
  EXPECT_EQ(queued.error().index(), 0);
  options = {};
  options.src = 1;
  EXPECT_EQ(xlashape::try_execute_list(list, {}, options).error().status(), Status::kInvalidArgument);
}

TEST(Control, Cancels) {
  Large large;
  const std::string before = large.out;
  std::atomic<std::int32_t> cancel = 7;
  Control control;
  control.cancel = &cancel;
  EXPECT_EQ(large.plan.try_execute_with(large.options(), control).error().status(), Status::kCancelled);
  EXPECT_THROW(large.plan.execute_with(large.options(), control), xlashape::Exception);
  EXPECT_EQ(xlashape::try_execute_list(large.twice(), control).error().status(), Status::kCancelled);
  EXPECT_THROW(xlashape::execute_list(large.twice(), control), xlashape::Exception);
  control.progress = [](std::int64_t, std::int64_t) { ADD_FAILURE() << "a task ran"; };
  EXPECT_EQ(large.plan.try_execute_with(large.options(), control).error().status(), Status::kCancelled);
  // A number that was given for C counts as well.
  xlashape_execute_options options = large.options();
  const std::int32_t set = 1;
  options.cancel = &set;
  control.cancel = nullptr;
  EXPECT_EQ(large.plan.try_execute_with(options, control).error().status(), Status::kCancelled);
  EXPECT_EQ(large.out, before);
  cancel = 0;
  control = {};
  control.cancel = &cancel;
  ASSERT_TRUE(large.plan.try_execute_with(large.options(), control));
  EXPECT_NE(large.out, before);
}

TEST(Control, ProgressOfEachTask) {
  for (const std::int32_t threads : {1, 3}) {
    Large large(threads);
    std::string want(large.out);
    large.plan.execute(large.data, want);
    std::mutex lock;
    std::multiset<std::int64_t> heard;
    std::int64_t all = 0;
    Control control;
    control.progress = [&](std::int64_t done, std::int64_t count) {
      const std::lock_guard<std::mutex> guard(lock);
      heard.insert(done);
      all = count;
    };
    const auto complete = [&] {
      std::multiset<std::int64_t> numbers;
      for (std::int64_t i = 1; i <= all; ++i) numbers.insert(i);
      return all > 1 && std::exchange(heard, {}) == numbers;
    };
    large.plan.execute_with(large.options(), control);
    EXPECT_TRUE(complete());
    EXPECT_EQ(large.out, want);
    const std::int64_t one = all;
    ASSERT_TRUE(xlashape::try_execute_list(large.twice(), control));
    EXPECT_TRUE(complete());
    EXPECT_GT(all, one) << "of both plans";
    EXPECT_EQ(large.other, want);
  }
}

TEST(Control, ProgressCancels) {
  Large large;
  std::atomic<std::int32_t> cancel = 0;
  std::int64_t last = 0, all = 0;
  Control control;
  control.cancel = &cancel;
  control.progress = [&](std::int64_t done, std::int64_t count) {
    last = done;
    all = count;
    if (done == 2) cancel = 1;
  };
  const Result<void> result = large.plan.try_execute_with(large.options(), control);
  EXPECT_EQ(result.error().status(), Status::kCancelled);
  EXPECT_EQ(last, 2) << "tasks began after it was cancelled";
  EXPECT_GT(all, 2);
}

// Throws at task `at` of those that the calls have; 0: at the last one.
struct Thrower {
  Control control() {
    Control control;
    control.progress = [this](std::int64_t done, std::int64_t count) {
      ++calls;
      if (done == (at == 0 ? count : at)) throw std::out_of_range("mine");
    };
    return control;
  }
  int at;
  int calls = 0;
};

TEST(Control, WhatProgressThrowsComesOut) {
  Large want;
  want.plan.execute(want.data, want.out);
  for (const int at : {1, 2, 0}) {
    Large large;
    Thrower thrower{at};
    const Control control = thrower.control();
    EXPECT_THROW(large.plan.execute_with(large.options(), control), std::out_of_range);
    EXPECT_TRUE(at == 0 || thrower.calls == at) << "it went on";
    EXPECT_EQ(large.out == want.out, at == 0);
    EXPECT_THROW(xlashape::execute_list(large.twice(), control), std::out_of_range);
    for (const Result<void>& told :
         {large.plan.try_execute_with(large.options(), control), xlashape::try_execute_list(large.twice(), control)}) {
      EXPECT_EQ(told.error().status(), Status::kCancelled);
      EXPECT_EQ(told.error().message(), "mine");
    }
  }
  Large large;
  Control control;
  control.progress = [](std::int64_t, std::int64_t) { throw 3; };
  EXPECT_EQ(large.plan.try_execute_with(large.options(), control).error().message(), "progress threw");
  // Nothing is left over for the next call.
  EXPECT_TRUE(large.plan.try_execute_with(large.options()));
}

TEST(Control, WhatProgressThrowsOnManyThreads) {
  Large large(3);
  for (int i = 0; i < 20; ++i) {
    Control control;
    control.progress = [](std::int64_t, std::int64_t) { throw std::out_of_range("mine"); };
    EXPECT_THROW(large.plan.execute_with(large.options(), control), std::out_of_range);
  }
}

TEST(Control, CallsFromProgressAreTheirOwn) {
  RuntimeOptions options;
  options.executor = [](std::int64_t, const Task&) { throw std::out_of_range("inner"); };
  options.max_workers = 4;
  const Plan inner =
      Plan::create(Shape::parse("u8[2048,2048]"), Shape::parse("u8[2048,2048]{0,1}"), {}, Runtime::create(options));
  Large large;
  std::atomic<std::int32_t> cancel = 0;
  Control control;
  control.cancel = &cancel;
  control.progress = [&](std::int64_t, std::int64_t) {
    EXPECT_EQ(xlashape_plan_execute(inner.get(), large.data.data(), 4 << 20, large.other.data(), 4 << 20, nullptr),
              XLASHAPE_STATUS_CANCELLED);
    cancel = 1;
  };
  const Result<void> result = large.plan.try_execute_with(large.options(), control);
  EXPECT_EQ(result.error().status(), Status::kCancelled);
  EXPECT_NE(result.error().message(), "inner");
}

#if defined(__GLIBCXX__) && defined(__GLIBC__)
// Whether a thread that runs this is ended in it, and unwound.
template <class F>
bool ends_thread(const F& run) {
  bool unwound = false, returned = false;
  std::thread([&] {
    const struct Unwound {
      bool& unwound;
      ~Unwound() { unwound = xlashape::detail::Call::current() == nullptr; }
    } at_end{unwound};
    run();
    returned = true;
  }).join();
  return unwound && !returned;
}

TEST(Hooks, ThatEndTheirThread) {
  Large large;
  for (void (*leave)() : {+[] { pthread_exit(nullptr); },
                          +[] {
                            pthread_cancel(pthread_self());
                            pthread_testcancel();
                          }}) {
    Control control;
    control.progress = [leave](std::int64_t, std::int64_t) { leave(); };
    EXPECT_TRUE(ends_thread([&] { (void)large.plan.try_execute_with(large.options(), control); }));
    EXPECT_TRUE(ends_thread([&] { xlashape::execute_list(large.twice(), control); }));
    RuntimeOptions options;
    options.max_workers = 4;
    options.executor = [leave](std::int64_t, const Task&) { leave(); };
    const Plan plan =
        Plan::create(Shape::parse("u8[2048,2048]"), Shape::parse("u8[2048,2048]{0,1}"), {}, Runtime::create(options));
    EXPECT_TRUE(ends_thread([&] { plan.execute(large.data, large.out); }));
    options = {};
    options.flags = XLASHAPE_RUNTIME_LOAD_NOW;
    options.logger = [leave](std::int32_t, std::uint32_t, std::string_view) { leave(); };
    EXPECT_TRUE(ends_thread([&] { (void)Runtime::try_create(options); }));
  }
  large.plan.execute(large.data, large.out);  // and nothing is left of them
}
// Those that run a backend or a logger are unwound, too.
static_assert(!noexcept(std::declval<const Plan&>().task_count(1)) &&
              !noexcept(std::declval<const Plan&>().predict()) &&
              !noexcept(std::declval<const Runtime&>().backend_count()));
#endif

TEST(Control, OfIndexPlans) {
  const auto map = xlashape::IndexMap::of(Shape::parse("u8[1024,1024]{0,1:T(8,128)}"));
  const auto plan = xlashape::IndexPlan::create(map, xlashape::Conversion::kToMultidimensional);
  std::vector<std::int64_t> from(1 << 18), to(2 * from.size());
  std::iota(from.begin(), from.end(), 0);
  const auto count = static_cast<std::int64_t>(from.size());
  xlashape_execute_options options = {};
  options.src = reinterpret_cast<std::uintptr_t>(from.data()), options.src_bytes = 8 * count;
  options.dst = reinterpret_cast<std::uintptr_t>(to.data()), options.dst_bytes = 16 * count;
  const auto convert = [&](const Control& control) { return plan.try_execute_with(count, options, control); };
  Thrower never{-1}, last{0};
  EXPECT_EQ(convert(never.control()).value(), 0);
  EXPECT_GT(never.calls, 1);
  EXPECT_EQ(convert(last.control()).error().message(), "mine");
  EXPECT_THROW((void)plan.execute_with(count, options, last.control()), std::out_of_range);
  const std::atomic<std::int32_t> cancel = 1;
  Control control;
  control.cancel = &cancel;
  EXPECT_EQ(convert(control).error().status(), Status::kCancelled);
}

}  // namespace
