// An array's storage as pictures need it: where each index is, also one in the padding beside the array, and which tile
// holds a position.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/arena.h"
#include "index/lower.h"
#include "shape/shape.h"

namespace xlashape::core::draw {

// Where the blocks of `size` bits that positions take begin.
struct Place {
  int64_t byte;
  int64_t bit;  // within that byte
};

class Storage {
 public:
  Storage() : arena_(buffer_, sizeof buffer_) {}

  // `array` must be an array, and outlive this.
  Status init(const Shape& array, Error* err);

  const Shape& array() const { return *array_; }
  const xlashape_sizes& sizes() const { return sizes_; }
  int64_t rank() const { return array_->rank(); }
  int64_t size(int64_t dimension) const { return array_->dimensions[static_cast<size_t>(dimension)]; }
  // The size with the padding that lies beside the array in this dimension: what tiles and widths round it up to.
  int64_t extent(int64_t dimension) const { return extents_[static_cast<size_t>(dimension)]; }
  // Positions of padding that have no index even so: inside tiles, behind merged dimensions, at the end.
  int64_t padding_elsewhere() const { return elsewhere_; }

  // `index` must be within the extents.
  int64_t position(const std::vector<int64_t>& index) const;
  bool holds_element(const std::vector<int64_t>& index) const;
  // The index of the element at a position of the storage; false for padding.
  bool index_at(int64_t position, std::vector<int64_t>* index) const;
  Place place(int64_t position) const;
  int64_t bits() const { return sizes_.element_bits; }

  // Tile levels, the outermost first. Those that are no run of positions, because a later level reaches over their
  // borders, are left out.
  int64_t levels() const { return static_cast<int64_t>(tiles_.size()); }
  int64_t tile_positions(int64_t level) const { return tiles_[static_cast<size_t>(level)]; }
  // The indices along a dimension that one tile of that level covers; 0 where they are not a fixed number.
  int64_t along(int64_t level, int64_t dimension) const;
  // The outermost level at which two positions are in different tiles; -1 if they share all.
  int64_t border(int64_t a, int64_t b) const;
  // Whether the array is split between two neighbouring places along a dimension.
  bool is_split(int64_t dimension, int64_t before, int64_t after) const;

 private:
  void find_extents();
  void find_tiles();

  const Shape* array_ = nullptr;
  xlashape_sizes sizes_{};
  std::vector<int64_t> extents_;
  int64_t elsewhere_ = 0;
  std::vector<int64_t> tiles_;  // positions of a tile, per level
  Ref<Layout> layout_;          // without widths, which the extents have
  Lowered lowered_;             // of the extents
  alignas(16) char buffer_[2048];
  Arena arena_;
};

}  // namespace xlashape::core::draw
