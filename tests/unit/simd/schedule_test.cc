// SPDX-License-Identifier: Apache-2.0
// Schedules, proven by the checker: whatever is taken, in any order and any size, tiles stay a partition and both sides
// agree.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "backends/simd/check.h"
#include "backends/simd/choose_tiles.h"
#include "backends/simd/gather.h"
#include "unit/random_shape.h"
#include "unit/simd/random_space.h"

namespace xlashape::core {
namespace {

using namespace simd;  // NOLINT
using testing::random_space;
using testing::Space;

std::string text(const Space& space) {
  std::string words = std::to_string(space.width) + " bytes:";
  for (const StridedAxis& axis : space.axes)
    words += " " + std::to_string(axis.count) + " (" + std::to_string(axis.src) + ", " + std::to_string(axis.dst) + ")";
  return words;
}

class Schedules : public ::testing::Test {
 protected:
  uint64_t next() { return engine_(); }
  int64_t below(int64_t limit) { return static_cast<int64_t>(next() % static_cast<uint64_t>(limit)); }
  LoopOrder order() { return static_cast<LoopOrder>(below(3)); }
  Space space(bool packed) {
    return random_space([this] { return next(); }, packed);
  }
  static const char* fault(const Space& space, const Schedule& schedule, const Tiling& tiling, uint64_t seed) {
    return fault_of(space.axes.data(), static_cast<int>(space.axes.size()), space.width, schedule, tiling, seed);
  }

  std::mt19937_64 engine_{1};
};

// Any operations at all. Those that are refused change nothing.
TEST_F(Schedules, AnyOperationsLeaveAPartition) {
  const int64_t count = testing::case_count(500000);
  int64_t permuted = 0, refused = 0, taken = 0;
  for (int64_t i = 0; i < count; ++i) {
    const bool packed = below(4) == 0;
    const Space given = space(packed);
    Schedule schedule;
    const int axes = static_cast<int>(given.axes.size());
    if (packed) {
      set_packed_space(given.axes.data(), axes, &schedule);
    } else {
      set_space(given.axes.data(), axes, given.width, &schedule);
    }
    const int64_t which = below(4);
    if (which == 0) gather({1 + below(100000), 1 + below(100000), 1 + below(1 << 21)}, &schedule);
    if (which == 1 && !packed) gather_shared(16 + below(1000), 16 + below(kPermuteBytes), &schedule);
    if (which == 2 && !packed) gather_units(16 + below(1000), 2 + below(kMaxSide), &schedule);
    for (int64_t k = which < 2 ? 0 : below(12); k > 0 && schedule.axes > 0; --k) {
      const int a = static_cast<int>(below(schedule.axes));
      const int64_t all = schedule.axis[a].count;
      const int64_t indices = below(3) == 0 ? all : below(std::min<int64_t>(all, 40)) + below(2);
      bool done = false;
      switch (below(6)) {
        case 0:
          done = schedule.take_unit(a, indices);
          break;
        case 1:
          done = schedule.take_row(a, indices);
          break;
        case 2:
          done = schedule.take_column(a, indices);
          break;
        case 3:
          done = schedule.take_plane(a, indices);
          break;
        case 4:
          done = below(2) == 0 ? schedule.join_source(a, indices) : schedule.join_destination(a, indices);
          break;
        default:
          done = schedule.rechunk(a, indices);
      }
      ++(done ? taken : refused);
    }
    if (schedule.source.count + schedule.destination.count > kMaxFactors) continue;
    if (below(4) == 0) {
      schedule.order_loops_as_given();
    } else {
      schedule.order_loops(schedule.axes > 0 ? static_cast<int>(below(schedule.axes + 1)) - 1 : -1, order());
    }
    permuted += schedule.permutes();
    TilingArrays room;
    Tiling tiling;
    make_tiling(schedule, &room, &tiling);
    const char* wrong = fault(given, schedule, tiling, next());
    ASSERT_EQ(wrong, nullptr) << "case " << i << ": " << text(given);
  }
  EXPECT_GT(permuted, count / 100);
  EXPECT_GT(taken, count / 5);
  EXPECT_GT(refused, count / 5);
}

// Tiles that begin earlier, so that their boundaries are lines of the destination, are a partition too.
TEST_F(Schedules, ShiftedTilesAreAPartition) {
  const int64_t count = testing::case_count(200000);
  int64_t moved = 0;
  for (int64_t i = 0; i < count; ++i) {
    const Space given = space(false);
    Schedule schedule;
    set_space(given.axes.data(), static_cast<int>(given.axes.size()), given.width, &schedule);
    gather({1 + below(3000), 1 + below(3000), 1 + below(1 << 21)}, &schedule);
    if (schedule.permutes()) continue;
    schedule.order_loops(schedule.axes > 0 ? static_cast<int>(below(schedule.axes + 1)) - 1 : -1, order());
    TilingArrays room;
    Tiling tiling;
    make_tiling(schedule, &room, &tiling);
    const TileDimension& rows = tiling.rows;
    if (rows.loop < 0 || rows.factor[rows.factors - 1].count == 1) continue;
    StridedAxis loop[kMaxAxes];
    const Tiling ahead = shifted(tiling, 1 + below(rows.factor[rows.factors - 1].count - 1), loop);
    const char* wrong = fault(given, schedule, ahead, next());
    ASSERT_EQ(wrong, nullptr) << "case " << i << ": " << text(given);
    ++moved;
  }
  EXPECT_GT(moved, count / 10);
}

// What is chosen always has a kernel, and its number of tiles is enough for the tasks where that can be.
TEST_F(Schedules, ChosenOnesHaveAKernel) {
  const int64_t count = testing::case_count(400000);
  int64_t kinds[7] = {}, units = 0;
  for (int64_t i = 0; i < count; ++i) {
    const Space given = space(false);
    TilePlan plan;
    const int64_t tasks = below(3) == 0 ? 1 : 1 + below(64);
    const Store store = below(2) == 0 ? Store::kStream : Store::kOrdinary;
    choose(given.axes.data(), static_cast<int>(given.axes.size()), given.width,
           {.store = store,
            .tasks = tasks,
            .may_panel = below(2) == 0,
            .kernels = {int64_t{1} << below(3), 16 << 2 * below(2)}},
           &plan);
    ASSERT_NE(plan.kind, KernelKind::kNone) << text(given);
    ASSERT_EQ(plan.choice.store, store);
    ASSERT_EQ(kernel_kind_of(plan.tiling, store, plan.choice.has_panels()), plan.kind) << text(given);
    ++kinds[static_cast<int>(plan.kind)];
    units += plan.choice.as<UnitsChoice>() != nullptr && plan.tiling.planes_axes > 1;
    const char* wrong = fault(given, plan.schedule, plan.tiling, next());
    ASSERT_EQ(wrong, nullptr) << "case " << i << ": " << text(given);
  }
  for (const KernelKind kind : {KernelKind::kMove, KernelKind::kMovePlanes, KernelKind::kTranspose,
                                KernelKind::kPermute, KernelKind::kPanel, KernelKind::kStrided})
    EXPECT_GT(kinds[static_cast<int>(kind)], count / 1000) << static_cast<int>(kind);
  EXPECT_GT(units, count / 1000);
}

// A choice that was kept gives the plan that it was made for; and for any other rectangle one that is right.
TEST_F(Schedules, KeptChoices) {
  const int64_t count = testing::case_count(100000);
  int64_t planes = 0, permuted = 0;
  TileChoice other{.store = Store::kStream, .order = order()};
  other.tile = SidesChoice{{below(3000), below(3000), 1 + below(1 << 21)}, below(2) == 0, 3, 7};
  for (int64_t i = 0; i < count; ++i) {
    const Space given = space(false);
    const int axes = static_cast<int>(given.axes.size());
    const Store store = below(2) == 0 ? Store::kStream : Store::kOrdinary;
    TilePlan plan, again;
    choose(given.axes.data(), axes, given.width,
           {.store = store, .may_panel = true, .kernels = {int64_t{1} << below(3), 16 << 2 * below(2)}}, &plan);
    choose_again(plan.choice, given.axes.data(), axes, given.width, &again);
    ASSERT_EQ(again.kind, plan.kind) << text(given);
    const Schedule &a = plan.schedule, &b = again.schedule;
    ASSERT_EQ(a.axes, b.axes);
    ASSERT_TRUE(std::equal(a.chunk, a.chunk + a.axes, b.chunk)) << text(given);
    ASSERT_EQ(a.loops, b.loops) << text(given);
    ASSERT_TRUE(std::equal(a.loop, a.loop + a.loops, b.loop)) << text(given);
    for (const auto& chain : {&Schedule::source, &Schedule::destination, &Schedule::strided}) {
      ASSERT_EQ((a.*chain).count, (b.*chain).count) << text(given);
      ASSERT_TRUE(std::equal((a.*chain).axis, (a.*chain).axis + (a.*chain).count, (b.*chain).axis)) << text(given);
    }
    planes += plan.choice.has_planes();
    permuted += plan.choice.as<PermutedChoice>() != nullptr;

    choose_again(other, given.axes.data(), axes, given.width, &again);
    ASSERT_NE(again.kind, KernelKind::kNone) << text(given);
    const char* wrong = fault(given, again.schedule, again.tiling, next());
    ASSERT_EQ(wrong, nullptr) << "case " << i << ": " << text(given);
    other = plan.choice;
  }
  EXPECT_GT(planes, count / 1000);
  EXPECT_GT(permuted, count / 1000);
}

TEST_F(Schedules, ChosenPackedOnesHaveAKernel) {
  const int64_t count = testing::case_count(100000);
  int64_t kinds[5] = {};
  for (int64_t i = 0; i < count; ++i) {
    const Space given = space(true);
    PackedPlan plan;
    const int src_bits = 1 << below(4), dst_bits = src_bits == 8 ? 1 << below(3) : 1 << below(4);
    choose_packed(given.axes.data(), static_cast<int>(given.axes.size()), src_bits, dst_bits,
                  below(3) == 0 ? 1 : 1 + below(64), &plan);
    ASSERT_NE(plan.kind, PackedKernelKind::kNone) << text(given);
    ASSERT_EQ(packed_kernel_kind_of(plan.tiling, plan.strip, src_bits, dst_bits), plan.kind);
    ++kinds[static_cast<int>(plan.kind)];
    const char* wrong = fault(given, plan.schedule, plan.tiling, next());
    ASSERT_EQ(wrong, nullptr) << "case " << i << ": " << text(given);
  }
  for (int kind = 1; kind < 5; ++kind) EXPECT_GT(kinds[kind], count / 1000) << kind;
}

// A checker that finds nothing would be worth nothing: each of these is seen.
TEST_F(Schedules, FaultsAreSeen) {
  const std::vector<StridedAxis> axes = {{40, 4, 5 * 300 * 4}, {5, 40 * 301 * 4, 300 * 4}, {300, 40 * 4, 4}};
  const Space given{axes, 4};
  int64_t shift = 0;
  const auto broken = [&](const std::function<void(Schedule&)>& change, const std::function<void(Tiling&)>& turn) {
    Schedule schedule;
    set_space(axes.data(), 3, 4, &schedule);
    gather({128, 64, kUnitBytes}, &schedule);
    schedule.order_loops(-1, LoopOrder::kNearest);
    if (change) change(schedule);
    TilingArrays room;
    Tiling tiling;
    make_tiling(schedule, &room, &tiling);
    StridedAxis loop[kMaxAxes];
    if (shift > 0) tiling = shifted(tiling, shift, loop);
    if (turn) turn(tiling);
    for (uint64_t seed = 1; seed <= 50; ++seed)
      if (fault(given, schedule, tiling, seed) != nullptr) return true;
    return false;
  };
  EXPECT_FALSE(broken(nullptr, nullptr));
  const std::vector<std::function<void(Schedule&)>> cuts = {
      [](Schedule& s) { s.chunk[0] += 1; },
      [](Schedule& s) { s.chunk[2] -= 1; },
      [](Schedule& s) { s.chunk[1] = 2; },
      [](Schedule& s) { --s.loops; },
      [](Schedule& s) { s.loop[1] = s.loop[0]; },
      [](Schedule& s) { s.axis[1].src += 4; },
      [](Schedule& s) { s.axis[1].count -= 1; },
      [](Schedule& s) { std::swap(s.axis[0].src, s.axis[0].dst); },
      [](Schedule& s) { std::swap(s.source, s.destination); },
      [](Schedule& s) { s.element = 8; },
      [](Schedule& s) { s.source.elements *= 2; },
      [](Schedule& s) { s.strided = s.source; },
  };
  for (size_t i = 0; i < cuts.size(); ++i) EXPECT_TRUE(broken(cuts[i], nullptr)) << "cut " << i;
  const std::vector<std::function<void(Tiling&)>> turns = {
      [](Tiling& t) { t.rows.last -= 1; },
      [](Tiling& t) { t.rows.whole -= 1; },
      [](Tiling& t) { t.columns.last += 1; },
      [](Tiling& t) { t.columns.whole += 1; },
      [](Tiling& t) { std::swap(t.rows, t.columns); },
      [](Tiling& t) { t.loop[0].src += 4; },
      [](Tiling& t) { t.loop[1].dst -= 4; },
      [](Tiling& t) { t.loop[t.loops - 1].count += 1; },
      [](Tiling& t) { t.rows.loop = -1; },
      [](Tiling& t) { std::swap(t.loop[0], t.loop[1]); },
      [](Tiling& t) { t.rows.factor[0].src += 4; },
      [](Tiling& t) { t.columns.factor[0].dst += 4; },
      [](Tiling& t) { t.unit *= 2; },
      [](Tiling& t) { t.tiles -= 1; },
  };
  for (size_t i = 0; i < turns.size(); ++i) EXPECT_TRUE(broken(nullptr, turns[i])) << "turn " << i;
  shift = 3;
  EXPECT_FALSE(broken(nullptr, nullptr));
  const std::vector<std::function<void(Tiling&)>> shifts = {
      [](Tiling& t) { t.shift.rows -= 1; },
      [](Tiling& t) { t.shift.src += 4; },
      [](Tiling& t) { t.shift.dst -= 4; },
      [](Tiling& t) { t.rows.last -= 1; },
      [](Tiling& t) { t.loop[t.rows.loop].count -= 1; },
  };
  for (size_t i = 0; i < shifts.size(); ++i) EXPECT_TRUE(broken(nullptr, shifts[i])) << "shift " << i;
}

}  // namespace
}  // namespace xlashape::core
