/* SPDX-License-Identifier: Apache-2.0 */
// Moves the tiles of a tiling.
#pragma once
#include "backends/simd/kernel_kind.h"

namespace xlashape::simd {

// What all tiles share. Each execution adds its tables and stages.
TileParams params_of(const Tiling& tiling, KernelKind kind, Store store);

// Tiles [begin, end).
void run_tiles(const Tiling& tiling, KernelKind kind, const TileParams& params, const Kernels& kernels, const char* src,
               char* dst, int64_t begin, int64_t end);
inline void run_tiles(const Tiling& tiling, KernelKind kind, const Kernels& kernels, const char* src, char* dst,
                      int64_t begin, int64_t end, Store store) {
  run_tiles(tiling, kind, params_of(tiling, kind, store), kernels, src, dst, begin, end);
}

// How much of a stage tiles of this size make use of, without the slack.
struct StageBytes {
  int64_t in, out;
};
StageBytes stage_bytes(int64_t rows, int64_t columns, int64_t unit, int64_t planes);

// The passes of a whole tile that is permuted.
void whole_passes(const Tiling& tiling, Passes* passes);

}  // namespace xlashape::simd
