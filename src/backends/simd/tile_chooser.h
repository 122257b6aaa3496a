/* SPDX-License-Identifier: Apache-2.0 */
// The rules by which the numbers of a schedule are picked: choose_tiles.cc has those for rows and columns, and
// choose_units.cc those for tiles whose units are moved one by one.
#pragma once
#include <algorithm>

#include "backends/simd/choose_tiles.h"
#include "backends/simd/planes.h"

namespace xlashape::simd {

// Makes the schedule and the tiling that the choice says, in a space that is set.
void apply(TilePlan* plan);
// Derives the rest of the plan from its schedule.
void settle(TilePlan* plan);

class TileChooser {
 public:
  TileChooser(const Conditions& conditions, TilePlan& plan)
      : conditions_(conditions),
        tasks_(conditions.tasks),
        store_(conditions.store),
        stream_(store_ == Store::kStream),
        plan_(plan),
        schedule_(plan.schedule),
        tiling_(plan.tiling),
        kind_(plan.kind),
        run_(schedule_.has_run() ? schedule_.axis[schedule_.axes - 1].count * schedule_.element : schedule_.element),
        single_(!schedule_.has_run()) {
    plan.choice = {.store = store_};
  }

  void choose();

 private:
  // Rows and columns, as sizes_ says.
  void build() {
    plan_.choice.tile = SidesChoice{.sizes = sizes_, .panels = panels_};
    apply(&plan_);
  }
  // Beside rows and columns.
  bool take_plane(int axis, int64_t indices) {
    if (!schedule_.take_plane(axis, indices)) return false;
    SidesChoice& sides = *std::get_if<SidesChoice>(&plan_.choice.tile);
    sides.plane_axis = axis;
    sides.planes = indices;
    settle(&plan_);
    return true;
  }
  // What was chosen before some tiles were tried.
  void restore(const TileChoice& before) {
    plan_.choice = before;
    if (const SidesChoice* const sides = before.as<SidesChoice>()) sizes_ = sides->sizes, panels_ = sides->panels;
    apply(&plan_);
  }
  // Whether tiles are transposed as squares.
  bool are_squares() const {
    return kind_ == KernelKind::kTranspose && !is_narrow(tiling_) && !zips(tiling_) && !unzips(tiling_);
  }
  bool has_tasks(int64_t tiles) const { return tasks_ == 1 || tiles / 4 >= tasks_; }
  // The distances of a tile's rows in the source, and of its columns in the destination; 1: there are none.
  int64_t row_pitch() const { return pitch(&StridedAxis::src, &StridedAxis::dst); }
  int64_t column_pitch() const { return pitch(&StridedAxis::dst, &StridedAxis::src); }
  int64_t pitch(int64_t StridedAxis::*stride, int64_t StridedAxis::*other) const {
    const int a = schedule_.axis_with(other, run_);
    return a >= 0 ? schedule_.axis[a].*stride : 1;
  }
  int64_t units() const { return tiling_.rows.whole * tiling_.columns.whole * tiling_.planes; }
  double bytes() const { return static_cast<double>(tiling_.tiles) * static_cast<double>(units() * tiling_.unit); }
  bool is_few() const { return units() <= kStridedUnits / 2; }

  // choose_tiles.cc
  bool choose_small();
  void choose_sizes();
  void choose_sides();
  bool shrink();
  void choose_panels();
  void add_planes();
  void add_apart();
  void choose_permuted();
  bool permute(int64_t run, int64_t least, int most_passes);

  // choose_units.cc
  void choose_strided();
  bool are_side_by_side() const;
  void choose_block();
  bool take_block(bool rows, int across);
  void choose_units();
  bool suits_units() const;
  bool take_planes(int a);
  bool take_in_parts(int a, int64_t most);

  const Conditions& conditions_;
  const int64_t tasks_;
  const Store store_;
  const bool stream_;
  TilePlan& plan_;
  Schedule& schedule_;
  Tiling& tiling_;
  KernelKind& kind_;
  TileSizes sizes_{1, 1, kUnitBytes};
  bool panels_ = false;
  const int64_t run_;  // bytes that are contiguous on both sides
  const bool single_;  // whether these are one element
  int passes_ = 0;     // of the last permuted tile
};

}  // namespace xlashape::simd
