#include "draw/storage.h"

#include <algorithm>

#include "base/checked.h"
#include "index/sizes.h"
#include "ir/map.h"

namespace xlashape::core::draw {

Status Storage::init(const Shape& array, Error* err) {
  array_ = &array;
  XLASHAPE_TRY(array_sizes(array, &sizes_, err));
  find_extents();
  if (array.layout) {
    LayoutData data = *array.layout;
    data.padded_dimensions.clear();
    layout_ = Ref<Layout>::adopt(new Layout(data));
  }
  const int64_t stored = sizes_.elements + sizes_.dimension_padding;
  if (lower_layout(extents_, layout_.get(), 0, arena_, &lowered_, nullptr) != XLASHAPE_STATUS_OK ||
      lowered_.map.data_positions != stored) {
    // The padding has no place beside the array, for example behind dimensions that are merged.
    extents_.assign(array.dimensions.begin(), array.dimensions.end());
    layout_ = array.layout;
    XLASHAPE_TRY(lower_layout(extents_, layout_.get(), 0, arena_, &lowered_, err));
  }
  int64_t places = 1;
  for (const int64_t extent : extents_)
    if (!checked_mul(places, extent, &places)) places = 0;
  elsewhere_ = sizes_.storage_elements - places;
  find_tiles();
  return XLASHAPE_STATUS_OK;
}

// Widths, rounded up to the tiles of the first level.
void Storage::find_extents() {
  const Layout* layout = array_->layout.get();
  extents_.assign(array_->dimensions.begin(), array_->dimensions.end());
  if (layout == nullptr) return;
  if (layout->has_padding()) extents_.assign(layout->padded_dimensions.begin(), layout->padded_dimensions.end());
  const int64_t rank = array_->rank();
  for_each_tile(*layout, [&](size_t level, std::span<const int64_t> tile) {
    if (level > 0) return;
    const auto count = static_cast<int64_t>(tile.size());
    for (int64_t i = 0; i < count; ++i) {
      const int64_t physical = rank - count + i;
      const int64_t side = tile[static_cast<size_t>(i)];
      const bool merged = i > 0 && tile[static_cast<size_t>(i - 1)] == XLASHAPE_COMBINE_DIMENSION;
      if (physical < 0 || merged || side < 0) continue;  // `*` is merged as well, and `d` rounds nothing up
      int64_t& extent = extents_[static_cast<size_t>(layout->major(physical))];
      int64_t rounded;
      if (checked_round_up(extent, side, &rounded)) extent = rounded;
    }
  });
}

// Positions of a tile: each level is applied to the sizes inside the tiles around it.
void Storage::find_tiles() {
  if (!layout_) return;
  std::vector<std::vector<int64_t>> inside;  // per level, the sizes that its tile consists of by now
  for_each_tile(*layout_, [&](size_t level, std::span<const int64_t> given) {
    std::vector<int64_t> tile, sides;
    bool known = true;
    for (size_t i = 0; i < given.size(); ++i) {
      int64_t side = given[i];
      if (side == XLASHAPE_MATCH_DIMENSION) {
        // A side of the tile around this one, or a dimension.
        const int64_t count = level > 0 ? static_cast<int64_t>(inside.back().size()) : rank();
        const int64_t place = count - static_cast<int64_t>(given.size() - i);
        known &= place >= 0 || level == 0;
        side = place < 0    ? 1
               : level == 0 ? std::max<int64_t>(extent(layout_->major(place)), 1)
                            : inside.back()[static_cast<size_t>(place)];
      }
      tile.push_back(side);
      if (side != XLASHAPE_COMBINE_DIMENSION) sides.push_back(side);
    }
    for (std::vector<int64_t>& sizes : inside) {
      if (sizes.size() < tile.size()) sizes.clear();  // this level reaches over the tile's borders
      if (sizes.empty()) continue;
      const size_t first = sizes.size() - tile.size();
      std::vector<int64_t> next(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(first));
      int64_t merged = 1;
      for (size_t i = 0; i < tile.size(); ++i) {
        int64_t size;
        if (!checked_mul(sizes[first + i], merged, &size)) size = 0;
        merged = tile[i] == XLASHAPE_COMBINE_DIMENSION ? size : 1;
        if (tile[i] != XLASHAPE_COMBINE_DIMENSION) next.push_back(ceil_div(size, tile[i]));
      }
      next.insert(next.end(), sides.begin(), sides.end());
      sizes = std::move(next);
    }
    if (!known) sides.clear();
    inside.push_back(std::move(sides));
  });
  for (const std::vector<int64_t>& sizes : inside) {
    int64_t positions = sizes.empty() ? 0 : 1;
    for (const int64_t size : sizes)
      if (!checked_mul(positions, size, &positions)) positions = 0;
    if (positions > 0) tiles_.push_back(positions);
  }
}

int64_t Storage::position(const std::vector<int64_t>& index) const { return ir::position(lowered_.map, index.data()); }

bool Storage::holds_element(const std::vector<int64_t>& index) const {
  for (size_t d = 0; d < index.size(); ++d)
    if (index[d] >= array_->dimensions[d]) return false;
  return true;
}

bool Storage::index_at(int64_t position, std::vector<int64_t>* index) const {
  index->resize(extents_.size());
  return ir::index_at(lowered_.map, position, index->data()) && holds_element(*index);
}

Place Storage::place(int64_t position) const {
  const int64_t rest = position % 8 * bits();
  return {position / 8 * bits() + rest / 8, rest % 8};
}

int64_t Storage::along(int64_t level, int64_t dimension) const {
  if (!lowered_.separable) return 0;
  int64_t indices = std::max<int64_t>(extent(dimension), 1);  // of none a tile covers its first
  for (const Factor& factor : lowered_.factors)
    if (factor.dimension == dimension && factor.stride >= tile_positions(level))
      indices = std::min(indices, factor.divisor);
  return indices;
}

int64_t Storage::border(int64_t a, int64_t b) const {
  for (int64_t level = 0; level < levels(); ++level)
    if (a / tile_positions(level) != b / tile_positions(level)) return level;
  return -1;
}

bool Storage::is_split(int64_t dimension, int64_t before, int64_t after) const {
  if (!layout_) return false;
  bool split = false;
  for_each_split(*layout_, [&](int64_t physical, std::span<const int64_t> indices) {
    if (layout_->major(physical) != dimension) return;
    for (const int64_t index : indices) split |= before < index && index <= after;
  });
  return split;
}

}  // namespace xlashape::core::draw
