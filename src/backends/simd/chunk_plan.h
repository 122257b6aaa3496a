// What a chunk of a filled destination is, without its place: the tiles of its elements, its padding, and what it reads.
#pragma once
#include "backends/simd/choose.h"
#include "backends/simd/rectangle.h"
#include "waist/compiler.h"

namespace xlashape::simd {

struct Hole {
  int64_t at, bytes;  // from the chunk's beginning
};

// A chunk without its place: those with as many elements along each guard are alike.
struct ChunkPlan {
  int64_t indices = 0;  // of the chunk's loop; 0: nothing is known yet
  int64_t left[kMaxFilledGuards];
  bool empty, staged;
  int rectangles;  // more than kMaxRectangles: they are not kept
  TilePlan tiles[kMaxRectangles];
  int64_t src[kMaxRectangles], dst[kMaxRectangles];
  int first_piece[kMaxRectangles];
  int holes;  // more than kMaxHoles: they are not kept
  Hole hole[kMaxHoles];
  // What it reads: pieces of memory, from the chunk's source on; more than kMaxPieces: they are not kept.
  int pieces;
  int64_t piece[kMaxPieces], piece_bytes[kMaxPieces];
  // Padding stays where it is from one such chunk to the next.
  bool filled;
  alignas(64) char stage[kStagedBytes];
};

// Adds what a rectangle reads. `at`: where it begins, from the chunk's source on.
void add_pieces(const Rectangle& rectangle, int axes, int64_t width, int64_t at, ChunkPlan& plan);

// Finds the padding of a chunk, in memory order: `count` indices of `loop` in `owned` bytes, and nothing else, with `plan.left`.
void find_holes(const xlashape_loops& nest, int32_t loop, int64_t count, int64_t owned, int64_t width, ChunkPlan& plan);

// Asks for what a chunk will read, line by line.
class Prefetcher {
 public:
  Prefetcher(const ChunkPlan& plan, const char* src, int first = 0) : plan_(plan), src_(src), piece_(first) {
    if (plan.pieces > kMaxPieces) piece_ = plan.pieces;
  }
  void some(int64_t lines) {
    for (; lines > 0 && piece_ < plan_.pieces; --lines, at_ += kLineBytes) {
      waist::prefetch<2>(src_ + plan_.piece[piece_] + at_);
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
