/* SPDX-License-Identifier: Apache-2.0 */
// Moves the tiles of a tiling.
#pragma once
#include "backends/simd/kernel_kind.h"

namespace xlashape::simd {

// What all tiles share. Each execution adds its tables and stages.
TileParams params_of(const Tiling& tiling, KernelKind kind, Store store);

// Tasks [begin, end) of `count`.
struct TaskRange {
  int64_t begin = 0, end = 1, count = 1;
  bool first() const { return begin == 0; }
  bool all() const { return begin == 0 && end == count; }
};

// By how many indices of the rows' last factor tiles must begin earlier for all but the first to begin at lines of this
// destination; 0 where they do so already, cannot, or where their kernel does not care.
int64_t shift_to_lines(const Tiling& tiling, KernelKind kind, const TileParams& params, const char* dst);

// A part's share of the tiles, which may be shifted.
// `then`: where another source begins that will be moved alike, and that squares prefetch; or null.
void run_tiles(const Tiling& tiling, KernelKind kind, const TileParams& params, const Kernels& kernels, const char* src,
               char* dst, const TaskRange& part, const char* then = nullptr);
bool are_squares(KernelKind kind, const TileParams& params);
inline void run_tiles(const Tiling& tiling, KernelKind kind, Store store, const Kernels& kernels, const char* src,
                      char* dst, const TaskRange& part = {}) {
  run_tiles(tiling, kind, params_of(tiling, kind, store), kernels, src, dst, part);
}

// How much of a stage tiles of this size make use of, without the slack.
struct StageBytes {
  int64_t in, out;
};
StageBytes stage_bytes(int64_t rows, int64_t columns, int64_t unit, int64_t planes);

// The passes of a whole tile that is permuted.
void whole_passes(const Tiling& tiling, Passes* passes);

}  // namespace xlashape::simd
