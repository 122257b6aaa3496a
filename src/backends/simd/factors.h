/* SPDX-License-Identifier: Apache-2.0 */
// The factors of a tile whose rows and columns share some, and the plane transposes that bring them from their order in
// the source to their order in the destination.
#pragma once
#include <cstdint>

#include "backends/simd/kernels.h"
#include "backends/simd/schedule.h"

namespace xlashape::simd {

struct TileFactor {
  int64_t count;
  int axis;
  int to;                          // its place in the destination
  bool in_source, in_destination;  // whether it is one of the contiguous factors there
};

// In the order of the source, innermost first. The factors that are contiguous there come first, then the others in the
// order of the destination.
struct TileFactors {
  int count = 0;
  TileFactor factor[kMaxFactors];
};

// The chains of the schedule have at most kMaxFactors axes.
void list_factors(const Schedule& schedule, TileFactors* factors);

// Whether a narrow side that no kernel zips at once can be zipped in two passes.
bool composes(int64_t side, int64_t width);

// Plans the passes over a tile with counts[i] indices of factor i.
void plan_passes(const TileFactors& factors, const int64_t* counts, int64_t element, Passes* passes);

}  // namespace xlashape::simd
