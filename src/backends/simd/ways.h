// Which kernel a schedule's tiles go through. A tile that a kernel's stage has no room for, or that it does not know, has no way
// there: so whoever chooses a schedule asks here, and needs to know nothing of any kernel's limits.
#pragma once
#include "backends/simd/kernels.h"
#include "backends/simd/tiling.h"

namespace xlashape::simd {

enum class Way : uint8_t {
  kNone,
  kMove,       // units as they are: any number of rows and columns of them
  kMoveApart,  // units that lie alone on both sides: the planes are the rows
  kTranspose,  // units of 1, 2, 4, 8 or 16 bytes
  kPermute,    // elements in passes
};
Way way_of(const Tiling& tiling, Store store);

// Rows that follow one another in the source, as far as that is of use.
int64_t useful_row_run(const Tiling& tiling);
// 2 to 8 streams of elements that become one, or the reverse; where a tile is both, the first. Whoever asks which it is asks here.
inline bool zips(const Tiling& tiling) {
  return tiling.transposes() && tiling.column_run() > 1 && zips(tiling.rows.whole, tiling.unit);
}
inline bool unzips(const Tiling& tiling) {
  return tiling.transposes() && useful_row_run(tiling) > 1 && zips(tiling.columns.whole, tiling.unit) && !zips(tiling);
}
// Fewer rows or columns than a vector of 16 bytes holds.
inline bool is_narrow(const Tiling& tiling) {
  return tiling.rows.whole * tiling.unit < 16 || tiling.columns.whole * tiling.unit < 16;
}

// How a tile of packed elements is transposed, `strip` columns at a time.
enum class PackedWay : uint8_t {
  kNone,
  kRuns,      // not at all: both sides have runs
  kBytewise,  // each byte with those of the rows beside it, then all bytes: containers are equal
  kPlanes,    // all bytes; the columns that a byte holds are then taken out of it one after the other
  kUnpacked,  // unpacked first: runs are short
};
PackedWay packed_way_of(const Tiling& tiling, int64_t strip, int src_bits, int dst_bits);

}  // namespace xlashape::simd
