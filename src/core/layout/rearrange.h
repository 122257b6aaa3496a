/* SPDX-License-Identifier: Apache-2.0 */
// Makes layouts from layouts: renumbers, adds, removes and moves dimensions together with their widths and splits.
#pragma once
#include <span>

#include "layout/layout.h"

namespace xlashape::core {

// A copy that may be changed until it is shared.
Ref<Layout> copy_layout(const LayoutData& from);

// The layout `from` in the order `minor_to_major` (new numbers). Dimension d of `from` becomes new_of_old[d], or is
// removed if that is -1; `added_width[n]` is the padded width of a dimension n that is new. Tiles and all else stay.
Ref<Layout> renumber(const Layout& from, std::span<const int64_t> minor_to_major, std::span<const int64_t> new_of_old,
                     std::span<const int64_t> added_width);

// The layout of an array of rank `rank`, with the default order if it has none.
Ref<Layout> with_order(const Ref<Layout>& from, int64_t rank);

// The same dimensions in another order.
Ref<Layout> reorder(const Layout& from, std::span<const int64_t> minor_to_major);
Ref<Layout> move_dimension(const Layout& from, int64_t dimension, bool to_major);

// Removes the dimensions with a non-zero `deleted`. Does not look at tiles: see bitcast/rank.h.
Ref<Layout> without_dimensions(const Layout& from, std::span<const uint8_t> deleted);

// Whether the dimensions, in any order, are neighbours in minor_to_major.
bool are_consecutive(const Layout& layout, std::span<const int64_t> dimensions);

}  // namespace xlashape::core
