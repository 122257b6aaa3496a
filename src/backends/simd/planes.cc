// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/planes.h"

#include <cstdlib>

namespace xlashape::simd {

int zip_axis(const Schedule& schedule, const Tiling& tiling, Store store) {
  const bool zip = zips(tiling);
  if (!zip && !unzips(tiling)) return -1;
  const int64_t bytes =
      (zip ? tiling.column_run() * tiling.rows.whole : useful_row_run(tiling) * tiling.columns.whole) * tiling.unit;
  for (int i = 0; i < schedule.loops; ++i) {
    const int a = schedule.loop[i];
    const StridedAxis& axis = schedule.axis[a];
    if (schedule.is_taken(a) || (zip ? axis.dst : axis.src) != bytes) continue;
    if (axis.count <= kPlanesBytes / bytes) return a;
  }
  if (store == Store::kStream || schedule.loops == 0) return -1;
  const int inner = schedule.loop[schedule.loops - 1];
  return schedule.is_taken(inner) || schedule.axis[inner].count > 64 ? -1 : inner;
}

int long_loop(const Schedule& schedule) {
  int best = -1;
  for (int64_t i = schedule.loops, most = 0; i-- > 0 && most < 8;) {
    const int a = schedule.loop[i];
    if (!schedule.is_taken(a) && schedule.axis[a].count > most) most = schedule.axis[best = a].count;
  }
  return best;
}

int64_t planes_that_fit(const Schedule& schedule, const Tiling& tiling, int loop) {
  // The lines of a plane on each side: those of its pieces, or as many as are between two planes.
  const auto lines = [&](const TileDimension& pieces, const TileDimension& piece, int64_t distance) {
    return std::min(pieces.whole * (1 + bounded(piece.whole * tiling.unit) / kLineBytes),
                    std::abs(distance) / kLineBytes + 1);
  };
  const StridedAxis& axis = schedule.axis[loop];
  const int64_t all = lines(tiling.rows, tiling.columns, axis.src) + lines(tiling.columns, tiling.rows, axis.dst);
  return std::clamp<int64_t>(kGatherBytes / kLineBytes / all, 4, 64);
}

}  // namespace xlashape::simd
