/* SPDX-License-Identifier: Apache-2.0 */
// Windows: what of an array's storage belongs to a box, where that is an array of its own.
#pragma once
#include <span>

#include "base/arena.h"
#include "index/lower.h"
#include "shape/shape.h"

namespace xlashape::core {

// What decides where a storage may be cut, and into which runs that cuts it.
struct StorageForm {
  // Most major first. Where tiles do not nest, all that they cover is one factor, of no dimension, as it cannot be cut.
  std::span<const Factor> factors;
  // For each dimension its factor of the largest divisor, at whose multiples it is cut; -1 where it has none.
  const int32_t* outermost = nullptr;
  int64_t end = 0;    // positions, without the alignment of the tail
  int64_t bits = 0;   // of a position
  int64_t bytes = 0;  // of all, alignment of the tail included
};
// The array's dimensions are bounded, and must outlive the form. OVERFLOW where the storage has no size.
Status storage_form(const Shape& array, Arena& arena, StorageForm* form, Error* err);

// Runs of consecutive positions: one is at each sum of index * stride over all loops.
struct Runs {
  struct Loop {
    int64_t extent, stride;
  };
  int64_t length = 1;           // of each
  int64_t count = 1;            // of runs, the product of the loops' extents
  std::span<const Loop> loops;  // most major first
};
// The runs of a part of a storage with factors that have these extents there. Without an arena only their length and
// count are found.
Runs runs_of(const StorageForm& form, const int64_t* extents, Arena* arena);

// An array that lies in another one's storage, in runs of bytes.
struct Window {
  Ref<Shape> shape;
  int64_t byte_offset = 0;  // of its first byte
  int64_t bytes = 0;        // of all its runs
  Runs runs;                // in bytes
};
// The window at `base` (null: 0...0) of `extent`. UNSUPPORTED where that would cut a tile or a byte.
Status window_of(const Shape& array, const int64_t* base, const int64_t* extent, Arena& arena, Window* window,
                 Error* err);
// Where the runs from number `first` on begin, in the storage. OUT_OF_RANGE where there are fewer.
Status run_offsets(const Window& window, int64_t first, std::span<int64_t> offsets, Error* err);

// For each dimension the number of indices at whose multiples windows begin and end; the whole dimension where there is
// no such place.
Status window_granularity(const Shape& array, int64_t* granularity, Error* err);

}  // namespace xlashape::core
