// SPDX-License-Identifier: Apache-2.0
#include "layout/rearrange.h"

#include <algorithm>

namespace xlashape::core {
namespace {

// The place of each dimension, counted from the most major one.
SmallVec<int64_t, 8> places(std::span<const int64_t> minor_to_major) {
  SmallVec<int64_t, 8> place;
  place.resize(minor_to_major.size());
  for (size_t i = 0; i < minor_to_major.size(); ++i)
    place[static_cast<size_t>(minor_to_major[i])] = static_cast<int64_t>(minor_to_major.size() - 1 - i);
  return place;
}

}  // namespace

Ref<Layout> copy_layout(const LayoutData& from) { return Ref<Layout>::adopt(new Layout(from)); }

Ref<Layout> renumber(const Layout& from, std::span<const int64_t> minor_to_major, std::span<const int64_t> new_of_old,
                     std::span<const int64_t> added_width) {
  Ref<Layout> layout = copy_layout(from);
  layout->minor_to_major.assign(minor_to_major);
  if (from.has_padding()) {
    layout->padded_dimensions.assign(added_width);
    for (size_t d = 0; d < new_of_old.size(); ++d)
      if (new_of_old[d] >= 0) layout->padded_dimensions[static_cast<size_t>(new_of_old[d])] = from.padded_dimensions[d];
  }
  if (from.split_sizes.empty()) return layout;
  layout->split_dimensions.clear();
  layout->split_sizes.clear();
  layout->split_indices.clear();
  const SmallVec<int64_t, 8> place = places(minor_to_major);
  for_each_split(from, [&](int64_t physical, std::span<const int64_t> indices) {
    const int64_t dimension = new_of_old[static_cast<size_t>(from.major(physical))];
    if (dimension < 0) return;
    layout->split_dimensions.push_back(place[static_cast<size_t>(dimension)]);
    layout->split_sizes.push_back(static_cast<int64_t>(indices.size()));
    for (const int64_t index : indices) layout->split_indices.push_back(index);
  });
  return layout;
}

Ref<Layout> with_order(const Ref<Layout>& from, int64_t rank) {
  return from->has_order_for(rank) ? from : reorder(*from, make_row_major(rank)->minor_to_major);
}

Ref<Layout> reorder(const Layout& from, std::span<const int64_t> minor_to_major) {
  SmallVec<int64_t, 8> same;
  for (int64_t d = 0; d < from.rank(); ++d) same.push_back(d);
  return renumber(from, minor_to_major, same, from.padded_dimensions);
}

Ref<Layout> move_dimension(const Layout& from, int64_t dimension, bool to_major) {
  SmallVec<int64_t, 8> order;
  if (!to_major) order.push_back(dimension);
  for (const int64_t d : from.minor_to_major)
    if (d != dimension) order.push_back(d);
  if (to_major) order.push_back(dimension);
  return reorder(from, order);
}

Ref<Layout> without_dimensions(const Layout& from, std::span<const uint8_t> deleted) {
  SmallVec<int64_t, 8> new_of_old, order, widths;
  int64_t kept = 0;
  for (const uint8_t gone : deleted) new_of_old.push_back(gone ? -1 : kept++);
  for (const int64_t d : from.minor_to_major)
    if (!deleted[static_cast<size_t>(d)]) order.push_back(new_of_old[static_cast<size_t>(d)]);
  widths.resize(static_cast<size_t>(kept), 0);
  return renumber(from, order, new_of_old, widths);
}

bool are_consecutive(const Layout& layout, std::span<const int64_t> dimensions) {
  if (dimensions.size() > layout.minor_to_major.size()) return false;
  const SmallVec<int64_t, 8> place = places(layout.minor_to_major);
  SmallVec<uint8_t, 32> seen;
  seen.resize(layout.minor_to_major.size(), 0);
  int64_t first = layout.rank(), last = -1;
  for (const int64_t d : dimensions) {
    if (d < 0 || d >= layout.rank() || seen[static_cast<size_t>(d)]) return false;
    seen[static_cast<size_t>(d)] = 1;
    first = std::min(first, place[static_cast<size_t>(d)]);
    last = std::max(last, place[static_cast<size_t>(d)]);
  }
  return dimensions.empty() || last - first + 1 == static_cast<int64_t>(dimensions.size());
}

}  // namespace xlashape::core
