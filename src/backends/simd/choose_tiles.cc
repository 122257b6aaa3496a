// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/choose_tiles.h"

#include <algorithm>
#include <cassert>

#include "backends/common/guarded_loops.h"
#include "backends/simd/check.h"
#include "backends/simd/tile_chooser.h"

namespace xlashape::simd {
namespace {

// Pieces and runs of permuted tiles; longer ones make larger tiles.
void gather_runs(int64_t run, Schedule* schedule) {
  gather_shared(run, std::min(kPermuteBytes / kLongestRun * run, kPermuteBytes), schedule);
}

// Takes units only: these can always be moved.
void apply_least(TilePlan* plan) {
  plan->choice = {.store = plan->choice.store};
  apply(plan);
}

void gather_as(const SidesChoice& sides, Schedule* schedule) {
  gather(sides.sizes, schedule);
  if (sides.plane_axis >= 0) schedule->take_plane(sides.plane_axis, sides.planes);
}
void gather_as(const PermutedChoice& permuted, Schedule* schedule) { gather_runs(permuted.run, schedule); }
void gather_as(const UnitsChoice& units, Schedule* schedule) { gather_units(units.run, units.most, schedule); }

}  // namespace

void settle(TilePlan* plan) {
  Schedule& schedule = plan->schedule;
  const int last = schedule.axes - 1;
  const bool cut = schedule.has_run() && !schedule.is_whole(last) && schedule.source.has(last);
  schedule.order_loops(cut ? last : -1, plan->choice.order);
  make_tiling(schedule, &plan->room, &plan->tiling);
  plan->kind = kernel_kind_of(plan->tiling, plan->choice.store, plan->choice.has_panels());
}

void apply(TilePlan* plan) {
  std::visit([&](const auto& form) { gather_as(form, &plan->schedule); }, plan->choice.tile);
  settle(plan);
}

void TileChooser::choose() {
  if (choose_small()) return;
  choose_sizes();
  add_planes();
  if (tiling_.rows.whole == 1 && tiling_.columns.whole == 1) {
    if (!single_) add_apart();
  } else {
    choose_permuted();
  }
  if (conditions_.may_panel && stream_) choose_panels();
  choose_strided();
  choose_block();
  choose_units();
  if (kind_ == KernelKind::kNone) apply_least(&plan_);
}

// Two axes that are one tile of squares: the steps below would come to the same, later.
bool TileChooser::choose_small() {
  if (stream_ || !single_ || schedule_.axes != 2 || tasks_ > 1) return false;
  for (int a = 0; a < 2; ++a)
    if (schedule_.axis[a].count > 256 / run_ || schedule_.axis[a].count * run_ < 16) return false;
  sizes_ = {256, 512, kUnitBytes};
  build();
  return are_squares();
}

// Measured: 32 to 64 source rows at a time, 256 contiguous bytes or more written to each destination row, and as much
// of each source row as a page walk is worth.
void TileChooser::choose_sizes() {
  sizes_ = {stream_ ? 128 : 256, stream_ ? 2048 : 512, kUnitBytes};
  if (run_ == 1) sizes_.row = 64;
  // Rows this far apart share sets of the second cache, so there are no more of them than fill a line.
  if (stream_ && row_pitch() % 65536 == 0) sizes_.row = 64;
  // The same within the caches for the first one's sets: f32[1040,1024] went from 230 us to 180 (Zen 4). Where
  // columns share sets as well, it takes 240 us either way; for other elements it makes no difference.
  if (!stream_ && run_ == 4 && row_pitch() % 1024 == 0 && column_pitch() % 1024 != 0) sizes_ = {64, 1024, kUnitBytes};
  // Within the caches fewer tiles are cheaper: f32[1000,1000] out of 1024 x 1024 went from 68 to 88 GB/s. Past the
  // caches some 64 runs of each source row are best (f32[256,256,256]{2,0,1} went from 25 to 34 GB/s, rows of 4000
  // bytes from 19 to 28), but two where runs are contiguous in the destination (f32[4096,4096] into T(8,128): 26 to
  // 30).
  if (!single_)
    sizes_ = {stream_ ? 4096 : kRunBytes,
              stream_ ? std::clamp<int64_t>(64 * bounded(run_), kNarrowBytes, kRunBytes) : kNarrowBytes, kUnitBytes};
  build();
  if (stream_ && !single_ && tiling_.column_run() > 1) {
    sizes_.column = std::max<int64_t>(1024, 2 * bounded(run_));
    build();
  }
  if (single_) choose_sides();
  // Smaller tiles, until the kernel has room and all tasks have tiles.
  while (kind_ == KernelKind::kNone || !has_tasks(tiling_.tiles))
    if (!shrink()) break;
}

void TileChooser::choose_sides() {
  // Where columns of the destination begin anywhere within a line, their ends are written twice, through the cache.
  // They are then as long as the stage allows for a strip of columns.
  bool odd = conditions_.odd;
  for (int d = 0; d < tiling_.columns.factors; ++d) odd |= tiling_.columns.factor[d].dst % kLineBytes != 0;
  for (int i = 0; i < schedule_.loops; ++i)
    if (!schedule_.is_taken(schedule_.loop[i])) odd |= schedule_.axis[schedule_.loop[i]].dst % kLineBytes != 0;
  odd &= tiling_.rows.loop >= 0;
  if (odd) {
    sizes_ = {stream_ ? std::min<int64_t>(1024, kOutBytes / 64 * run_ - 64) : 256, 1024, kUnitBytes};
    build();
  } else if (stream_ && tiling_.rows.loop < 0 && tiling_.rows.whole * run_ < 256 &&
             tiling_.rows.whole * run_ % kLineBytes != 0) {
    // Whole rows that end within a line take those that follow them: c128[8,15,75,5,21]{3,1,0,2,4} went from 2.8 to
    // 1.2 ms (Zen 4).
    sizes_.row = 512;
    build();
  }
  // Axes that rows take do not continue the columns: rows of one line leave more to them where these are short.
  if (const int64_t columns = tiling_.columns.whole; columns * run_ < 256 && tiling_.rows.whole * run_ > kLineBytes) {
    const TileSizes before = sizes_;
    sizes_.row = kLineBytes;
    build();
    if (tiling_.columns.whole < 4 * columns || tiling_.rows.whole * run_ < kLineBytes) {
      sizes_ = before;
      build();
    }
  }
  // Where one side has few elements, take more of the other: for a single element few, as the other side's table is
  // made for each chunk; for columns of 16 bytes and more a page (f32[3000000,5]{0,1} went from 34 to 38 GB/s on Zen
  // 5).
  const int64_t rows = tiling_.rows.whole, columns = tiling_.columns.whole;
  if (columns * run_ < kLineBytes) {
    sizes_.row = columns == 1 ? kLoneBytes : (columns * run_ < 16 ? kNarrowBytes : kPageBytes) / columns;
    build();
  } else if (rows * run_ < kLineBytes) {
    sizes_.column = rows == 1 ? kLoneBytes : kNarrowBytes / rows;
    build();
  }
  // Where interleaves continue each other, tiles have a page of the destination.
  if (const int plane = zip_axis(schedule_, tiling_, Store::kStream); plane >= 0) {
    const int64_t planes = schedule_.axis[plane].count;
    if (zips(tiling_)) {
      sizes_.column = std::max<int64_t>(kPageBytes / (tiling_.rows.whole * planes), 64);
    } else {
      sizes_.row = odd && stream_ ? std::max<int64_t>(kOutBytes / (tiling_.columns.whole * planes) - 128, 1)
                                  : std::max<int64_t>(kPageBytes / (tiling_.columns.whole * planes), 64);
    }
    build();
  } else if (!stream_ && (zips(tiling_) || unzips(tiling_)) && zip_axis(schedule_, tiling_, store_) < 0) {
    // Within the caches half of the first one: 114 random forms took 0.85 of the time of a page (Zen 4).
    int64_t& side = zips(tiling_) ? sizes_.column : sizes_.row;
    side = std::max<int64_t>(kGatherBytes / std::min(tiling_.rows.whole, tiling_.columns.whole), 64);
    build();
  }
}

bool TileChooser::shrink() {
  const int64_t row = tiling_.rows.whole * tiling_.unit, column = tiling_.columns.whole * tiling_.unit;
  const auto halve = [](int64_t* size, int64_t bytes) { *size = std::min(*size, bytes) / 2; };
  if (single_ && kind_ == KernelKind::kNone && tiling_.rows.whole > 1 && row >= 2 * sizes_.row) {
    sizes_.row /= 2;
  } else if (column > 128 && tiling_.columns.whole > 1) {
    halve(&sizes_.column, column);
  } else if (row > 64 && tiling_.rows.whole > 1) {
    halve(&sizes_.row, row);
  } else if (kind_ == KernelKind::kNone && (tiling_.columns.whole > 1 || tiling_.rows.whole > 1)) {
    sizes_.row = sizes_.column = 1;
  } else if (!single_ && tiling_.unit > kLeastUnitBytes) {
    halve(&sizes_.unit, run_);
  } else {
    return false;
  }
  build();
  return true;
}

// Columns that begin anywhere within a line, units that are no power of two, and short elements where squares are
// less than lines: their whole lines need a stage, and one of the first cache has no room for long pieces on both
// sides. Out of the caches f32[4099,3001] transposed went from 13 to 16 GB/s, u8[6000,5003] from 9 to 14; longer
// elements in squares lose a fifth (Zen 4).
void TileChooser::choose_panels() {
  const int64_t unit = tiling_.unit, shortest = bytes() < kShortPanelBytes ? 17 : 5;
  const bool moves = kind_ == KernelKind::kMove && unit >= shortest && unit < kLineBytes;
  const bool squares = are_squares();
  if ((!moves && !squares) || (squares && run_ == 16)) return;
  const int64_t row = tiling_.rows.whole * tiling_.unit, wanted = run_ < 4 ? 128 : 192;
  if (tiling_.columns.whole == 1 || (tiling_.rows.loop < 0 && (squares || row <= wanted))) return;
  int64_t lines = conditions_.odd ? 1 : row;
  for (int d = 0; d < tiling_.columns.factors; ++d) lines |= tiling_.columns.factor[d].dst;
  if (squares && lines % kLineBytes == 0 && run_ >= conditions_.kernels.whole_lines) return;
  const TileSizes before = sizes_;
  sizes_ = {wanted, run_ < 4 ? 512 : 1024, kUnitBytes};
  panels_ = true;
  build();
  while (kind_ == KernelKind::kNone || !has_tasks(tiling_.tiles)) {
    if (sizes_.column <= 256) break;
    sizes_.column /= 2;
    build();
  }
  // Units of less than 16 bytes are moved one by one, below, where a panel has less than two lines of rows or columns.
  // Of 139 random forms the 102 with more took half as long in panels, the others a quarter longer (Zen 4).
  const int64_t least = moves && unit < 16 ? 2 * kLineBytes : 0;
  const int64_t side = std::min(tiling_.rows.whole, tiling_.columns.whole) * tiling_.unit;
  if (kind_ == KernelKind::kPanel && side >= least) return;
  sizes_ = before;
  panels_ = false;
  build();
}

void TileChooser::add_planes() {
  if (kind_ != KernelKind::kTranspose) return;
  const int plane = zip_axis(schedule_, tiling_, store_);
  if (plane < 0 || !has_tasks(tiling_.tiles / schedule_.axis[plane].count)) return;
  if (take_plane(plane, schedule_.axis[plane].count) && kind_ == KernelKind::kNone) build();
}

// Takes several runs of the innermost loop, contiguous on neither side, into a tile: a tile costs as much as a short
// run.
void TileChooser::add_apart() {
  const int inner = schedule_.loops > 0 ? schedule_.loop[schedule_.loops - 1] : -1;
  if (inner < 0 || schedule_.is_taken(inner)) return;
  const int64_t shared = tasks_ > 1 ? tiling_.tiles / tasks_ / 4 : 64;
  const int64_t part =
      std::min({schedule_.axis[inner].count, std::max<int64_t>(kGatherBytes / tiling_.unit, 1), shared, int64_t{64}});
  if (part > 1) take_plane(inner, part);
}

// Where few bytes are contiguous on one side, more may be when rows and columns share factors. Otherwise elements of
// 3, 5, 6 and 7 bytes are moved one by one (those of 9 to 15 bytes are faster so), and such counts of rows in squares
// (such counts of columns are not slower so).
void TileChooser::choose_permuted() {
  const int64_t unit = tiling_.unit;
  const int64_t together = bounded(
      std::min(tiling_.columns.whole * useful_row_run(tiling_), tiling_.rows.whole * tiling_.column_run()) * unit);
  const bool composed = single_ && tiling_.rows.whole * unit < 16 && composes(tiling_.rows.whole, unit);
  const bool odd_unit = !single_ && unit < 8;
  if (kind_ != KernelKind::kNone && together >= kLineBytes && !composed && !odd_unit) return;
  // Long elements are moved unit by unit, below, or in squares: f32[12,824,15] reversed takes less than half as long.
  if (unit >= (conditions_.kernels.lookup < 64 ? 4 : 8) && is_few() && !stream_) return;
  const bool squares = are_squares();
  // Squares that fill vectors on both sides take less than passes: of 600 random forms on average half as long, with
  // ordinary stores and past the caches (Zen 4).
  if (squares && std::min(tiling_.rows.whole, tiling_.columns.whole) * unit >= (unit <= 2 ? 16 : 24)) return;
  if (squares && unit >= 4 && (!stream_ || (unit >= 8 && together >= 32))) return;
  const int64_t least = together >= kLineBytes ? 256 : 2 * together;
  // Wider elements gain less by passes. Where squares could move the tile, each pass costs as much as they do:
  // u8[6,4,10,8,5,12,3,16]{4,1,6,2,5,0,7,3} takes 1.6 ms in three passes and 0.8 in squares (Zen 4).
  const int passes = squares ? 2 : schedule_.element == 1 ? kMaxPasses : 3;
  int64_t found = 0;
  for (int64_t run = kLongestRun; run >= kLineBytes && permute(run, least, passes); run /= 2) {
    found = run;
    if (has_tasks(tiling_.tiles)) return;
  }
  if (found > 0 && permute(found, least, passes)) return;
  build();
  add_planes();
}

// Permutes if pieces and runs then have `least` bytes, or `run` where that is less, in at most so many passes.
bool TileChooser::permute(int64_t run, int64_t least, int most_passes) {
  plan_.choice.tile = PermutedChoice{run};
  gather_runs(run, &schedule_);
  const int64_t element = schedule_.element,
                shorter = std::min(schedule_.source.elements, schedule_.destination.elements);
  if (shorter * element < std::min(least, run)) return false;
  settle(&plan_);
  if (kind_ != KernelKind::kPermute) return false;
  Passes passes;
  int64_t counts[kMaxFactors];
  for (int i = 0; i < tiling_.factors->count; ++i) counts[i] = tiling_.factors->factor[i].count;
  plan_passes(*tiling_.factors, counts, element, &passes);
  passes_ = passes.count;
  return passes.count <= most_passes;
}

void choose(const StridedAxis* axes, int count, int64_t width, const Conditions& conditions, TilePlan* plan) {
  set_space(axes, count, width, &plan->schedule);
  TileChooser(conditions, *plan).choose();
  assert(plan->kind != KernelKind::kNone && fault_of(axes, count, width, plan->schedule, plan->tiling, 1) == nullptr);
}

bool choose_again(const TileChoice& choice, const StridedAxis* axes, int count, int64_t width, TilePlan* plan) {
  set_space(axes, count, width, &plan->schedule);
  plan->choice = choice;
  apply(plan);
  const bool possible = plan->kind != KernelKind::kNone;
  if (!possible) apply_least(plan);
  assert(plan->kind != KernelKind::kNone && fault_of(axes, count, width, plan->schedule, plan->tiling, 1) == nullptr);
  return possible;
}

}  // namespace xlashape::simd
