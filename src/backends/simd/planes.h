/* SPDX-License-Identifier: Apache-2.0 */
// Which loop may become the planes of a tile, and how many of its indices.
#pragma once
#include <algorithm>

#include "backends/simd/kernel_kind.h"

namespace xlashape::simd {

// Keeps sums and products in range, however long a run is.
inline int64_t bounded(int64_t bytes) { return std::min<int64_t>(bytes, int64_t{1} << 30); }

// The axis along which interleaves continue each other in the destination or in the source, or -1. Ordinary stores do
// not use the stage, so for them the innermost axis will do.
int zip_axis(const Schedule& schedule, const Tiling& tiling, Store store);

// The innermost loop, or a longer one where that has few indices; -1: there is none.
int long_loop(const Schedule& schedule);

// How many indices of a loop the first cache has lines for, if each unit of a tile is moved by itself.
int64_t planes_that_fit(const Schedule& schedule, const Tiling& tiling, int loop);

}  // namespace xlashape::simd
