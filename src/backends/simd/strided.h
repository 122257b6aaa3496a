/* SPDX-License-Identifier: Apache-2.0 */
// Moves tiles unit by unit.
#pragma once
#include "backends/simd/kernels.h"
#include "backends/simd/tiling.h"

namespace xlashape::simd {

// Moves the tiles [begin, end) of a tiling whose kernel is KernelKind::kStrided.
void run_strided(const Tiling& tiling, TileKernel kernel, const char* src, char* dst, int64_t begin, int64_t end);

}  // namespace xlashape::simd
