// Loops that go into a block's tiles, as a tile costs as much as a short run: interleaves side by side, and runs that lie alone.
#pragma once
#include "backends/simd/block.h"

namespace xlashape::simd {

// The loop in which interleaves go on where others ended, in the destination or in the source; with ordinary stores, which go
// through no stage, whichever is innermost. -1: there is none.
int plane_loop(const Block& block, Store store);
// Takes that loop into the tiles, where enough of them are left for so many tasks.
void take_planes(int64_t tasks, Store store, Block* block);

// The same with runs that follow one another on neither side.
void gather_runs(int64_t tasks, Block* block);

}  // namespace xlashape::simd
