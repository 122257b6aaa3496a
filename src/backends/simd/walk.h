// A block's tiles one after the other: where they are, and moving them.
#pragma once
#include "backends/simd/block.h"

namespace xlashape::simd {

// Where the tiles [begin, end) of a block are, relative to it, one after the other. Behind the last they have no rows.
struct Place {
  int64_t src = 0, dst = 0, rows = 0, columns = 0, unit = 0;
};
class TileWalk {
 public:
  TileWalk(const Block& block, int64_t begin, int64_t end);
  void next(Place* place);

 private:
  bool at_last(int loop) const { return loop >= 0 && at_[loop] == block_.loop[loop].count - 1; }
  void begin_innermost();

  const Block& block_;
  int64_t left_, src_ = 0, dst_ = 0;
  int64_t steps_ = 0;              // of the innermost loop, before anything else changes
  int64_t rows_, columns_, unit_;  // of the tiles until then
  int64_t at_[kMaxLoops + 3];
};

// Where a tile's rows are in the source, or its columns in the destination.
void fill_table(const Axis* digit, int digits, int64_t Axis::*stride, int64_t* table);

// The passes of a whole tile that is permuted.
void block_passes(const Block& block, Passes* passes);

// Tiles [begin, end) of the block.
void run_block(const Block& block, const Kernels& kernels, const char* src, char* dst, int64_t begin, int64_t end,
               Store store);

}  // namespace xlashape::simd
