// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/run.h"

#include <algorithm>
#include <bit>

#include "backends/common/guarded_loops.h"
#include "backends/simd/strided.h"
#include "ir/compiler.h"

namespace xlashape::simd {

namespace {

// The passes of tiles, kept: they differ only for a tile that is cut short on some of its three sides.
class PassCache {
 public:
  static constexpr int kKinds = 8;
  PassCache(const Tiling& tiling, Passes* room) : tiling_(tiling), passes_(room) {}  // kKinds of them

  const Passes* operator()(int64_t rows, int64_t columns, int64_t unit) {
    const bool whole_rows = rows == tiling_.rows.whole, whole_columns = columns == tiling_.columns.whole,
               whole_unit = unit == tiling_.unit;
    const int kind = whole_rows + 2 * whole_columns + 4 * whole_unit;
    if (made_ >> kind & 1) return &passes_[kind];
    made_ |= 1u << kind;
    int64_t counts[kMaxFactors];
    const auto shorten = [&](bool in_source, bool in_destination, int64_t whole, int64_t part) {
      int last = -1;  // only the last factor of a side is cut
      for (int i = 0; i < tiling_.factors->count; ++i) {
        const TileFactor& factor = tiling_.factors->factor[i];
        if (factor.in_source == in_source && factor.in_destination == in_destination) counts[last = i] = factor.count;
      }
      if (last >= 0) counts[last] = part / (whole / counts[last]);
    };
    shorten(false, true, tiling_.rows.whole, rows);
    shorten(true, false, tiling_.columns.whole, columns);
    shorten(true, true, tiling_.unit / tiling_.element, unit / tiling_.element);
    plan_passes(*tiling_.factors, counts, tiling_.element, &passes_[kind]);
    return &passes_[kind];
  }

 private:
  const Tiling& tiling_;
  unsigned made_ = 0;
  Passes* const passes_;
};

// Stores past the caches wait for their page's translation, and all later stores wait with them. So a line of each page
// that the next tile writes is prefetched while this one is moved: bf16 into and out of T(8,128)(2,1) went from 15 to
// 17 and 22 GB/s, an interleave of 8 rows from 18 to 28. It must go into the first cache; prefetching into the second
// changes nothing. Inlining is forced: GCC removes calls of a function that only prefetches, as it sees no effect.
XLASHAPE_ALWAYS_INLINE void fetch_pages(const Tile& tile, const Tile& next, const TileParams& params, int64_t height) {
  const auto page = [](const char* p) { return reinterpret_cast<uintptr_t>(p) / kPageBytes; };
  if (next.rows == 0 || next.columns > 64 * params.column_run) return;
  if (params.column_bits % kPageBytes == 0 && page(tile.dst) == page(next.dst) && height < kPageBytes) return;
  const int64_t span = params.column_run * height;
  for (int64_t plane = 0; plane < (params.unzips ? params.planes : 1); ++plane) {
    for (int64_t c = 0; c < next.columns; c += params.column_run) {
      const int64_t at = params.column[c] + plane * params.plane_dst;
      const char* const from = next.dst + at;
      if (page(tile.dst + at + span - 1) != page(from)) ir::prefetch_to_write<3>(from);
      for (const char* p = reinterpret_cast<const char*>((page(from) + 1) * kPageBytes); p < from + span;
           p += kPageBytes)
        ir::prefetch_to_write<3>(p);
    }
  }
}

// Whether all tiles are squares that are read where they are: few rows, evenly spaced on both sides.
bool is_near(const Tiling& tiling, KernelKind kind, const TileParams& params) {
  const TileDimension &rows = tiling.rows, &columns = tiling.columns;
  if (kind != KernelKind::kTranspose || params.store != Store::kOrdinary || rows.factors != 1 || columns.factors != 1)
    return false;
  if (std::min({rows.whole, rows.last, columns.whole, columns.last}) * tiling.unit < 16) return false;
  return !params.zips && !params.unzips && rereads(tiling.unit, rows.factor[0].src, rows.whole);
}

TileKernel kernel_of(const Tiling& tiling, KernelKind kind, const Kernels& kernels) {
  const auto log2 = [](int64_t bytes) { return std::bit_width(static_cast<uint64_t>(bytes)) - 1; };
  if (kind == KernelKind::kPermute) return kernels.fixed.permute[log2(tiling.element)];
  if (kind == KernelKind::kTranspose) return kernels.fixed.transpose[log2(tiling.unit)];
  if (kind == KernelKind::kPanel) return kernels.fixed.panel[tiling.transposes() ? log2(tiling.unit) : 5];
  return kernels.move;
}

}  // namespace

bool are_squares(KernelKind kind, const TileParams& params) {
  return kind == KernelKind::kTranspose && !params.narrow && !params.zips && !params.unzips;
}

TileParams params_of(const Tiling& tiling, KernelKind kind, Store store) {
  TileParams params;
  params.store = store;
  const TileDimension &rows = tiling.rows, &columns = tiling.columns;
  if (kind == KernelKind::kMovePlanes) {
    params.row_pitch = tiling.plane_dst;
    params.even_rows = tiling.planes;
    params.row_distance = tiling.plane_src;
    return params;
  }
  params.narrow = kind == KernelKind::kTranspose && is_narrow(tiling);
  params.row_run = useful_row_run(tiling);
  params.column_run = tiling.column_run();
  const int64_t width = columns.whole * tiling.unit;
  for (int64_t step = 1; params.narrow && step <= params.row_run && step * width <= 1024; ++step)
    if (params.row_run % step == 0) params.row_step = step;
  params.unzips = unzips(tiling);
  params.zips = zips(tiling);
  for (int d = 0; d < columns.factors; ++d) params.column_bits |= columns.factor[d].dst;
  params.planes = tiling.planes;
  params.plane_src = tiling.plane_src;
  params.plane_dst = tiling.plane_dst;
  if (rows.factors > 0) {
    params.even_rows = rows.factor[0].count;
    params.row_distance = rows.factor[0].src;
  }
  if (columns.factors > 0) {
    params.even_columns = columns.factor[0].count;
    params.column_distance = columns.factor[0].dst;
  }
  params.near = is_near(tiling, kind, params);
  // f32[256,256] transposed takes a sixth less without prefetching (Zen 4).
  params.near_source = are_squares(kind, params) && tiling.tiles <= kNearBytes &&
                       tiling.tiles * rows.whole * columns.whole * tiling.unit * tiling.planes <= kNearBytes;
  return params;
}

// A row is gathered with up to two lines more, as is a column, and squares read 16 rows even if there are fewer.
StageBytes stage_bytes(int64_t rows, int64_t columns, int64_t unit, int64_t planes) {
  const auto with_gap = [](int64_t bytes) { return bytes + 2 * kLineBytes; };
  return {std::min(kGatherBytes, std::max<int64_t>(rows, 16) * with_gap(columns * unit)),
          std::min(kOutBytes, planes * columns * with_gap(rows * unit))};
}

void whole_passes(const Tiling& tiling, Passes* passes) {
  Passes room[PassCache::kKinds];
  PassCache cache(tiling, room);
  *passes = *cache(tiling.rows.whole, tiling.columns.whole, tiling.unit);
}

namespace {

void walk(const Tiling& tiling, KernelKind kind, const TileParams& shared, const Kernels& kernels, const char* src,
          char* dst, int64_t begin, int64_t end, Stage* stage, Panel* panel, const char* then) {
  const bool moves_planes = kind == KernelKind::kMovePlanes;
  auto* const row = reinterpret_cast<int64_t*>(
      XLASHAPE_ON_STACK(std::max(tiling.rows.whole, moves_planes ? tiling.planes : 0) * int64_t{sizeof(int64_t)}));
  auto* const column = reinterpret_cast<int64_t*>(XLASHAPE_ON_STACK(tiling.columns.whole * int64_t{sizeof(int64_t)}));
  const TileKernel kernel = kernel_of(tiling, kind, kernels);
  TileParams params = shared;
  params.row = row;
  params.column = column;
  params.stage = stage;
  params.panel = panel;
  if (moves_planes) {
    for (int64_t p = 0; p < tiling.planes; ++p) row[p] = p * tiling.plane_src;
  } else if (!params.near) {
    fill_table(tiling.rows, &StridedAxis::src, row);
  }
  if (!params.near) fill_table(tiling.columns, &StridedAxis::dst, column);
  if (params.near && tiling.tiles == 1) {
    const Tile tile{src, dst, tiling.rows.whole, tiling.columns.whole, tiling.unit, 1};
    return kernel(&tile, params);
  }

  TileWalk walk(tiling, begin, end);
  const auto next = [&](Tile* tile) {
    TilePlace place;
    walk.next(&place);
    const int64_t rows = !moves_planes ? place.rows : place.rows > 0 ? place.planes : 0;
    *tile = {src + place.src, dst + place.dst, rows, place.columns, place.unit, place.planes};
    if (rows == 0 && then != nullptr) *tile = {then, dst, tiling.rows.whole, tiling.columns.whole, tiling.unit, 1};
  };
  // The current tile and the two after it. They are moved back to the beginning as rarely as possible: what was just
  // written word by word is slow to copy.
  constexpr int kTiles = 16;
  Tile tiles[kTiles];
  for (int i = 0; i < 3; ++i) next(&tiles[i]);
  // Not where each column of a square is on another page: prefetching so many pages costs more than it saves.
  const bool pages = params.store == Store::kStream && !are_squares(kind, params) && kind != KernelKind::kPanel;
  const int64_t height = moves_planes ? tiling.planes * tiling.plane_dst
                                      : tiling.rows.whole * (params.zips ? params.planes : 1) * tiling.unit;
  // Of a size that the compiler does not know: it would make room for it in any case.
  auto* const room = reinterpret_cast<Passes*>(
      XLASHAPE_ON_STACK(kind == KernelKind::kPermute ? PassCache::kKinds * sizeof(Passes) : 0));
  PassCache passes(tiling, room);
  Tile* tile = tiles;
  for (int64_t left = end - begin; left > 0; --left) {
    if (kind == KernelKind::kPermute) params.passes = passes(tile->rows, tile->columns, tile->unit);
    if (pages) fetch_pages(tile[0], tile[1], params, height);
    kernel(tile, params);
    if (tile + 3 < tiles + kTiles) {
      next(++tile + 2);
    } else {
      std::copy(tile + 1, tile + 3, tiles);
      tile = tiles;
      next(tile + 2);
    }
  }
}

// A separate function, as its frame is large.
XLASHAPE_NOINLINE void walk_panels(const Tiling& tiling, const TileParams& shared, const Kernels& kernels,
                                   const char* src, char* dst, int64_t begin, int64_t end) {
  alignas(64) char stage[kPanelBytes + kSlack];
  alignas(64) char in[kGatherBytes + kSlack];
  Panel panel{.stage = stage, .in = in, .pitch = panel_pitch(tiling)};
  walk(tiling, KernelKind::kPanel, shared, kernels, src, dst, begin, end, nullptr, &panel, nullptr);
}

XLASHAPE_NOINLINE void walk_staged(const Tiling& tiling, KernelKind kind, const TileParams& shared,
                                   const Kernels& kernels, const char* src, char* dst, int64_t begin, int64_t end,
                                   const char* then) {
  const int64_t rows = tiling.rows.whole, run = rows * tiling.unit;
  StageBytes bytes = stage_bytes(rows, tiling.columns.whole, tiling.unit, tiling.planes);
  const bool streams = shared.store == Store::kStream;
  if (kind == KernelKind::kPermute) {
    bytes = {run * tiling.columns.whole, 0};
  } else if (kind != KernelKind::kTranspose) {
    bytes = {0, streams ? bytes.out : 0};
  } else if (!shared.narrow) {
    // Where a tile at the end has a single column, that is gathered.
    if (!streams && !shared.zips) bytes.out = std::min(kOutBytes, run);
    bytes.in = std::min(kGatherBytes, rows * kLineBytes);
  }
  Stage stage;
  stage.in[0] = XLASHAPE_ON_STACK(bytes.in + kSlack);
  // The second one is for the next tile, or for the passes of one that is permuted.
  const bool both = (shared.narrow && tiling.tiles > 1) || kind == KernelKind::kPermute;
  stage.in[1] = XLASHAPE_ON_STACK(both ? bytes.in + kSlack : 0);
  stage.out = XLASHAPE_ON_STACK(bytes.out + kSlack);
  walk(tiling, kind, shared, kernels, src, dst, begin, end, &stage, nullptr, then);
}

// Out of line: it keeps loops, which most executions do not need.
XLASHAPE_NOINLINE void walk_shifted(const Tiling& tiling, int64_t shift, KernelKind kind, const TileParams& params,
                                    const Kernels& kernels, const char* src, char* dst, const TaskRange& part) {
  StridedAxis loop[kMaxAxes];
  const Tiling moved = shifted(tiling, shift, loop);
  const backends::LoopRange range = backends::share(moved.tiles, part.begin, part.end, part.count);
  if (range.size() > 0) walk_staged(moved, kind, params, kernels, src, dst, range.begin, range.end, nullptr);
}

}  // namespace

// Lines that two tiles share are written in two parts, through the cache: f64[4096,4096] transposed to where malloc has
// room, 16 bytes after a line, took 2.5 times as long as to the beginning of a line.
int64_t shift_to_lines(const Tiling& tiling, KernelKind kind, const TileParams& params, const char* dst) {
  const auto odd = static_cast<int64_t>(reinterpret_cast<uintptr_t>(dst) % kLineBytes);
  const bool squares = are_squares(kind, params) && !params.near;
  if (odd == 0 || !(squares || (kind == KernelKind::kMove && params.store == Store::kStream))) return 0;
  const TileDimension& rows = tiling.rows;
  if (rows.loop < 0) return 0;
  // Where one of these steps is no whole number of lines, tiles begin at several places within lines.
  const StridedAxis& factor = rows.factor[rows.factors - 1];
  int64_t steps = params.column_bits | factor.count * factor.dst;
  for (int i = 0; i < tiling.loops; ++i) steps |= tiling.loop[i].dst;
  if (steps % kLineBytes != 0) return 0;
  // Of short columns too many lines are those at the ends; they are better moved whole.
  if (tiling.loop[rows.loop].count * tiling.loop[rows.loop].dst < kLeastShifted) return 0;
  for (int64_t indices = 1; indices < std::min(factor.count, kLineBytes); ++indices)
    if ((indices * factor.dst - odd) % kLineBytes == 0) return indices;
  return 0;
}

void run_tiles(const Tiling& tiling, KernelKind kind, const TileParams& params, const Kernels& kernels, const char* src,
               char* dst, const TaskRange& part, const char* then) {
  if (const int64_t shift = shift_to_lines(tiling, kind, params, dst); shift > 0)
    return walk_shifted(tiling, shift, kind, params, kernels, src, dst, part);
  const auto [begin, end] = backends::share(tiling.tiles, part.begin, part.end, part.count);
  if (begin >= end) return;
  if (kind == KernelKind::kStrided) return run_strided(tiling, kernels.strided, src, dst, begin, end);
  if (kind == KernelKind::kPanel) return walk_panels(tiling, params, kernels, src, dst, begin, end);
  walk_staged(tiling, kind, params, kernels, src, dst, begin, end, then);
}

}  // namespace xlashape::simd
