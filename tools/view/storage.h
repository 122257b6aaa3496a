/* SPDX-License-Identifier: Apache-2.0 */
// An array's storage as pictures need it: where each index is, also one in the padding beside the array, and which tile
// holds a position.
#pragma once
#include <cstdint>
#include <vector>
#include <xlashape/index_map.hpp>

#include "tiles.h"

namespace xlashape::view {

// Where the blocks of `size` bits that positions take begin.
struct Place {
  int64_t byte;
  int64_t bit;  // within that byte
};

class Storage {
 public:
  // Throws what the library says of a shape that has no sizes or no index map.
  explicit Storage(const Shape& array);

  const Shape& array() const { return array_; }
  const Sizes& sizes() const { return sizes_; }
  int64_t rank() const { return static_cast<int64_t>(dimensions_.size()); }
  int64_t size(int64_t dimension) const { return dimensions_[static_cast<size_t>(dimension)]; }
  // The size with the padding that lies beside the array in this dimension: what tiles and widths round it up to.
  int64_t extent(int64_t dimension) const { return extents_[static_cast<size_t>(dimension)]; }
  // Dimensions by their place in memory, 0 the most major one.
  int64_t major(int64_t place) const;
  // Positions of padding that have no index even so: inside tiles, behind merged dimensions, at the end.
  int64_t padding_elsewhere() const { return elsewhere_; }
  // In front of position 0.
  int64_t metadata_bytes() const { return layout_.dynamic_shape_metadata_prefix_bytes; }

  // `index` must be within the extents.
  int64_t position(const std::vector<int64_t>& index) const { return map_.linear_index(index); }
  bool holds_element(const std::vector<int64_t>& index) const;
  // The index of the element at a position of the storage; false for padding.
  bool index_at(int64_t position, std::vector<int64_t>* index) const;
  Place place(int64_t position) const;
  int64_t bits() const { return sizes_.element_bits; }

  // Tile levels, the outermost first.
  int64_t levels() const { return tiles_.levels(); }
  int64_t tile_positions(int64_t level) const { return tiles_.positions(level); }
  // The indices along a dimension that one tile of that level covers; 0 where they are not a fixed number.
  int64_t along(int64_t level, int64_t dimension) const;
  // The outermost level at which two positions are in different tiles; -1 if they share all.
  int64_t border(int64_t a, int64_t b) const;
  // Whether the array is split between two neighbouring places along a dimension.
  bool is_split(int64_t dimension, int64_t before, int64_t after) const;

 private:
  std::vector<int64_t> rounded_up() const;

  Shape array_;
  Sizes sizes_;
  LayoutSpec layout_;  // with an order in any case
  std::vector<int64_t> dimensions_, extents_;
  IndexMap map_;  // of the extents
  Tiles tiles_;
  int64_t elsewhere_ = 0;
};

}  // namespace xlashape::view
