// SPDX-License-Identifier: Apache-2.0
#include "tiles.h"

#include <algorithm>

namespace xlashape::view {
namespace {

// index[dimension] / divisor % extent. The most major one of a dimension may end inside a tile.
struct Part {
  int64_t dimension, divisor, extent;
  bool is_most_major;
};
using Parts = std::vector<Part>;  // most major first

// A dimension of the memory while tiles are applied.
struct Side {
  int64_t size;
  Parts parts;
};

// Cuts the parts into those above and those inside of a tile; false where its border is neither between two of them nor
// divides one.
bool cut(const Parts& parts, int64_t tile, int64_t tiles, Parts* above, Parts* inside) {
  for (size_t i = parts.size(); i-- > 0;) {
    const Part& part = parts[i];
    if (i > 0 && part.extent != 0 && tile % part.extent == 0) {
      tile /= part.extent;
      continue;
    }
    if (part.extent % tile != 0 && !(i == 0 && part.is_most_major)) return false;
    const auto at = parts.begin() + static_cast<std::ptrdiff_t>(i);
    int64_t divisor;  // too large for 64 bits is beyond every index
    if (!multiply(part.divisor, tile, &divisor)) divisor = INT64_MAX;
    above->assign(parts.begin(), at);
    above->push_back({part.dimension, divisor, i == 0 ? tiles : part.extent / tile, part.is_most_major});
    inside->assign({{part.dimension, part.divisor, tile, false}});
    inside->insert(inside->end(), at + 1, parts.end());
    return true;
  }
  return false;
}

}  // namespace

Tiles::Tiles(const LayoutSpec& layout, const std::vector<int64_t>& sizes) {
  std::vector<Side> sides;  // most major first
  for (size_t i = layout.minor_to_major.size(); i-- > 0;) {
    const int64_t dimension = layout.minor_to_major[i], size = sizes[static_cast<size_t>(dimension)];
    sides.push_back({size, {{dimension, 1, size, true}}});
  }
  std::vector<size_t> consists_of;  // per level: of how many of the last sides a tile consists; 0: of none alone
  size_t last_made = SIZE_MAX;
  for (const std::vector<int64_t>& tile : layout.tiles) {
    const size_t count = tile.size();
    if (count > sides.size()) sides.insert(sides.begin(), count - sides.size(), Side{1, {{-1, 1, 1, true}}});
    if (count > last_made) nest_ = false;
    const size_t first = sides.size() - count;
    bool counts = true;
    std::vector<Side> inner, outer(sides.begin(), sides.begin() + static_cast<std::ptrdiff_t>(first));
    for (size_t i = 0; i < count; ++i) {
      Side merged = sides[first + i];
      while (tile[i] == XLASHAPE_COMBINE_DIMENSION && i + 1 < count) {
        const Side& next = sides[first + ++i];
        merged.size *= next.size;
        merged.parts.insert(merged.parts.end(), next.parts.begin(), next.parts.end());
      }
      const bool matches = tile[i] == XLASHAPE_MATCH_DIMENSION;
      const int64_t size = matches ? std::max<int64_t>(sides[first + i].size, 1) : tile[i];
      // `d` of a side that is not in the tile around this one makes a tile that nobody would count.
      counts &= !matches || consists_of.empty() || consists_of.back() + i >= count;
      const int64_t tiles = divide_up(merged.size, size);
      Parts above, inside;
      nest_ = nest_ && cut(merged.parts, size, tiles, &above, &inside);
      outer.push_back({tiles, std::move(above)});
      inner.push_back({size, std::move(inside)});
    }
    last_made = inner.size();
    for (size_t& level : consists_of) level = level < count ? 0 : level - count + 2 * last_made;
    consists_of.push_back(counts ? last_made : 0);
    sides = std::move(outer);
    sides.insert(sides.end(), inner.begin(), inner.end());
  }
  for (const size_t level : consists_of) {
    int64_t positions = level == 0 ? 0 : 1;
    for (size_t i = sides.size() - level; i < sides.size(); ++i)
      if (!multiply(positions, sides[i].size, &positions)) positions = 0;
    if (positions > 0) positions_.push_back(positions);
  }
  int64_t stride = 1;
  for (size_t i = sides.size(); i-- > 0;) {
    int64_t step = stride;
    for (auto part = sides[i].parts.rbegin(); part != sides[i].parts.rend(); ++part) {
      if (part->extent != 1) factors_.push_back({part->dimension, part->divisor, step});
      if (!multiply(step, part->extent, &step)) step = 0;  // only where the array has no elements
    }
    if (!multiply(stride, sides[i].size, &stride)) stride = 0;
  }
}

int64_t Tiles::along(int64_t level, int64_t dimension) const {
  if (!nest_) return 0;
  int64_t indices = INT64_MAX;
  for (const Factor& factor : factors_)
    if (factor.dimension == dimension && factor.stride >= positions(level)) indices = std::min(indices, factor.divisor);
  return indices;
}

}  // namespace xlashape::view
