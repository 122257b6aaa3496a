// One rectangle of a loop nest as tiles: which loops make a tile's rows and columns, and in which order tiles come.
#pragma once
#include <cstdint>

#include "backends/simd/digits.h"

namespace xlashape::simd {

inline constexpr int64_t kMaxSide = 2048;  // rows or columns of a tile

struct Block {
  int64_t unit = 0;  // bytes that stay together on both sides
  int64_t last_unit = 0;
  bool transposes = false;
  bool narrow() const { return transposes && (rows * unit < 16 || columns * unit < 16); }
  // The digits of a tile's rows (contiguous in the destination) and columns (in the source), innermost first; the last
  // tile along a side may be smaller.
  int row_digits = 0, column_digits = 0;
  Axis row_digit[kMaxLoops], column_digit[kMaxLoops];
  int64_t rows = 1, last_rows = 1, columns = 1, last_columns = 1;
  int64_t row_pitch = 0;  // in the destination, of runs that follow one another on neither side; else 0
  // Interleaves within a tile that follow one another where they are one stream: so far apart on either side.
  int64_t planes = 1, plane_src = 0, plane_dst = 0;
  int64_t strip = 0;  // of a packed block: so many columns go through the stage at a time
  // The loops over tiles, outermost first. Some of them step through a side of the tile.
  int loops = 0;
  Axis loop[kMaxLoops + 3];
  int row_loop = -1, column_loop = -1, unit_loop = -1;
  int64_t tiles = 1;
  // Tiles whose rows and columns share digits, where there are any: `element` is what moves then, and `unit` all elements of a
  // row and a column.
  Digits digits;
  int64_t element = 0;
  bool permutes() const { return digits.count > 0; }

  // So many rows of a tile are one behind the other in the source, so many columns in the destination.
  int64_t row_run() const;
  int64_t column_run() const;
};

// `axes` are sorted by falling destination stride; `count` <= kMaxLoops. `tasks`: how many there are to share the tiles.
void make_block(const Axis* axes, int count, int64_t width, int64_t tasks, Store store, Block* block);

// The same for containers of at most a byte, of which one is packed: everything is counted in elements. A strip of a tile of
// single elements fits a stage of kPackedBytes bytes on its way.
inline constexpr int64_t kPackedBytes = 32768;
void make_packed_block(const Axis* axes, int count, int src_bits, int dst_bits, int64_t tasks, Block* block);
// How the tiles of such a block are transposed.
enum class PackedWay : uint8_t {
  kBytewise,  // each byte with those of the rows beside it, then all bytes: containers are equal
  kPlanes,    // all bytes; the columns that a byte holds are then taken out of it one after the other
  kUnpacked,  // unpacked first: runs are short
};
PackedWay packed_way(const Block& block, int src_bits, int dst_bits);

}  // namespace xlashape::simd
