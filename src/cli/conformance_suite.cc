#include "conformance_suite.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "large_case.h"
#include "reference.h"
#include "stage.h"
#include "terminal.h"
#include "ways.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kAlignment = 4096;

struct Refused {};  // the plugin does not take this operation, which is its right

template <class... Args>
[[noreturn]] void wrong(fmt::format_string<Args...> format, Args&&... args) {
  throw Failure(kData, "INTERNAL", fmt::format(format, std::forward<Args>(args)...));
}

std::vector<uint8_t> copy_of(const Place& place) { return {place.all().begin(), place.all().end()}; }
void restore(const Place& place, const std::vector<uint8_t>& bytes) {
  std::copy(bytes.begin(), bytes.end(), place.all().begin());
}

// Runs the tasks on two backgrounds: a byte that changes on either was written, and no two tasks write the same one.
void test_tasks(Random& random, const Plan& plan, const xlashape_plan_requirements& needs, int64_t count,
                const Place& src, const Place& dst, const std::vector<uint8_t>& was, const Expected& expected) {
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
      // On what a task has written the next one must not write again: another background shows that it did.
      for (size_t at = 0; at < before.size(); ++at)
        if (owner[at] == task) now[at] = static_cast<uint8_t>(~now[at]);
      before.assign(now.begin(), now.end());
    }
  }
  restore(dst, was);
  const Way way = random_way(random, needs);
  execute(plan, needs, way, src.pointer(), dst.pointer());
  compare(expected, dst, was, way_text(way));
}

}  // namespace

template <class Body>
void Suite::run(int slot, const std::string& what, const Body& body) {
  std::snprintf(doing_.text, sizeof doing_.text, "%s", what.c_str());
  try {
    body();
    ++tally_.passed;
  } catch (const Refused&) {
    ++tally_.refused;
  } catch (const NotRun& reason) {
    notes_.push_back(fmt::format("not run: {}: {}", what, reason.why));
  } catch (const Failure& failure) {
    ++tally_.failed;
    watch_.blame(slot, what + ": " + failure.message);
  }
  doing_.text[0] = '\0';
}

Plan Suite::plan_of(const Request& request) {
  const int64_t inits = watch_.calls(kPlanInit), asked = watch_.problems(kPlanSize);
  try {
    return make_plan(runtime_, request);
  } catch (const Failure& failure) {
    // Not taken is a right; taken and not made is not.
    if (failure.code == "NOT_FOUND" && watch_.calls(kPlanInit) == inits && watch_.problems(kPlanSize) == asked)
      throw Refused();
    watch_.blame(kPlanInit, request_text(request) + ": " + failure.message);
    throw;
  }
}

void Suite::relayout(Random& random, Request request, bool nans) {
  request.backend = name_;
  run(kPlanExecute, request_text(request), [&] {
    const int64_t held = watch_.held();
    {
      const Plan plan = plan_of(request);
      const xlashape_plan_requirements needs = requirements_of(plan);
      const Side from(request.src, request.src_strides), to(request.dst, request.dst_strides);
      Place src(random, from.low(), from.high(), needs.src_alignment, random.chance(50));
      Place dst(random, to.low(), to.high(), needs.dst_alignment, random.chance(50));
      if (nans) fill_with_nans(src.inside(), value_bits(xlashape_shape_element_type(request.src.get())), 1);
      const std::vector<uint8_t> was = copy_of(dst), source = copy_of(src);
      const Expected expected = expected_result(request, from, to, src.inside(), dst.inside());
      {
        // A write to the source, even one that is taken back, and a read behind it, are the end of this process.
        if (random.chance(50)) src.region().forbid_writes();
        const Forbidden data(src.region().data(), src.region().size(), "writes to the source");
        const Forbidden behind(src.region().data() + src.region().size(), kGuardBytes,
                               "touches memory behind the source");
        const Forbidden behind_dst(dst.region().data() + dst.region().size(), kGuardBytes,
                                   "touches memory behind the destination");
        on_small_stack([&] {
          xlashape_error err = new_error();
          check(xlashape_plan_execute(plan.get(), src.pointer(), dst.pointer(), &err), err);
        });
        src.region().allow_writes();
      }
      compare(expected, dst, was, "in one go");
      describe(plan);
      for (const int64_t workers : {int64_t{2}, 1 + random.below(9)}) {
        const int64_t tasks = std::clamp<int64_t>(xlashape_plan_task_count(plan.get(), workers), workers, 64);
        test_tasks(random, plan, needs, tasks, src, dst, was, expected);
      }
      if (copy_of(src) != source) wrong("the source changed");
      if (random.chance(10)) copies(random, plan, request);
    }
    if (watch_.held() > held)
      watch_.blame(kPlanDestroy,
                   fmt::format("{}: keeps {} allocations of the host's", request_text(request), watch_.held() - held));
  });
}

// Three arrays by one call.
void Suite::copies(Random& random, const Plan& plan, const Request& request) {
  const xlashape_plan_requirements needs = requirements_of(plan);
  const Side from(request.src, request.src_strides), to(request.dst, request.dst_strides);
  const auto step = [](const Side& side, int64_t alignment) {
    return (side.high() - side.low() + 64 + alignment - 1) / alignment * alignment;
  };
  const int64_t src_step = step(from, needs.src_alignment), dst_step = step(to, needs.dst_alignment);
  Place src(random, from.low(), from.high() + 2 * src_step, needs.src_alignment, false);
  Place dst(random, to.low(), to.high() + 2 * dst_step, needs.dst_alignment, false);
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
  xlashape_error err = new_error();
  check(xlashape_plan_execute_batch(plan.get(), 3, src.pointer(), src_step, dst.pointer(), dst_step, &err), err);
  compare(expected, dst, was, "three arrays at once");
}

void Suite::every_element_type() {
  Random random(7);
  static constexpr const char* kLayouts[][2] = {
      {"{1,0}", "{0,1}"},           {"{1,0}", "{1,0:T(2,4)}"},          {"{0,1:T(4,4)}", "{1,0}"},
      {"{1,0}", "{1,0:E(32)}"},     {"{1,0:PD(6,9)}", "{0,1:PD(5,8)}"}, {"{1,0:T(3,5)(2,1)}", "{0,1:T(2,4)(2,1)}"},
      {"{1,0:L(16)}", "{0,1:L(8)}"}};
  for (xlashape_element_type type = 0; type < 64; ++type) {
    if ((xlashape_element_type_classes(type) & XLASHAPE_CLASS_ARRAY) == 0) continue;
    const Shape plain = array_shape(type, {5, 7}, row_major(2));
    for (const auto& [from, to] : kLayouts) {
      Request request;
      request.src = with_layout(plain, parse_layout(from));
      if (std::strstr(to, "E(32)") != nullptr && value_bits(type) > 32) continue;
      request.dst = with_layout(plain, parse_layout(to));
      for (const bool nans : {false, true}) relayout(random, request, nans);
    }
  }
}

void Suite::random_relayouts(int64_t count, uint64_t seed) {
  for (int64_t i = 0; i < count; ++i) {
    Random random(seed * 0x2545f4914f6cdd1d + static_cast<uint64_t>(i));
    relayout(random, random_request(random), false);
  }
}

void Suite::batch(Random& random, const Shape& shape) {
  const IndexMap map = index_map_of(shape);
  const Numbers dimensions = dimensions_of(shape);
  const auto rank = static_cast<int64_t>(dimensions.size());
  const int64_t storage = xlashape_index_map_storage_elements(map.get());
  const int64_t count = 1 + random.below(200), gap = random.below(3);
  const bool by_dimension = random.chance(30);
  const int64_t index_step = by_dimension ? 1 : rank + gap, across = by_dimension ? count + gap : 1;
  const size_t room = static_cast<size_t>(std::max<int64_t>((rank + gap) * count + count * (rank + 1) + gap * rank, 1));
  // A linear index may be padding, or outside; most are neither.
  Numbers linear(static_cast<size_t>(count)), indices(room, -99), back(static_cast<size_t>(count) + 8, -99);
  std::vector<Numbers> wanted;
  std::vector<bool> good;
  for (int64_t i = 0; i < count; ++i) {
    linear[static_cast<size_t>(i)] =
        random.chance(3) ? storage + random.below(3) : random.below(std::max<int64_t>(storage, 1));
    Numbers index(static_cast<size_t>(rank) + 1);
    xlashape_error err = new_error();
    good.push_back(xlashape_index_map_multidimensional_index(map.get(), linear[static_cast<size_t>(i)], index.data(),
                                                             rank, nullptr, &err) == XLASHAPE_OK);
    wanted.push_back(index);
  }
  const auto bad_total = std::count(good.begin(), good.end(), false);
  const auto first_bad = std::find(good.begin(), good.end(), false) - good.begin();
  xlashape_error err = new_error();
  int64_t bad = -1;
  // Marking: everything is answered.
  check(xlashape_index_map_multidimensional_indices(runtime_.get(), map.get(), count, linear.data(), indices.data(),
                                                    index_step, across, XLASHAPE_MARK_BAD, &bad, &err),
        err);
  if (bad != bad_total) wrong("{} bad entries are counted, there are {}", bad, bad_total);
  std::vector<bool> written(indices.size(), false);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t d = 0; d < rank; ++d) {
      const auto at = static_cast<size_t>(i * index_step + d * across), k = static_cast<size_t>(i);
      const int64_t want = good[k] ? wanted[k][static_cast<size_t>(d)] : -1;
      written[at] = true;
      if (indices[at] != want) wrong("position {}: index {} is {}, must be {}", linear[k], d, indices[at], want);
    }
  for (size_t at = 0; at < indices.size(); ++at)
    if (!written[at] && indices[at] != -99) wrong("entry {} was written, which is no index", at);
  // And back, where the bad ones are now -1.
  check(xlashape_index_map_linear_indices(runtime_.get(), map.get(), count, indices.data(), index_step, across,
                                          back.data(), XLASHAPE_MARK_BAD, &bad, &err),
        err);
  if (rank > 0 && bad != bad_total) wrong("{} bad indices are counted, there are {}", bad, bad_total);
  for (int64_t i = 0; i < count && rank > 0; ++i) {
    const auto k = static_cast<size_t>(i);
    const int64_t want = good[k] ? linear[k] : -1;
    if (back[k] != want) wrong("index {}: position is {}, must be {}", i, back[k], want);
  }
  for (size_t at = static_cast<size_t>(count); at < back.size(); ++at)
    if (back[at] != -99) wrong("wrote past the {} results", count);
  // Stopping: the smallest bad one is told.
  bad = -1;
  const xlashape_status status = xlashape_index_map_multidimensional_indices(
      runtime_.get(), map.get(), count, linear.data(), indices.data(), index_step, across, 0, &bad, &err);
  if ((status == XLASHAPE_OK) != (bad_total == 0))
    wrong("{} bad entries, and the answer is {}", bad_total, xlashape_status_name(status));
  if (bad_total > 0 && err.index != first_bad)
    wrong("stops at entry {}, the first bad one is {}", err.index, first_bad);
}

// The same by a plan of its own: in tasks in any order, with byte offsets, each task telling what was bad among its own.
void Suite::index_plan(Random& random, const Shape& shape) {
  const IndexMap map = index_map_of(shape);
  const int64_t rank = static_cast<int64_t>(dimensions_of(shape).size());
  const int64_t storage = xlashape_index_map_storage_elements(map.get());
  xlashape_index_options options = {};
  options.struct_size = sizeof options;
  options.flags = XLASHAPE_MARK_BAD;
  options.backend = name_.c_str();
  Plan plan;
  xlashape_error err = new_error();
  if (xlashape_index_plan_create(runtime_.get(), map.get(), XLASHAPE_TO_MULTIDIMENSIONAL, &options, plan.out(), &err) !=
      XLASHAPE_OK)
    throw Refused();
  const int64_t count = 1 + random.below(700), skipped = random.below(9), tasks = 1 + random.below(64);
  Numbers linear(static_cast<size_t>(count + skipped)), index(static_cast<size_t>((count + skipped) * rank + 1), -99);
  Numbers wanted = index;
  int64_t bad_wanted = 0, bad_found = 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<size_t>(i + skipped);
    linear[at] = random.chance(3) ? storage : random.below(std::max<int64_t>(storage, 1));
    const bool good = xlashape_index_map_multidimensional_index(map.get(), linear[at],
                                                                wanted.data() + static_cast<size_t>(skipped + i * rank),
                                                                rank, nullptr, nullptr) == XLASHAPE_OK;
    bad_wanted += !good;
    for (int64_t d = 0; d < rank && !good; ++d) wanted[static_cast<size_t>(skipped + i * rank + d)] = -1;
  }
  for (const int64_t task : shuffled(random, tasks)) {
    xlashape_exec exec = {};
    exec.struct_size = sizeof exec;
    exec.src = reinterpret_cast<uintptr_t>(linear.data());
    exec.dst = reinterpret_cast<uintptr_t>(index.data());
    exec.src_byte_offset = exec.dst_byte_offset = 8 * skipped;
    exec.task_begin = task;
    exec.task_end = task + 1;
    exec.task_count = tasks;
    exec.count = count;
    int64_t bad = 0;
    exec.bad = &bad;
    on_small_stack([&] { check(xlashape_plan_execute_ex(plan.get(), &exec, &err), err); });
    bad_found += bad;
  }
  if (bad_found != bad_wanted)
    wrong("in {} tasks, byte offset {}: {} bad entries are counted, there are {}", tasks, 8 * skipped, bad_found,
          bad_wanted);
  for (size_t at = 0; at < index.size(); ++at)
    if (index[at] != wanted[at])
      wrong("in {} tasks, byte offset {}: entry {} is {}, must be {}", tasks, 8 * skipped,
            static_cast<int64_t>(at) - skipped, index[at], wanted[at]);
}

void Suite::index_batches(int64_t count, uint64_t seed) {
  for (int64_t i = 0; i < count; ++i) {
    Random random(seed * 0x9E3779B97F4A7C15u + static_cast<uint64_t>(i));
    // Positions need no memory: every fifth array is far larger than any.
    const Shape shape = i % 5 == 4 ? far_request(random).src : random_request(random).src;
    run(kIndices, "indices of " + text_of(shape), [&] {
      const int64_t calls = watch_.calls(kIndices);
      batch(random, shape);
      if (watch_.calls(kIndices) == calls) throw Refused();
    });
    if (i % 4 == 3) run(kIndices, "an index plan of " + text_of(shape), [&] { index_plan(random, shape); });
  }
}

void Suite::many_threads() {
  Request request;
  const Shape plain = parse_shape("u16[120,70]{1,0}");
  request.src = plain;
  request.dst = with_layout(plain, parse_layout("{0,1:T(8,16)}"));
  request.backend = name_;
  run(kPlanExecute, "eight threads with one plan, " + request_text(request), [&] {
    Plan plan;
    try {
      plan = make_plan(runtime_, request);
    } catch (const Failure&) {
      throw Refused();
    }
    const Side from(request.src, {}), to(request.dst, {});
    Random random(11);
    const Place src(random, from.low(), from.high(), kAlignment, false);
    std::vector<Place> areas;
    for (int i = 0; i < 8; ++i) areas.emplace_back(random, to.low(), to.high(), kAlignment, false);
    std::vector<std::vector<uint8_t>> was;
    std::vector<Expected> expected;
    for (const Place& area : areas) {
      was.push_back(copy_of(area));
      expected.push_back(expected_result(request, from, to, src.inside(), area.inside()));
    }
    std::vector<std::thread> threads;
    for (const Place& area : areas)
      threads.emplace_back([&] {
        for (int round = 0; round < 20; ++round)
          xlashape_plan_execute(plan.get(), src.pointer(), area.pointer(), nullptr);
      });
    for (auto& thread : threads) thread.join();
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
        watch_.refuse_memory_after(allowed);
        try {
          make_plan(runtime_, request);
        } catch (const Failure&) {  // it may say no, and must live
        }
        watch_.allow_memory();
        if (watch_.held() != held) wrong("keeps {} allocations of the host's", watch_.held() - held);
      });
    }
}

void Suite::real_sizes(int64_t count, uint64_t seed, double seconds) {
  const double start = seconds_now();
  for (int64_t i = 0; i < count; ++i) {
    if (seconds_now() - start > seconds) {
      notes_.push_back(
          fmt::format("not reached in {:.0f} s: {} of {} large relayouts (--seconds)", seconds, count - i, count));
      return;
    }
    Random random(seed * 0xD1B54A32D192ED03u + static_cast<uint64_t>(i));
    Request request = large_request(random);
    request.backend = name_;
    run(kPlanExecute, request_text(request), [&] {
      Trial trial;
      trial.guarded = true;
      trial.stage = on_small_stack;
      try_large(random, plan_of(request), request, trial, &tally_.bytes);
      ++tally_.large;
    });
  }
}

void Suite::far_boxes(int64_t count, uint64_t seed, double seconds) {
  const double start = seconds_now();
  for (int64_t i = 0; i < count; ++i) {
    if (seconds_now() - start > seconds) {
      notes_.push_back(
          fmt::format("not reached in {:.0f} s: {} of {} far boxes (--seconds)", seconds, count - i, count));
      return;
    }
    Random random(seed * 0x8CB92BA72F3D8DD7u + static_cast<uint64_t>(i));
    Request request = far_request(random);
    request.backend = name_;
    run(kPlanExecute, request_text(request), [&] {
      Trial trial;
      trial.stage = on_small_stack;
      try_far(random, plan_of(request), request, trial, &tally_.bytes);
      ++tally_.far;
    });
  }
}

void Suite::vast_ones(uint64_t seed, double seconds) {
  Random random(seed);
  for (const int64_t number : {(seed + 4) % kVastRequests, (seed + 2) % kVastRequests}) {
    Request request = vast_request(static_cast<int>(number));
    request.backend = name_;
    run(kPlanExecute, request_text(request), [&] {
      plan_of(request);
      try_vast(random, runtime_, request, seconds, &tally_.bytes);
      ++tally_.vast;
    });
  }
}

// What a plan takes by malloc or new it gives back: made and released again and again, it takes no more.
void Suite::no_leaks() {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
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
      // Caches fill once; what goes on growing is lost.
      if (std::min(growth[1], growth[2]) >= 8 * kRounds)
        wrong("{} plans keep {} bytes that they took by malloc or new", kRounds, std::min(growth[1], growth[2]));
    });
  }
#endif
}

}  // namespace xlashape::cli
