/* SPDX-License-Identifier: Apache-2.0 */
// All facts about one array, gathered once, then written as text or as JSON.
#pragma once
#include <optional>
#include <string>
#include <vector>
#include <xlashape/target.hpp>

#include "cli/base/array.h"

namespace xlashape::cli {

struct SizesWithWaste {
  Sizes exact;
  // Bytes of the elements alone, each in its type's own storage, or in E(n) where that is narrower. This is the size
  // without layouts: pred[8]{0:E(32)} has 8 logical bytes.
  int64_t logical_bytes;
  std::optional<double> waste_ratio;  // exact.bytes / logical_bytes; none for an empty array
};

// One dimension of a tile: which dimension of the array it cuts (-1: one that the tile adds), and into how many.
struct TileSide {
  int64_t dimension;
  int64_t size;    // XLASHAPE_COMBINE_DIMENSION: merged with the next; that of the dimension for `d`
  int64_t pieces;  // 1 for a merged one
};

struct Facts {
  Shape shape;
  Layout layout;  // empty where the text was made without one
  ElementType type;
  Integers dimensions;
  std::vector<uint8_t> dynamic;
  int64_t rank = 0, true_rank = 0;
  bool unbounded = false;
  Integers minor_to_major;  // row-major without a layout, or without an order in it
  Integers padded;          // padded_dimensions, or the dimensions
  std::vector<Integers> tiles;
  std::optional<SizesWithWaste> sizes;
  std::string no_sizes;             // why there are none
  std::optional<Integers> strides;  // in elements
  std::optional<Integers> byte_strides;
  std::string no_strides;
  std::vector<TileSide> first_tile;  // the first level, most major first; empty without tiles or sizes
  int64_t tile_count = 0, tile_elements = 0;
  bool chosen = false;            // the layout is the target's choice
  std::string memory_space_name;  // on the target; empty where it is not known
};

// With a target an array without a layout gets the one that its compiler chooses, so that `shape` differs from `array`.
// A scalar whose layout sets nothing counts as one without.
Facts facts_of(const Shape& array, std::optional<Target> target = std::nullopt);
std::optional<SizesWithWaste> sizes_with_waste(const Shape& array, std::string* why_not);

// A size of a tile as a layout's text has it: "128", "*", "d".
std::string tile_size_text(int64_t size);

// A leaf of a tuple and its place in it, "{0,1}".
struct Leaf {
  std::string path;
  Shape shape;
};
std::vector<Leaf> leaves_of(const Shape& tuple);
// The same for a leaf that is an array; a Failure names its path.
Facts facts_of(const Leaf& leaf, std::optional<Target> target);

// Why XLA's number of bytes differs from the exact one, and where a layout contradicts itself.
struct Difference {
  bool split = false;                 // XLA's bytes are those of the largest part
  std::string why;                    // empty where the numbers are equal, or one is not known
  std::vector<std::string> warnings;  // of layouts that compilers and the index function read differently
};

Difference xla_difference(const Facts& facts);

}  // namespace xlashape::cli
