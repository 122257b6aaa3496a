/* SPDX-License-Identifier: Apache-2.0 */
// Takes contiguous axes into a schedule's tiles until the tiles have the wanted number of bytes.
#pragma once
#include "backends/simd/schedule.h"

namespace xlashape::simd {

// The least sizes of a tile, in bytes; in elements where a side is packed.
struct TileSizes {
  int64_t row;     // contiguous in the destination
  int64_t column;  // contiguous in the source
  int64_t unit;    // longer units are cut
};

// The most indices up to `most` that cut the axis into as many parts as `most` does, of about equal size.
int64_t in_equal_parts(int64_t count, int64_t most);

// Clears the schedule, and takes units, rows and columns.
void gather(const TileSizes& sizes, Schedule* schedule);

// For tiles whose rows and columns share factors: takes the axes that follow one another from the smallest stride on,
// in the source and in the destination, until `run` bytes are contiguous on each side or a tile has `tile` bytes.
void gather_shared(int64_t run, int64_t tile, Schedule* schedule);

// For tiles that are moved unit by unit: takes axes from the smallest stride on, in the source and in the destination,
// until `run` bytes are contiguous on each side or a tile has `most` units; then the innermost loops while tiles have
// few units. All are axes of planes; the first is a long one.
void gather_units(int64_t run, int64_t most, Schedule* schedule);

}  // namespace xlashape::simd
