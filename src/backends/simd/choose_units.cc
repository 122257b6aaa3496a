// SPDX-License-Identifier: Apache-2.0
// Tiles whose units are moved one by one.
#include "backends/simd/tile_chooser.h"

namespace xlashape::simd {
// A tile costs as much as some thirty units that are moved one by one. So tiles of fewer units, and rows or columns
// of 2 to 8 elements that are neither zipped nor unzipped, as there are gaps between them, are moved unit by unit,
// with many planes: u8[3,4000000] to {0,1:PD(4,4000000)} went from 24 to 4.3 ms, f32[13,35,2,8,2,3,2] out of T(6,87)
// from 650 to 88 us (Zen 4).
void TileChooser::choose_strided() {
  if (kind_ == KernelKind::kPanel || kind_ == KernelKind::kPermute || tiling_.unit >= kLineBytes) return;
  const bool few = is_few();
  const bool gaps = kind_ == KernelKind::kTranspose && !zips(tiling_) && !unzips(tiling_);
  const auto short_side = [&](const TileDimension& side) {
    const int64_t bytes = side.whole * tiling_.unit;
    return gaps && side.whole > 1 && side.whole <= 8 && (bytes < 16 || (tiling_.unit == 16 && bytes < kLineBytes));
  };
  const TileChoice before = plan_.choice;
  if (few) {
    if ((stream_ && !are_side_by_side()) || tiling_.tiles < 8) return;
    if (plan_.choice.has_planes()) build();
  } else if (short_side(tiling_.rows)) {
    sizes_.column = 0;
    build();
  } else if (short_side(tiling_.columns)) {
    sizes_.row = 0;
    build();
  } else {
    return;
  }
  if (take_planes(long_loop(schedule_)) && kind_ == KernelKind::kStrided) return;
  restore(before);
}

// Whether small tiles follow each other on both sides, so that their lines are whole soon: 31 of 60 forms [N,a,b] to
// [N,b,a] of 8 MB are 1.41 times as fast in the mean, 0.90 to 3.9 times (Zen 1).
bool TileChooser::are_side_by_side() const {
  const int a = long_loop(schedule_);
  const int64_t bytes = units() * tiling_.unit;
  return a >= 0 && bytes <= kSmallTile && schedule_.axis[a].src == bytes && schedule_.axis[a].dst == bytes;
}

// Within the caches units of less than a line that are no squares, and those of 16 bytes, are moved one by one: a KiB
// of each row of the destination by some columns, or the reverse where there are more rows. Both sides' lines then
// stay in the first cache until they are whole. Of random forms of 16 bytes that were squares the time went to 0.83
// in the geometric mean, of units that were runs to 0.64 (Zen 4).
void TileChooser::choose_block() {
  const bool taken = kind_ == KernelKind::kMove || (kind_ == KernelKind::kTranspose && tiling_.unit == 16);
  if (stream_ || !taken || tiling_.unit >= kLineBytes) return;
  const TileChoice before = plan_.choice;
  const int row = schedule_.axis_with(&StridedAxis::dst, run_), column = schedule_.axis_with(&StridedAxis::src, run_);
  const auto indices = [&](int a) { return a < 0 ? 0 : std::min(schedule_.axis[a].count, kBlockPlanes); };
  const bool by_rows = indices(column) >= indices(row);
  // The reverse writes a part of each line at a time, which is slow where lines do not stay in the second cache.
  const bool far = bytes() > kNearSource;
  for (const bool rows : {by_rows, !by_rows})
    if ((rows || !far) && take_block(rows, rows ? column : row)) return;
  restore(before);
}

// Lists the units of one side, and repeats them along the axis of the other one.
bool TileChooser::take_block(bool rows, int across) {
  if (across < 0) return false;
  const int64_t bytes = std::min(kBlockBytes, kStridedUnits / 2 * tiling_.unit);
  sizes_ = {rows ? bytes : 0, rows ? 0 : bytes, kUnitBytes};
  build();
  if (schedule_.is_taken(across) || !take_in_parts(across, kBlockPlanes) || kind_ != KernelKind::kStrided) return false;
  return tiling_.planes >= kLeastPlanes && units() >= kLeastBlock && has_tasks(tiling_.tiles);
}

// Tiles for which moving single units takes less, in tiles that have more axes: elements of a byte or two that are
// moved one by one anyway, permutations in many passes, and past the caches short units and small narrow tiles, whose
// lines would be put together in a stage. u8[2,6,26,1294,8,6]{5,4,3,2,1,0} to
// {0,4,5,2,1,3:PD(3,6,26,1294,8,6)} takes a third of the time (Zen 4).
void TileChooser::choose_units() {
  if (!suits_units()) return;
  const TileChoice before = plan_.choice;
  plan_.choice = {.store = store_, .tile = UnitsChoice{kLineBytes, kUnitsOfTile}};
  apply(&plan_);
  if (kind_ == KernelKind::kStrided && has_tasks(tiling_.tiles)) return;
  restore(before);
}

bool TileChooser::suits_units() const {
  const int64_t unit = tiling_.unit, rows = tiling_.rows.whole, columns = tiling_.columns.whole;
  switch (kind_) {
    case KernelKind::kStrided:
      return unit <= 2 && rows * columns * tiling_.planes < 256;
    case KernelKind::kPermute:
      if (schedule_.element <= 2) return passes_ >= (schedule_.element == 1 ? 6 : 3);
      // Longer elements only where a lookup takes few of them, and within the caches: 29 random forms took 0.48 of the
      // time, 100 that were drawn later 0.54 (Zen 1). Elsewhere f64[32,2,40,2,15,24,2] takes twice as long as in three
      // passes (Zen 4).
      return !stream_ && conditions_.kernels.lookup < 64;
    case KernelKind::kMove:
      return stream_ && (unit < 16 || (unit < kLineBytes && (rows == 1 || columns == 1)));
    case KernelKind::kTranspose:
      return stream_ && (is_narrow(tiling_) || std::min(rows, columns) == 2) && rows * columns * unit <= 300;
    default:
      return false;
  }
}

// Takes as many indices of a loop as the first cache has lines for, in equal parts.
bool TileChooser::take_planes(int a) {
  if (a < 0) return false;
  int64_t most = planes_that_fit(schedule_, tiling_, a);
  while (most > 1 && !has_tasks(tiling_.tiles / most)) most /= 2;
  return most > 1 && take_in_parts(a, most);
}

// Takes up to so many indices of a loop, in equal parts.
bool TileChooser::take_in_parts(int a, int64_t most) {
  return take_plane(a, in_equal_parts(schedule_.axis[a].count, most));
}

}  // namespace xlashape::simd
