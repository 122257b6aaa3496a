/* SPDX-License-Identifier: Apache-2.0 */
// The tiles of a layout: how many positions a tile takes, and which block of indices it is.
#pragma once
#include <cstdint>
#include <vector>
#include <xlashape/layout.hpp>

namespace xlashape::view {

// For numbers that are not negative; false where the product does not fit.
inline bool multiply(int64_t a, int64_t b, int64_t* product) {
  if (b != 0 && a > INT64_MAX / b) return false;
  *product = a * b;
  return true;
}
inline int64_t divide_up(int64_t a, int64_t b) { return a / b + (a % b != 0); }

class Tiles {
 public:
  Tiles() = default;
  // `sizes`: of the dimensions, with their widths. The layout must have an index map for them.
  Tiles(const LayoutSpec& layout, const std::vector<int64_t>& sizes);

  // The outermost first. Those that are no run of positions, because a later level reaches over their borders, are left
  // out.
  int64_t levels() const { return static_cast<int64_t>(positions_.size()); }
  int64_t positions(int64_t level) const { return positions_[static_cast<size_t>(level)]; }
  // The indices along a dimension that one tile of that level covers, more than there are where it covers all; 0 where
  // they are not a fixed number.
  int64_t along(int64_t level, int64_t dimension) const;

 private:
  // Neighbours in it are `stride` positions apart: index[dimension] / divisor % (some extent).
  struct Factor {
    int64_t dimension, divisor, stride;
  };

  std::vector<int64_t> positions_;  // of a tile, per level
  std::vector<Factor> factors_;
  bool nest_ = true;  // the factors say everything
};

}  // namespace xlashape::view
