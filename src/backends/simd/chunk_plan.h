/* SPDX-License-Identifier: Apache-2.0 */
// What a chunk of a filled destination consists of, without its place: the tiles of its elements, its padding, its
// reads.
#pragma once
#include "backends/simd/choose_tiles.h"
#include "backends/simd/rectangle.h"
#include "ir/compiler.h"

namespace xlashape::simd {

struct Hole {
  int64_t at, bytes;  // from the chunk's beginning
};

// A chunk without its place. Chunks with equally many elements along each guard share one plan.
struct ChunkPlan {
  int64_t indices = 0;  // of the chunk's loop; 0: the plan is not made yet
  int64_t left[kMaxFilledGuards];
  bool empty, staged;
  int rectangles;   // if more than kMaxRectangles, they are not kept
  TilePlan* tiles;  // [kMaxRectangles]
  int64_t src[kMaxRectangles], dst[kMaxRectangles];
  int first_piece[kMaxRectangles];
  bool filled_first;  // all of it, and elements are written over that
  int holes;          // if more than kMaxHoles, they are not kept
  Hole hole[kMaxHoles];
  // The pieces of memory that it reads, relative to the chunk's source; if more than kMaxPieces, they are not kept.
  int pieces;
  int64_t piece[kMaxPieces], piece_bytes[kMaxPieces];
  // Whether the stage has its padding: it stays in the same places from one such chunk to the next.
  bool filled;
  char* stage;  // kStagedBytes
};

// Adds the pieces that a rectangle reads. `at`: where the rectangle begins, relative to the chunk's source.
void add_pieces(const Rectangle& rectangle, int axes, int64_t width, int64_t at, ChunkPlan& plan);

// Finds the padding of a chunk that has elements, in memory order. Its `owned` bytes hold `count` indices of `loop`,
// bounded by `plan.left`, and nothing else.
void find_holes(const xlashape_loops& nest, int32_t loop, int64_t count, int64_t owned, int64_t width, ChunkPlan& plan);

// Prefetches what a chunk will read, line by line.
class Prefetcher {
 public:
  Prefetcher(const ChunkPlan& plan, const char* src, int first = 0) : plan_(plan), src_(src), piece_(first) {
    if (plan.pieces > kMaxPieces) piece_ = plan.pieces;
  }
  void some(int64_t lines) {
    for (; lines > 0 && piece_ < plan_.pieces; --lines, at_ += kLineBytes) {
      ir::prefetch<2>(src_ + plan_.piece[piece_] + at_);
      if (at_ + kLineBytes >= plan_.piece_bytes[piece_]) ++piece_, at_ = -kLineBytes;
    }
  }

 private:
  const ChunkPlan& plan_;
  const char* const src_;
  int piece_;
  int64_t at_ = 0;
};

}  // namespace xlashape::simd
