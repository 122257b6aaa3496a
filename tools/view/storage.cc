// SPDX-License-Identifier: Apache-2.0
#include "storage.h"

#include <algorithm>

namespace xlashape::view {

Storage::Storage(const Shape& array)
    : array_(array),
      sizes_(array.sizes()),
      layout_(array.has_layout() ? array.layout().spec() : LayoutSpec()),
      dimensions_(array.dimensions()),
      extents_(dimensions_) {
  if (layout_.minor_to_major.empty())
    for (int64_t d = rank(); d-- > 0;) layout_.minor_to_major.push_back(d);
  extents_ = rounded_up();
  // The same memory as an array without padding: its index map knows each position.
  LayoutSpec layout = layout_;
  layout.padded_dimensions.clear();
  const Result<Shape> whole = Layout::try_create(layout).and_then(
      [&](const Layout& made) { return Shape::try_array(array.element_type(), extents_, made); });
  const Result<Sizes> stored = whole.and_then([](const Shape& shape) { return shape.try_sizes(); });
  std::vector<int64_t> widths = extents_;
  if (extents_ != dimensions_ && stored &&
      stored->storage_elements - stored->tail_padding == sizes_.storage_elements - sizes_.tail_padding) {
    map_ = IndexMap::of(*whole);
  } else {
    // There is none, or it has no place beside the array, for example behind dimensions that are merged.
    map_ = IndexMap::of(array);
    extents_ = dimensions_;
    widths = layout_.padded_dimensions.empty() ? dimensions_ : layout_.padded_dimensions;
  }
  tiles_ = Tiles(layout_, widths);
  int64_t places = 1;
  for (const int64_t extent : extents_)
    if (!multiply(places, extent, &places)) places = 0;
  elsewhere_ = sizes_.storage_elements - places;
}

// The sizes, or widths where there are some, rounded up to the tiles of the first level.
std::vector<int64_t> Storage::rounded_up() const {
  std::vector<int64_t> extents = layout_.padded_dimensions.empty() ? dimensions_ : layout_.padded_dimensions;
  if (layout_.tiles.empty()) return extents;
  const std::vector<int64_t>& tile = layout_.tiles[0];
  for (size_t i = 0; i < tile.size(); ++i) {
    const int64_t place = rank() - static_cast<int64_t>(tile.size() - i);
    const bool is_merged = i > 0 && tile[i - 1] == XLASHAPE_COMBINE_DIMENSION;
    if (place < 0 || is_merged || tile[i] < 0) continue;  // `*` is merged as well, and `d` rounds nothing up
    int64_t& extent = extents[static_cast<size_t>(major(place))];
    int64_t rounded;
    if (multiply(divide_up(extent, tile[i]), tile[i], &rounded)) extent = rounded;
  }
  return extents;
}

int64_t Storage::major(int64_t place) const { return layout_.minor_to_major[static_cast<size_t>(rank() - 1 - place)]; }

bool Storage::holds_element(const std::vector<int64_t>& index) const {
  for (size_t d = 0; d < index.size(); ++d)
    if (index[d] >= dimensions_[d]) return false;
  return true;
}

bool Storage::index_at(int64_t position, std::vector<int64_t>* index) const {
  index->resize(dimensions_.size());
  return map_.multidimensional_index(position, *index) && holds_element(*index);
}

Place Storage::place(int64_t position) const {
  const int64_t rest = position % 8 * bits();
  return {position / 8 * bits() + rest / 8, rest % 8};
}

int64_t Storage::along(int64_t level, int64_t dimension) const {
  // Of no indices a tile covers its first.
  return std::min(tiles_.along(level, dimension), std::max<int64_t>(extent(dimension), 1));
}

int64_t Storage::border(int64_t a, int64_t b) const {
  for (int64_t level = 0; level < levels(); ++level)
    if (a / tile_positions(level) != b / tile_positions(level)) return level;
  return -1;
}

bool Storage::is_split(int64_t dimension, int64_t before, int64_t after) const {
  for (const Split& split : layout_.splits)
    if (major(split.dimension) == dimension)
      for (const int64_t index : split.indices)
        if (before < index && index <= after) return true;
  return false;
}

}  // namespace xlashape::view
