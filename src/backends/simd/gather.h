// Taking what lies together into a schedule's tiles, until there are so many bytes of it.
#pragma once
#include "backends/simd/schedule.h"

namespace xlashape::simd {

// What a tile is to have at least, in bytes; elements where a side is packed.
struct TileSizes {
  int64_t row;     // contiguous in the destination
  int64_t column;  // contiguous in the source
  int64_t unit;    // longer runs are cut
};

// Clears the schedule, and takes units, rows and columns.
void gather(const TileSizes& sizes, Schedule* schedule);

// For tiles whose rows and columns share digits: what follows one another from the smallest on, in the source and in the
// destination, until `run` bytes of either side lie together or a tile has `tile` bytes.
void gather_shared(int64_t run, int64_t tile, Schedule* schedule);

}  // namespace xlashape::simd
