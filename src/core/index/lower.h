/* SPDX-License-Identifier: Apache-2.0 */
// Lowers a layout to its index map: the program (map_ir) that is run, and the factors that planning needs.
#pragma once
#include <span>

#include "base/arena.h"
#include "layout/layout.h"
#include "xlashape_backend.h"

namespace xlashape::core {

// A factor of a dimension's size, to which belongs one mixed-radix digit of its index, and how far one step of that
// moves in memory: over the factors of a dimension, index = sum of digit * divisor, 0 <= digit < extent; position = sum
// of digit * stride over all factors.
struct Factor {
  int32_t dimension;  // rank and above: a dimension of size 1 that a tile longer than the rank added
  int64_t divisor;    // the factors of a dimension have divisors 1, e1, e1*e2, ... of their extents, in some order
  int64_t extent;
  int64_t stride;  // in positions
};

struct Lowered {
  xlashape_map_ir map;
  std::span<const Factor> factors;  // most major first; those of extent 1 left out
  int32_t extra_dimensions = 0;     // dimensions of size 1 beyond the rank
  bool separable =
      false;  // the factors describe the layout completely (tiles nest, merged dimensions divide, monotonic)
  // Positions rise with every index, so that the last element has the highest one. False where a tile level covers more
  // than the inner dimensions of the level before it: an inner factor may then be more major than an outer one.
  bool monotonic = true;
};

// Lowers an array's layout (null: row-major); `dimensions` must be bounded. The arrays live in the arena, and the map
// refers to `dimensions`. OVERFLOW where the storage does not fit int64, UNSUPPORTED for what has no physical order.
Status lower_layout(std::span<const int64_t> dimensions, const Layout* layout, int32_t unit_bits, Arena& arena,
                    Lowered* out, Error* err);

// Makes the program alone, with any number of values and without reciprocals: it can be read, but not run.
Status lower_to_read(std::span<const int64_t> dimensions, const Layout* layout, Arena& arena, xlashape_map_ir* map,
                     Error* err);

// A strided side instead of a layout; strides and positions in units of so many bits, index 0...0 at `first`.
void lower_strides(std::span<const int64_t> dimensions, const int64_t* strides, int32_t unit_bits, int64_t first,
                   Arena& arena, Lowered* out);

// How many of the most major dimensions no tile covers, so that they may be added and removed; -1 where a tile has more
// sizes than there are dimensions, so that it would cover new ones too.
int64_t dimensions_above_tiles(const Layout& layout, int64_t rank) noexcept;

}  // namespace xlashape::core
