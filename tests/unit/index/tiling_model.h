/* SPDX-License-Identifier: Apache-2.0 */
// The physical order as xla-parity states it, one index at a time and with nothing precomputed: pad, permute, tile
// level by level, number row-major. Shares no code with the library.
#pragma once
#include <vector>

#include "shape/shape.h"

namespace xlashape::core::testing {

struct Place {
  std::vector<int64_t> bounds, index;  // physical, most major first
};

// The final bounds and where `index` (in bounds) stands in them.
inline Place place(const Shape& array, const std::vector<int64_t>& index) {
  const Layout& layout = *array.layout;
  Place at;
  for (int64_t i = 0; i < array.rank(); ++i) {
    const auto place = static_cast<size_t>(array.rank() - 1 - i);  // counted from the most minor one
    const auto d =
        layout.minor_to_major.empty() ? static_cast<size_t>(i) : static_cast<size_t>(layout.minor_to_major[place]);
    at.bounds.push_back(layout.has_padding() ? layout.padded_dimensions[d] : array.dimensions[d]);
    at.index.push_back(index[d]);
  }
  for_each_tile(layout, [&](size_t, std::span<const int64_t> tile) {
    while (at.bounds.size() < tile.size()) {
      at.bounds.insert(at.bounds.begin(), 1);
      at.index.insert(at.index.begin(), 0);
    }
    const size_t prefix = at.bounds.size() - tile.size();
    // Merge for each `*`, then split by what remains.
    std::vector<int64_t> bounds, index, sizes;
    std::vector<int64_t> given(tile.begin(), tile.end());
    for (size_t i = 0; i < given.size(); ++i)  // `d` is as large as what it covers, and never 0
      if (given[i] == XLASHAPE_MATCH_DIMENSION) given[i] = at.bounds[prefix + i] == 0 ? 1 : at.bounds[prefix + i];
    int64_t bound = 1, value = 0;
    for (size_t i = 0; i < tile.size(); ++i) {
      bound *= at.bounds[prefix + i];
      value = value * at.bounds[prefix + i] + at.index[prefix + i];
      if (given[i] == XLASHAPE_COMBINE_DIMENSION) continue;
      bounds.push_back(bound), index.push_back(value), sizes.push_back(given[i]);
      bound = 1, value = 0;
    }
    at.bounds.resize(prefix), at.index.resize(prefix);
    for (size_t i = 0; i < sizes.size(); ++i) {
      at.bounds.push_back((bounds[i] + sizes[i] - 1) / sizes[i]);
      at.index.push_back(index[i] / sizes[i]);
    }
    for (size_t i = 0; i < sizes.size(); ++i) {
      at.bounds.push_back(sizes[i]);
      at.index.push_back(index[i] % sizes[i]);
    }
  });
  return at;
}

inline int64_t linear(const Place& at) {
  int64_t position = 0;
  for (size_t i = 0; i < at.bounds.size(); ++i) position = position * at.bounds[i] + at.index[i];
  return position;
}

inline int64_t storage_elements(const Shape& array) {
  int64_t product = 1;
  for (const int64_t bound : place(array, std::vector<int64_t>(static_cast<size_t>(array.rank()), 0)).bounds)
    product *= bound;
  const int64_t tail = array.layout->tail_padding_alignment;
  return (product + tail - 1) / tail * tail;
}

}  // namespace xlashape::core::testing
