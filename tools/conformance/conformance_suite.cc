// SPDX-License-Identifier: Apache-2.0
#include "conformance_suite.h"

#include <fmt/core.h>
#include <malloc.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "cli/base/clock.h"
#include "cli/execution/execution.h"
#include "cli/execution/reference.h"
#include "cli/output/terminal.h"
#include "cli/random_cases/execution_mode.h"
#include "cli/random_cases/random_case.h"
#include "cli/random_cases/stage.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kAlignment = 4096;

std::vector<uint8_t> copy_of(const RegionPlace& place) { return {place.all().begin(), place.all().end()}; }
void restore(const RegionPlace& place, const std::vector<uint8_t>& bytes) {
  std::copy(bytes.begin(), bytes.end(), place.all().begin());
}

// As in C: the first call gets the size, the second the text.
void describe(const Plan& plan) {
  Error error;
  const auto ask = [&](char* text, int64_t capacity) {
    int64_t needed = 0;
    if (xlashape_plan_describe(plan.get(), text, capacity, &needed, error.record()) != XLASHAPE_STATUS_OK)
      throw Exception(error);
    return needed;
  };
  std::string text(static_cast<size_t>(std::max<int64_t>(ask(nullptr, 0), 1)), '\0');
  ask(text.data(), static_cast<int64_t>(text.size()));
}

// Runs the tasks on two backgrounds: a byte that changes on either was written. No two tasks may write the same byte.
void test_tasks(Random& random, const Plan& plan, const xlashape_plan_requirements& needs, int64_t count,
                const RegionPlace& src, const RegionPlace& dst, const std::vector<uint8_t>& was,
                const Expected& expected) {
  const std::span<uint8_t> now = dst.all();
  std::vector<int64_t> owner(was.size(), -1);
  for (const uint8_t mask : {uint8_t{0xFF}, uint8_t{0x00}}) {
    for (size_t at = 0; at < was.size(); ++at) now[at] = static_cast<uint8_t>(was[at] ^ mask);
    std::vector<uint8_t> before = copy_of(dst);
    for (const int64_t task : shuffled(random, count)) {
      execute_tasks(plan, src.pointer(), dst.pointer(), task, task + 1, count);
      for (size_t at = 0; at < before.size(); ++at) {
        if (now[at] == before[at]) continue;
        if (owner[at] >= 0 && owner[at] != task)
          wrong("tasks {} and {} of {} both write byte {} of the destination", owner[at], task, count,
                static_cast<int64_t>(at) - dst.before());
        owner[at] = task;
      }
      // A later task must not write what an earlier one has written: a second background shows where it does.
      for (size_t at = 0; at < before.size(); ++at)
        if (owner[at] == task) now[at] = static_cast<uint8_t>(~now[at]);
      before.assign(now.begin(), now.end());
    }
  }
  restore(dst, was);
  const ExecutionMode mode = random_mode(random, needs);
  execute(plan, needs, mode, src.pointer(), dst.pointer());
  compare(expected, dst, was, mode_text(mode));
}

}  // namespace

Plan Suite::plan_of(const Request& request) {
  const int64_t inits = watch_.calls(kPlanInit), asked = watch_.problems(kPlanSize);
  Result<Plan> plan = try_plan(runtime_, request);
  if (plan) return *std::move(plan);
  // A plugin may refuse an operation, but must make the plans that it accepts.
  const Error& error = plan.error();
  if (error.status() == Status::kNotFound && watch_.calls(kPlanInit) == inits && watch_.problems(kPlanSize) == asked)
    throw Refused();
  watch_.blame(kPlanInit, request_text(request) + ": " + error.c_str());
  throw Exception(error);
}

void Suite::relayout(Random& random, Request request, bool nans) {
  request.backend = name_;
  run(kPlanExecute, request_text(request), [&] {
    const int64_t held = watch_.held();
    {
      const Plan plan = plan_of(request);
      const xlashape_plan_requirements needs = plan.requirements();
      const ElementOffsets from = ElementOffsets::of_source(request), to = ElementOffsets::of_destination(request);
      check_requirements(needs, from, to);
      RegionPlace src(random, from.low(), from.high(), needs.src_alignment, random.chance(50));
      RegionPlace dst(random, to.low(), to.high(), needs.dst_alignment, random.chance(50));
      if (nans) fill_with_nans(src.inside(), value_bits(request.src.element_type()), 1);
      const std::vector<uint8_t> was = copy_of(dst), source = copy_of(src);
      std::optional<OneValue> values;
      if (request.flags & XLASHAPE_PLAN_CONVERT) values.emplace(runtime_, request);
      const Expected expected =
          expected_result(request, from, to, src.inside(), dst.inside(), values ? &*values : nullptr);
      {
        // A write to the source, even one that is undone, and a read behind it end this process.
        if (random.chance(50)) src.region().forbid_writes();
        const Forbidden data(src.region().data(), src.region().size(), "writes to the source");
        const Forbidden behind(src.region().data() + src.region().size(), kGuardBytes,
                               "touches memory behind the source");
        const Forbidden behind_dst(dst.region().data() + dst.region().size(), kGuardBytes,
                                   "touches memory behind the destination");
        on_small_stack([&] { plan.execute_at(src.pointer(), dst.pointer()); });
        src.region().allow_writes();
      }
      compare(expected, dst, was, "in one go");
      describe(plan);
      for (const int64_t workers : {int64_t{2}, 1 + random.below(9)}) {
        const int64_t tasks = std::clamp<int64_t>(plan.task_count(workers), workers, 64);
        test_tasks(random, plan, needs, tasks, src, dst, was, expected);
      }
      compare_source(src, source);
      if (!values && random.chance(10)) copies(random, plan, request);
    }
    if (watch_.held() > held)
      watch_.blame(kPlanDestroy,
                   fmt::format("{}: keeps {} allocations of the host's", request_text(request), watch_.held() - held));
  });
}

// Three arrays by one plan.
void Suite::copies(Random& random, const Plan& plan, const Request& request) {
  const xlashape_plan_requirements needs = plan.requirements();
  const ElementOffsets from = ElementOffsets::of_source(request), to = ElementOffsets::of_destination(request);
  const auto step = [](const ElementOffsets& side, int64_t alignment) {
    return (side.high() - side.low() + 64 + alignment - 1) / alignment * alignment;
  };
  const int64_t src_step = step(from, needs.src_alignment), dst_step = step(to, needs.dst_alignment);
  RegionPlace src(random, from.low(), from.high() + 2 * src_step, needs.src_alignment, false);
  RegionPlace dst(random, to.low(), to.high() + 2 * dst_step, needs.dst_alignment, false);
  const std::vector<uint8_t> was = copy_of(dst);
  Expected expected;
  expected.bytes.assign(dst.inside().begin(), dst.inside().end());
  expected.known.assign(expected.bytes.size(), 0xFF);
  const auto size = static_cast<size_t>(to.high() - to.low());
  for (int64_t i = 0; i < 3; ++i) {
    const auto at = static_cast<size_t>(i * dst_step);
    const Expected one = expected_result(
        request, from, to,
        Bytes(src.inside()).subspan(static_cast<size_t>(i * src_step), static_cast<size_t>(from.high() - from.low())),
        Bytes(dst.inside()).subspan(at, size));
    std::copy(one.bytes.begin(), one.bytes.end(), expected.bytes.begin() + static_cast<int64_t>(at));
    std::copy(one.known.begin(), one.known.end(), expected.known.begin() + static_cast<int64_t>(at));
  }
  for (int64_t i = 0; i < 3; ++i) plan.execute_at(src.pointer() + i * src_step, dst.pointer() + i * dst_step);
  compare(expected, dst, was, "three arrays by one plan");
}

void Suite::every_element_type() {
  Random random(7);
  static constexpr const char* kLayouts[][2] = {
      {"{1,0}", "{0,1}"},           {"{1,0}", "{1,0:T(2,4)}"},          {"{0,1:T(4,4)}", "{1,0}"},
      {"{1,0}", "{1,0:E(32)}"},     {"{1,0:PD(6,9)}", "{0,1:PD(5,8)}"}, {"{1,0:T(3,5)(2,1)}", "{0,1:T(2,4)(2,1)}"},
      {"{1,0:L(16)}", "{0,1:L(8)}"}};
  for (int32_t number = 0; number < 64; ++number) {
    const auto type = static_cast<ElementType>(number);
    if ((classes(type) & XLASHAPE_CLASS_ARRAY) == 0) continue;
    const Shape plain = Shape::array(type, {5, 7}, Layout::row_major(2));
    for (const auto& [from, to] : kLayouts) {
      Request request;
      request.src = plain.with_layout(Layout::parse(from));
      if (std::strstr(to, "E(32)") != nullptr && value_bits(type) > 32) continue;
      request.dst = plain.with_layout(Layout::parse(to));
      for (const bool nans : {false, true}) relayout(random, request, nans);
    }
  }
}

void Suite::random_relayouts(int64_t count, uint64_t seed) {
  for (int64_t i = 0; i < count; ++i) {
    Random random(seed * 0x2545f4914f6cdd1d + static_cast<uint64_t>(i));
    relayout(random, i % 6 == 5 ? random_value_request(random) : random_request(random), false);
  }
}

void Suite::many_threads() {
  Request request;
  const Shape plain = Shape::parse("u16[120,70]{1,0}");
  request.src = plain;
  request.dst = plain.with_layout(Layout::parse("{0,1:T(8,16)}"));
  request.backend = name_;
  run(kPlanExecute, "eight threads with one plan, " + request_text(request), [&] {
    const Plan plan = plan_of(request);
    const ElementOffsets from = ElementOffsets::of_source(request), to = ElementOffsets::of_destination(request);
    Random random(11);
    const RegionPlace src(random, from.low(), from.high(), kAlignment, false);
    std::vector<RegionPlace> areas;
    areas.reserve(8);
    for (int i = 0; i < 8; ++i) areas.emplace_back(random, to.low(), to.high(), kAlignment, false);
    std::vector<std::vector<uint8_t>> was;
    std::vector<Expected> expected;
    for (const RegionPlace& area : areas) {
      was.push_back(copy_of(area));
      expected.push_back(expected_result(request, from, to, src.inside(), area.inside()));
    }
    const auto fill = [&](int area) {
      for (int round = 0; round < 20; ++round)
        static_cast<void>(plan.try_execute_at(src.pointer(), areas[static_cast<size_t>(area)].pointer()));
    };
    for (int i = on_threads(8, fill); i < 8; ++i) fill(i);  // the system may give fewer threads
    for (size_t i = 0; i < areas.size(); ++i) compare(expected[i], areas[i], was[i], "with other threads");
  });
}

void Suite::no_memory() {
  Random random(13);
  for (int64_t allowed = 0; allowed < 4; ++allowed)
    for (int i = 0; i < 20; ++i) {
      Request request = random_request(random);
      request.backend = name_;
      run(kPlanInit, fmt::format("memory runs out after {} allocations, {}", allowed, request_text(request)), [&] {
        const int64_t held = watch_.held();
        const int64_t inits = watch_.calls(kPlanInit);
        watch_.refuse_memory_after(allowed);
        static_cast<void>(try_plan(runtime_, request));  // it may refuse, but must not crash
        watch_.allow_memory();
        if (watch_.held() != held) wrong("keeps {} allocations of the host's", watch_.held() - held);
        if (watch_.calls(kPlanInit) == inits) throw Refused();
      });
    }
}

template <class Each>
void Suite::in_time(double seconds, int64_t count, const char* kind, const Each& each) {
  const double start = seconds_now();
  for (int64_t i = 0; i < count; ++i) {
    if (seconds_now() - start > seconds) {
      notes_.push_back(
          fmt::format("not reached in {:.0f} s: {} of {} {} (--seconds)", seconds, count - i, count, kind));
      return;
    }
    each(static_cast<uint64_t>(i));
  }
}

void Suite::real_sizes(int64_t count, uint64_t seed, double seconds) {
  in_time(seconds, count, "large relayouts", [&](uint64_t i) {
    Random random(seed * 0xD1B54A32D192ED03u + i);
    Request request = large_request(random);
    request.backend = name_;
    run(kPlanExecute, request_text(request), [&] {
      CaseOptions case_options;
      case_options.guarded = true;
      case_options.stage = on_small_stack;
      try_large(random, plan_of(request), request, case_options, &tally_.bytes);
      ++tally_.large;
    });
  });
}

void Suite::sparse_boxes(int64_t count, uint64_t seed, double seconds) {
  in_time(seconds, count, "sparse boxes", [&](uint64_t i) {
    Random random(seed * 0x8CB92BA72F3D8DD7u + i);
    Request request = sparse_request(random);
    request.backend = name_;
    run(kPlanExecute, request_text(request), [&] {
      CaseOptions case_options;
      case_options.stage = on_small_stack;
      try_sparse(random, plan_of(request), request, case_options, &tally_.bytes);
      ++tally_.sparse;
    });
  });
}

void Suite::huge_ones(uint64_t seed, double seconds) {
  Random random(seed);
  // Only two of them, which depend on the seed: all would take too long.
  for (const uint64_t number : {(seed + 4) % kHugeRequests, (seed + 2) % kHugeRequests}) {
    Request request = huge_request(static_cast<int>(number));
    request.backend = name_;
    run(kPlanExecute, request_text(request), [&] {
      plan_of(request);
      try_huge(random, runtime_, request, seconds, &tally_.bytes);
      ++tally_.huge;
    });
  }
}

// A plan frees what it takes by malloc or new: making and releasing it again and again must not take more memory.
void Suite::no_leaks() {
#if defined(__GLIBC__) && __GLIBC__ == 2 && __GLIBC_MINOR__ >= 33
  const auto taken = [] {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<int64_t>(info.uordblks + info.hblkhd);
  };
  constexpr int kRounds = 32;
  Random random(17);
  for (int i = 0; i < 12; ++i) {
    Request request = random_request(random);
    request.backend = name_;
    run(kPlanDestroy, "made and released again and again, " + request_text(request), [&] {
      const Plan kept = plan_of(request);
      int64_t growth[3] = {};
      for (int64_t& grown : growth) {
        const int64_t before = taken();
        for (int round = 0; round < kRounds; ++round) plan_of(request);
        grown = taken() - before;
      }
      // Caches fill once; memory that keeps growing is leaked.
      if (std::min(growth[1], growth[2]) >= 8 * kRounds)
        wrong("{} plans keep {} bytes that they took by malloc or new", kRounds, std::min(growth[1], growth[2]));
    });
  }
#endif
}

}  // namespace xlashape::cli
