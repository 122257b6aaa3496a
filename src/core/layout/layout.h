/* SPDX-License-Identifier: Apache-2.0 */
// A layout: how an array is arranged in memory (xla/layout.h, plus padded_dimensions and padding_value).
#pragma once
#include <span>

#include "base/ref.h"
#include "base/small_vec.h"
#include "base/status.h"

namespace xlashape::core {

// The fields that are one number each. The values here are those of a layout that does not set them.
struct LayoutScalars {
  int64_t padding_value = XLASHAPE_PAD_INVALID;
  int64_t memory_space = 0;
  int64_t element_size_in_bits = 0;
  int64_t tail_padding_alignment = 1;
  int64_t metadata_prefix_bytes = 0;

  friend bool operator==(const LayoutScalars&, const LayoutScalars&) = default;
};
inline constexpr LayoutScalars kUnsetScalars;

// All fields of a layout. layout_fields.h holds their table.
struct LayoutData : LayoutScalars {
  SmallVec<int64_t, 6> minor_to_major;
  SmallVec<int64_t, 2> padded_dimensions;  // empty, or one width per dimension
  SmallVec<int64_t, 3> tile_ranks;         // sizes per level
  SmallVec<int64_t, 5> tile_dimensions;
  SmallVec<int64_t, 1> split_dimensions;
  SmallVec<int64_t, 1> split_sizes;
  SmallVec<int64_t, 1> split_indices;
};

}  // namespace xlashape::core

// The C handle is the C++ type. Built field by field, checked by validate_layout, immutable from then on.
struct xlashape_layout final : xlashape::core::RefCounted, xlashape::core::LayoutData {
  xlashape_layout() = default;
  explicit xlashape_layout(const xlashape::core::LayoutData& data) : LayoutData(data) {}

  // 0 where minor_to_major is not set. An array of any rank may have such a layout if it sets a memory space, and its
  // elements are where they are without a layout.
  int64_t rank() const { return minor_to_major.ssize(); }
  bool has_order_for(int64_t rank_of_array) const { return rank() == rank_of_array; }
  // The dimension that is `i`-th, counted from the most major one.
  int64_t major(int64_t i) const {
    return minor_to_major.empty() ? i : minor_to_major[static_cast<size_t>(rank() - 1 - i)];
  }
  bool has_tiles() const { return !tile_ranks.empty(); }
  bool has_padding() const { return !padded_dimensions.empty(); }

  static void destroy(xlashape_layout* layout) noexcept { delete layout; }
};

namespace xlashape::core {

using Layout = ::xlashape_layout;

Ref<Layout> make_row_major(int64_t rank);     // throws bad_alloc
Ref<Layout> make_column_major(int64_t rank);  // throws bad_alloc

// Visits the tile levels, first applied first: f(level, span of sizes, most major first).
template <class F>
void for_each_tile(const Layout& layout, F&& f) {
  size_t first = 0;
  for (size_t level = 0; level < layout.tile_ranks.size(); ++level) {
    const auto count = static_cast<size_t>(layout.tile_ranks[level]);
    f(level, std::span<const int64_t>(layout.tile_dimensions.data() + first, count));
    first += count;
  }
}

// Visits the splits: f(physical dimension, span of indices).
template <class F>
void for_each_split(const Layout& layout, F&& f) {
  size_t first = 0;
  for (size_t i = 0; i < layout.split_sizes.size(); ++i) {
    const auto count = static_cast<size_t>(layout.split_sizes[i]);
    f(layout.split_dimensions[i], std::span<const int64_t>(layout.split_indices.data() + first, count));
    first += count;
  }
}

bool equal(const Layout& a, const Layout& b, uint32_t mask) noexcept;
// Equal layouts hash alike under the same mask.
uint64_t hash(const Layout& layout, uint32_t mask) noexcept;

}  // namespace xlashape::core
