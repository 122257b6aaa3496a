/* SPDX-License-Identifier: Apache-2.0 */
// Tiles that are ready to run.
#pragma once
#include "backends/simd/choose_tiles.h"
#include "backends/simd/rectangle.h"

namespace xlashape::simd {

// The tiles of a nest without guards, ready to run. Those that need more axes, or passes, are made from the choice
// again.
inline constexpr int kKeptAxes = 14;
struct KeptTiles {
  KernelKind kind = KernelKind::kNone;  // kNone: nothing is kept
  int64_t src_at, dst_at;
  Tiling tiling;
  TileParams params;
  StridedAxis axis[kKeptAxes];
  PlaneAxis plane[kKeptAxes];

  KeptTiles() {}  // not initialised: most plans use little of it
};

// Keeps the tiles of a rectangle where there is room for their axes.
void keep(const TilePlan& tiles, const Rectangle& rectangle, KeptTiles* kept);

// For a rectangle that is a whole relayout, or a task's part of one.
Conditions conditions_of(const Kernels& kernels, Store store, int64_t tasks);

}  // namespace xlashape::simd
