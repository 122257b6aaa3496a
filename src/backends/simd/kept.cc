// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/kept.h"

#include <algorithm>

#include "backends/simd/run.h"

namespace xlashape::simd {

void keep(const TilePlan& tiles, const Rectangle& rectangle, KeptTiles* kept) {
  const Tiling& tiling = tiles.tiling;
  const int factors = tiling.rows.factors + tiling.columns.factors;
  if (tiles.kind == KernelKind::kPermute || factors + tiling.loops > kKeptAxes || tiling.planes_axes > kKeptAxes)
    return;
  kept->kind = tiles.kind;
  kept->src_at = rectangle.src_at;
  kept->dst_at = rectangle.dst_at;
  kept->tiling = tiling;
  kept->tiling.columns.factor = kept->axis;
  kept->tiling.rows.factor = std::copy_n(tiling.columns.factor, tiling.columns.factors, kept->axis);
  kept->tiling.loop = std::copy_n(tiling.rows.factor, tiling.rows.factors, kept->tiling.rows.factor);
  std::copy_n(tiling.loop, tiling.loops, kept->tiling.loop);
  if (tiling.planes_axes > 0) std::copy_n(tiling.plane, tiling.planes_axes, kept->plane);
  kept->tiling.plane = kept->plane;
  kept->params = params_of(tiling, tiles.kind, tiles.choice.store);
}

Conditions conditions_of(const Kernels& kernels, Store store, int64_t tasks) {
  return {.store = store, .tasks = tasks, .may_panel = true, .kernels = kernels.traits};
}

}  // namespace xlashape::simd
