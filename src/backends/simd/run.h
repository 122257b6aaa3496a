// Moves the tiles of a tiling.
#pragma once
#include "backends/simd/ways.h"

namespace xlashape::simd {

// Tiles [begin, end).
void run_tiles(const Tiling& tiling, Way way, const Kernels& kernels, const char* src, char* dst, int64_t begin,
               int64_t end, Store store);

// The passes of a whole tile that is permuted.
void whole_passes(const Tiling& tiling, Passes* passes);

}  // namespace xlashape::simd
