// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/candidates.h"

#include <algorithm>

#include "backends/simd/copy.h"
#include "backends/simd/rectangle.h"

namespace xlashape::simd {
namespace {

constexpr int kMost = 48;

// What decides how fast a choice is: equal for choices that come to the same.
struct Outcome {
  Store store;
  KernelKind kind;
  int64_t rows, columns, unit, planes;
  int loops;
  int8_t loop[kMaxAxes];

  bool operator==(const Outcome& other) const {
    return store == other.store && kind == other.kind && rows == other.rows && columns == other.columns &&
           unit == other.unit && planes == other.planes &&
           std::equal(loop, loop + loops, other.loop, other.loop + other.loops);
  }
};

class Lister {
 public:
  Lister(const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan, const Rectangle& rectangle, int64_t wanted)
      : axes_(rectangle.axes), count_(ir.nest->loop_count), width_(rectangle.dst_bits / 8), wanted_(wanted) {
    add(plan.choice);
  }

  // Adds a choice that is possible as it is, and is not there yet.
  void add(const TileChoice& choice) {
    if (used_ == kMost || is_found()) return;
    set_space(axes_, count_, width_, &plan_.schedule);
    if (!choose_again(choice, axes_, count_, width_, &plan_)) return;
    Outcome outcome{choice.store,      plan_.kind,          plan_.tiling.rows.whole, plan_.tiling.columns.whole,
                    plan_.tiling.unit, plan_.tiling.planes, plan_.schedule.loops,    {}};
    std::copy_n(plan_.schedule.loop, outcome.loops, outcome.loop);
    if (std::find(outcome_, outcome_ + used_, outcome) != outcome_ + used_) return;
    outcome_[used_++] = outcome;
    last_ = choice;
  }
  // The same, which has rows and columns, with planes along the innermost loop but `outer`.
  void add_planes(TileChoice choice, int outer) {
    set_space(axes_, count_, width_, &plan_.schedule);
    choose_again(choice, axes_, count_, width_, &plan_);
    const int at = plan_.schedule.loops - 1 - outer;
    if (at < 0) return;
    SidesChoice& sides = *std::get_if<SidesChoice>(&choice.tile);
    sides.plane_axis = plan_.schedule.loop[at];
    sides.planes = std::min<int64_t>(plan_.schedule.axis[sides.plane_axis].count, 64);
    add(choice);
  }
  bool is_found() const { return used_ > wanted_; }
  bool single() const { return !plan_.schedule.has_run(); }
  const TileChoice& last() const { return last_; }

 private:
  const StridedAxis* axes_;
  const int count_;
  const int64_t width_, wanted_;
  TilePlan plan_;
  Outcome outcome_[kMost];
  int64_t used_ = 0;
  TileChoice last_;
};

void list_tiles(const TileChoice& now, bool may_stream, Lister& lister) {
  const auto with = [&](auto&& change) {
    TileChoice choice = now;
    change(choice);
    lister.add(choice);
  };
  const Store other = now.store == Store::kStream ? Store::kOrdinary : Store::kStream;
  if (may_stream)
    with([&](TileChoice& c) {
      c.store = other;
      if (SidesChoice* const sides = std::get_if<SidesChoice>(&c.tile)) sides->panels = false;
    });
  for (const LoopOrder order : {LoopOrder::kSource, LoopOrder::kDestination})
    with([&](TileChoice& c) { c.order = order; });
  for (int64_t run = kLongestRun; run >= kLineBytes; run /= 2) {
    if (now.as<PermutedChoice>() != nullptr) with([&](TileChoice& c) { c.tile = PermutedChoice{run}; });
    if (const UnitsChoice* const units = now.as<UnitsChoice>())
      with([&](TileChoice& c) { c.tile = UnitsChoice{run, units->most}; });
  }
  // Sizes: for single elements the sides of squares, for runs how many of them.
  constexpr int64_t kSquares[][2] = {{64, 1024}, {64, 2048}, {64, 4096},  {128, 512}, {128, 1024}, {128, 2048},
                                     {256, 256}, {256, 512}, {256, 1024}, {512, 256}, {512, 512}};
  constexpr int64_t kRuns[][2] = {{1024, 8192},  {4096, 1024},  {4096, 8192},
                                  {4096, 65536}, {65536, 1024}, {65536, 8192}};
  constexpr int64_t kPanels[][2] = {{128, 512}, {128, 1024}, {128, 2048}, {192, 1024}, {256, 512}, {256, 1024}};
  const auto sizes = [&](TileChoice& c, const int64_t* bytes, bool panels) {
    c.tile = SidesChoice{.sizes = {bytes[0], bytes[1], kUnitBytes}, .panels = panels};
  };
  // A few units, in planes of one of the innermost loops.
  constexpr int64_t kUnits[][2] = {{64, 0}, {0, 64}, {16, 16}};
  if (lister.single())
    for (int i = 0; i < 2; ++i)
      for (const auto& bytes : kUnits) {
        TileChoice choice = now;
        sizes(choice, bytes, false);
        lister.add_planes(choice, i);
      }
  for (const Store store : {now.store, other}) {
    if (store != now.store && !may_stream) continue;
    if (lister.single()) {
      for (const auto& bytes : kSquares) with([&](TileChoice& c) { c.store = store, sizes(c, bytes, false); });
    } else {
      for (const auto& bytes : kRuns) with([&](TileChoice& c) { c.store = store, sizes(c, bytes, false); });
    }
    if (store != Store::kStream) continue;
    for (const auto& bytes : kPanels) with([&](TileChoice& c) { c.store = store, sizes(c, bytes, true); });
  }
}

// Candidate `index` of a plan that copies one run, not the one that it has.
bool list_copies(const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan, bool may_stream, int64_t index,
                 TileChoice* choice) {
  for (const Store store : {Store::kOrdinary, Store::kStream}) {
    if ((store == Store::kStream && !may_stream) || !may_store(ir, plan, store)) continue;
    for (const CopyKind kind : kCopyKinds) {
      if (!fits_copy(kind, store) || (store == plan.store && kind == plan.copy.kind) || --index > 0) continue;
      choice->store = store;
      choice->copy = kind;
      return true;
    }
  }
  return false;
}

}  // namespace

bool candidate(const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan, int64_t index, TileChoice* choice) {
  if (!has_choice(plan)) return false;
  *choice = plan.choice;
  if (index == 0) return true;
  // Little data stays in the caches, however it is stored.
  const bool may_stream = ir.dst_high - ir.dst_low >= kStreamBytes;
  if (plan.kind == PlanKind::kCopy) return list_copies(ir, plan, may_stream, index, choice);
  Rectangle rectangle;
  if (plan.kind != PlanKind::kTiles || !make_whole_rectangle(ir, &rectangle)) {
    choice->store = plan.store == Store::kStream ? Store::kOrdinary : Store::kStream;
    return index == 1 && may_stream && may_store(ir, plan, choice->store);
  }
  Lister lister(ir, plan, rectangle, index);
  list_tiles(plan.choice, may_stream, lister);
  *choice = lister.last();
  return lister.is_found();
}

}  // namespace xlashape::simd
