/* SPDX-License-Identifier: Apache-2.0 */
// Which kernel moves a schedule's tiles. A kernel does not take a tile that it does not know or that its stage has no
// room for. The chooser of schedules asks here, and so needs to know no kernel's limits.
#pragma once
#include "backends/simd/kernels.h"
#include "backends/simd/tiling.h"

namespace xlashape::simd {

enum class KernelKind : uint8_t {
  kNone,
  kMove,        // units as they are, any number of rows and columns
  kMovePlanes,  // units that are contiguous on neither side: the planes are the rows
  kStrided,     // a few units of less than a line, in planes: each unit by itself, in all planes
  kTranspose,   // units of 1, 2, 4, 8 or 16 bytes
  kPermute,     // elements in passes
  kPanel,       // as kMove and kTranspose, past the caches, through a stage of the second cache
};
// `panels`: whether tiles are to be moved as panels.
KernelKind kernel_kind_of(const Tiling& tiling, Store store, bool panels);

// How far apart the columns of a panel's stage are.
int64_t panel_pitch(const Tiling& tiling);

// How many rows follow one another in the source, as far as kernels make use of it.
int64_t useful_row_run(const Tiling& tiling);
// Whether 2 to 8 streams of elements become one, or the reverse; a tile that is both counts as the first. All code that
// needs to know asks here.
inline bool zips(const Tiling& tiling) {
  return tiling.transposes() && tiling.column_run() > 1 && tiling.column_run() * tiling.unit >= kLeastStream &&
         zips(tiling.rows.whole, tiling.unit);
}
inline bool unzips(const Tiling& tiling) {
  return tiling.transposes() && useful_row_run(tiling) > 1 && useful_row_run(tiling) * tiling.unit >= kLeastStream &&
         zips(tiling.columns.whole, tiling.unit) && !zips(tiling);
}
// Fewer rows or columns than a vector of 16 bytes holds.
inline bool is_narrow(const Tiling& tiling) {
  return tiling.rows.whole * tiling.unit < 16 || tiling.columns.whole * tiling.unit < 16;
}

// How a tile of packed elements is moved, `strip` columns at a time.
enum class PackedKernelKind : uint8_t {
  kNone,
  kRuns,      // not transposed: both sides have runs
  kBytewise,  // the elements of bytes of neighbouring rows, then all bytes: containers are equal
  kPlanes,    // all bytes; then the columns that a byte holds are extracted one after the other
  kUnpacked,  // unpacked first: runs are short
};
PackedKernelKind packed_kernel_kind_of(const Tiling& tiling, int64_t strip, int src_bits, int dst_bits);

}  // namespace xlashape::simd
