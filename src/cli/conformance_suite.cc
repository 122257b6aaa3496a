#include "conformance_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "reference.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kGuard = 256, kAlignment = 4096;

struct Refused {};  // the plugin does not take this operation, which is its right

template <class... Args>
[[noreturn]] void wrong(fmt::format_string<Args...> format, Args&&... args) {
  throw Failure(kData, "INTERNAL", fmt::format(format, std::forward<Args>(args)...));
}

// Memory for one side: noise, with guards around it. The pointer, `-low` bytes in, is a multiple of `alignment`, and of
// nothing more.
class Area {
 public:
  Area(Random& random, const Side& side, int64_t alignment) : low_(side.low()), size_(side.high() - side.low()) {
    bytes_.resize(static_cast<size_t>(2 * kGuard + size_ + 2 * kAlignment));
    for (auto& byte : bytes_) byte = static_cast<uint8_t>(random.next());
    const auto first = reinterpret_cast<uintptr_t>(bytes_.data()) + kGuard - static_cast<uint64_t>(low_);
    const auto step = static_cast<uint64_t>(alignment);
    uint64_t pointer = (first + step - 1) / step * step;
    if (pointer % (2 * step) == 0) pointer += step;
    before_ = static_cast<int64_t>(pointer - reinterpret_cast<uintptr_t>(bytes_.data())) + low_;
  }
  uint8_t* pointer() { return bytes_.data() + before_ - low_; }
  Bytes inside() const { return Bytes(bytes_).subspan(static_cast<size_t>(before_), static_cast<size_t>(size_)); }
  std::vector<uint8_t>& bytes() { return bytes_; }
  int64_t before() const { return before_; }

  // Numbers that arithmetic would not leave alone: signalling NaNs, denormals, negative zero.
  void fill_with_nans(int64_t bits) {
    static constexpr uint64_t kWords[3][4] = {{0x7C01, 0xFE01, 0x0001, 0x7F81},
                                              {0x7F800001, 0xFF812345, 0x00000001, 0x80000000},
                                              {0x7FF0000000000001, 0xFFF7123456789ABC, 1, 0x8000000000000000}};
    const int64_t width = std::clamp<int64_t>(bits, 16, 64) / 8;
    const auto& words = kWords[width == 2 ? 0 : width == 4 ? 1 : 2];
    for (int64_t at = 0; at + width <= size_; at += width)
      std::memcpy(bytes_.data() + before_ + at, &words[at / width % 4], static_cast<size_t>(width));
  }

 private:
  std::vector<uint8_t> bytes_;
  int64_t low_, size_, before_ = 0;
};

void compare(const Expected& expected, Area& dst, const std::vector<uint8_t>& was, const char* how) {
  const std::vector<uint8_t>& now = dst.bytes();
  for (size_t at = 0; at < now.size(); ++at) {
    const int64_t offset = static_cast<int64_t>(at) - dst.before();
    const bool inside = offset >= 0 && offset < static_cast<int64_t>(expected.bytes.size());
    const uint8_t mask = inside ? expected.known[static_cast<size_t>(offset)] : 0xFF;
    const uint8_t wanted = inside ? expected.bytes[static_cast<size_t>(offset)] : was[at];
    if (((now[at] ^ wanted) & mask) != 0)
      wrong("{}: destination byte {} {}is {:#04x}, must be {:#04x} (was {:#04x})", how, offset,
            inside ? "" : "outside the array ", now[at], wanted, was[at]);
  }
}

void execute_tasks(const Plan& plan, Area& src, Area& dst, int64_t begin, int64_t end, int64_t count) {
  xlashape_exec exec = {};
  exec.struct_size = sizeof exec;
  exec.src = reinterpret_cast<uintptr_t>(src.pointer());
  exec.dst = reinterpret_cast<uintptr_t>(dst.pointer());
  exec.task_begin = begin;
  exec.task_end = end;
  exec.task_count = count;
  xlashape_error err = new_error();
  check(xlashape_plan_execute_ex(plan.get(), &exec, &err), err);
}

// Runs task by task, last first, on two backgrounds: a byte that changes on either was written, and no two tasks write
// the same one.
void test_tasks(const Plan& plan, int64_t count, Area& src, Area& dst, const std::vector<uint8_t>& was,
                const Expected& expected) {
  std::vector<int64_t> owner(was.size(), -1);
  for (const uint8_t mask : {uint8_t{0xFF}, uint8_t{0x00}}) {
    for (size_t at = 0; at < was.size(); ++at) dst.bytes()[at] = static_cast<uint8_t>(was[at] ^ mask);
    std::vector<uint8_t> before = dst.bytes();
    for (int64_t task = count; task-- > 0;) {
      execute_tasks(plan, src, dst, task, task + 1, count);
      for (size_t at = 0; at < before.size(); ++at) {
        if (dst.bytes()[at] == before[at]) continue;
        if (owner[at] >= 0 && owner[at] != task)
          wrong("tasks {} and {} of {} both write byte {} of the destination", owner[at], task, count,
                static_cast<int64_t>(at) - dst.before());
        owner[at] = task;
      }
      // On what a task has written the next one must not write again: another background shows that it did.
      for (size_t at = 0; at < before.size(); ++at)
        if (owner[at] == task) dst.bytes()[at] = static_cast<uint8_t>(~dst.bytes()[at]);
      before = dst.bytes();
    }
  }
  dst.bytes() = was;
  for (int64_t task = count; task-- > 0;) execute_tasks(plan, src, dst, task, task + 1, count);
  compare(expected, dst, was, fmt::format("in {} tasks", count).c_str());
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
  } catch (const Failure& failure) {
    ++tally_.failed;
    watch_.blame(slot, what + ": " + failure.message);
  }
  doing_.text[0] = '\0';
}

void Suite::relayout(Random& random, Request request, bool nans) {
  request.backend = name_;
  run(kPlanExecute, request_text(request), [&] {
    const int64_t held = watch_.held(), asked = watch_.problems(kPlanSize);
    {
      Plan plan;
      const int64_t inits = watch_.calls(kPlanInit);
      try {
        plan = make_plan(runtime_, request);
      } catch (const Failure& failure) {
        // Not taken is a right; taken and not made is not.
        if (failure.code == "NOT_FOUND" && watch_.calls(kPlanInit) == inits && watch_.problems(kPlanSize) == asked)
          throw Refused();
        watch_.blame(kPlanInit, request_text(request) + ": " + failure.message);
        throw;
      }
      xlashape_plan_requirements needs = {};
      needs.struct_size = sizeof needs;
      xlashape_error err = new_error();
      check(xlashape_plan_get_requirements(plan.get(), &needs, &err), err);
      const Side from(request.src, request.src_strides), to(request.dst, request.dst_strides);
      Area src(random, from, needs.src_alignment), dst(random, to, needs.dst_alignment);
      if (nans) src.fill_with_nans(value_bits(xlashape_shape_element_type(request.src.get())));
      const std::vector<uint8_t> was = dst.bytes(), source = src.bytes();
      const Expected expected = expected_result(request, from, to, src.inside(), dst.inside());
      check(xlashape_plan_execute(plan.get(), src.pointer(), dst.pointer(), &err), err);
      compare(expected, dst, was, "in one go");
      describe(plan);
      for (const int64_t workers : {int64_t{2}, 1 + random.below(9)}) {
        const int64_t tasks = std::clamp<int64_t>(xlashape_plan_task_count(plan.get(), workers), workers, 64);
        test_tasks(plan, tasks, src, dst, was, expected);
      }
      if (src.bytes() != source) wrong("the source changed");
    }
    if (watch_.held() > held)
      watch_.blame(kPlanDestroy,
                   fmt::format("{}: keeps {} allocations of the host's", request_text(request), watch_.held() - held));
  });
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

void Suite::index_batches(int64_t count, uint64_t seed) {
  for (int64_t i = 0; i < count; ++i) {
    Random random(seed * 0x9E3779B97F4A7C15u + static_cast<uint64_t>(i));
    const Shape shape = random_request(random).src;
    run(kIndices, "indices of " + text_of(shape), [&] {
      const int64_t calls = watch_.calls(kIndices);
      batch(random, shape);
      if (watch_.calls(kIndices) == calls) throw Refused();
    });
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
    Area src(random, from, kAlignment);
    std::vector<Area> areas;
    for (int i = 0; i < 8; ++i) areas.emplace_back(random, to, kAlignment);
    std::vector<std::vector<uint8_t>> was;
    std::vector<Expected> expected;
    for (Area& area : areas) {
      was.push_back(area.bytes());
      expected.push_back(expected_result(request, from, to, src.inside(), area.inside()));
    }
    std::vector<std::thread> threads;
    for (Area& area : areas)
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

}  // namespace xlashape::cli
