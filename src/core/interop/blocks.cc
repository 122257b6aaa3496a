// SPDX-License-Identifier: Apache-2.0
#include "interop/blocks.h"

#include <algorithm>

#include "base/checked.h"
#include "layout/validate.h"

namespace xlashape::core {
namespace {

// Which run of the sequence each part is in. Within a run the dimensions rise in physical order, as the parts of one
// tile level do: a part that does not opens the next level.
struct Run {
  Block block;
  size_t level;
};

}  // namespace

Status layout_from_blocks(std::span<const int64_t> dimensions, const Blocks& blocks, Ref<Layout>* result, Error* err) {
  const size_t rank = dimensions.size();
  SmallVec<int64_t, 8> place;  // of each dimension: how many are more major
  place.resize(rank);
  std::fill(place.begin(), place.end(), -1);
  int64_t placed = 0;
  SmallVec<Run, 12> runs;
  size_t level = 0;
  for (const Block& block : blocks) {
    const auto d = static_cast<size_t>(block.dimension);
    if (place[d] < 0) place[d] = placed++;
    if (block.extent == 1) continue;
    if (!runs.empty()) {
      Run& last = runs.back();
      const auto before = static_cast<size_t>(last.block.dimension);
      if (before == d && last.block.extent != kRest) {
        if (!checked_mul(last.block.extent, block.extent, &last.block.extent))
          return fail(err, XLASHAPE_STATUS_OVERFLOW, "the blocks of dimension %zu do not fit 64 bits", d);
        continue;
      }
      if (place[before] >= place[d]) ++level;
    }
    runs.push_back({block, level});
  }
  auto layout = Ref<Layout>::adopt(new Layout);
  layout->minor_to_major.resize(rank);
  for (size_t d = 0; d < rank; ++d)
    layout->minor_to_major[rank - 1 - static_cast<size_t>(place[d])] = static_cast<int64_t>(d);
  for (size_t at = 1; at <= level; ++at) {
    // Of each dimension, in physical order, what this level and those after it have: of one whose outermost part is
    // among that all of it.
    SmallVec<int64_t, 8> tile, all;
    tile.resize(rank);
    all.resize(rank);
    std::fill(tile.begin(), tile.end(), 1);
    std::fill(all.begin(), all.end(), 0);
    for (const Run& run : runs) {
      if (run.level < at) continue;
      const auto d = static_cast<size_t>(run.block.dimension);
      const auto i = static_cast<size_t>(place[d]);
      if (run.block.extent == kRest)
        all[i] = 1;
      else if (!checked_mul(tile[i], run.block.extent, &tile[i]))
        return fail(err, XLASHAPE_STATUS_OVERFLOW, "the blocks of dimension %zu do not fit 64 bits", d);
    }
    for (size_t d = 0; d < rank; ++d) {
      const auto i = static_cast<size_t>(place[d]);
      if (all[i] == 0) continue;
      const int64_t size = dimensions[d];
      if (size == XLASHAPE_DIMENSION_UNBOUNDED)
        return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "dimension %zu lies inside of blocks and has no known size", d);
      int64_t whole;
      if (!checked_add(size, tile[i] - 1, &whole))
        return fail(err, XLASHAPE_STATUS_OVERFLOW, "dimension %zu and its blocks do not fit 64 bits", d);
      tile[i] = std::max(whole / tile[i] * tile[i], tile[i]);
    }
    size_t first = 0;
    while (first + 1 < rank && tile[first] == 1) ++first;
    layout->tile_ranks.push_back(static_cast<int64_t>(rank - first));
    for (size_t i = first; i < rank; ++i) layout->tile_dimensions.push_back(tile[i]);
  }
  XLASHAPE_TRY(validate_layout(*layout, err));
  *result = std::move(layout);
  return XLASHAPE_STATUS_OK;
}

Status blocks_of(const Shape& array, const char* format, Blocks* blocks, Error* err) {
  const auto refuse = [&](const char* why) {
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s: %s cannot express that", why, format);
  };
  // As many bits of an element as its type has are no reason; what else moves elements is one.
  if (array.any_dynamic) return refuse("the shape is dynamic");
  const Layout* layout = array.layout.get();
  blocks->clear();
  if (layout == nullptr) {
    for (int64_t d = 0; d < array.rank(); ++d) blocks->push_back({static_cast<int32_t>(d), kRest});
    return XLASHAPE_STATUS_OK;
  }
  if (layout->has_padding()) return refuse("the layout has padded dimensions");
  if (!layout->split_sizes.empty()) return refuse("the array is split");
  if (layout->metadata_prefix_bytes != 0) return refuse("the array has a metadata prefix");
  if (layout->tail_padding_alignment != 1) return refuse("the array's end is padded");
  // The extents of the parts, all known here; how many elements of the dimension a step is; which of them is the
  // dimension's outermost one.
  struct Part {
    int32_t dimension;
    int64_t extent, divisor;
    bool rest;
  };
  SmallVec<Part, 12> parts;
  for (int64_t i = 0; i < array.rank(); ++i) {
    const int64_t d = layout->major(i);
    parts.push_back({static_cast<int32_t>(d), array.dimensions[static_cast<size_t>(d)], 1, true});
  }
  const char* why = nullptr;
  for_each_tile(*layout, [&](size_t, std::span<const int64_t> tile) {
    if (why != nullptr) return;
    if (tile.size() > parts.size()) {
      why = "a tile has more dimensions than the array";
      return;
    }
    const size_t first = parts.size() - tile.size();
    SmallVec<Part, 12> inner;
    for (size_t i = 0; i < tile.size(); ++i) {
      Part& part = parts[first + i];
      const int64_t size = tile[i] == XLASHAPE_MATCH_DIMENSION ? std::max<int64_t>(part.extent, 1) : tile[i];
      if (size == XLASHAPE_COMBINE_DIMENSION) {
        why = "tiles merge dimensions";
        return;
      }
      if (!part.rest && part.extent % size != 0) {
        why = "a tile ends inside of the tile around it";
        return;
      }
      inner.push_back({part.dimension, size, part.divisor, false});
      if (!checked_mul(part.divisor, size, &part.divisor)) why = "the tiles do not fit 64 bits";
      part.extent = part.extent / size + (part.extent % size != 0 ? 1 : 0);
    }
    for (const Part& part : inner) parts.push_back(part);
  });
  if (why != nullptr) return refuse(why);
  SmallVec<uint64_t, 8> inside;  // of each dimension, how many elements the parts further inside cover
  inside.resize(array.dimensions.size());
  std::fill(inside.begin(), inside.end(), uint64_t{1});
  for (size_t i = parts.size(); i-- > 0;) {
    uint64_t& covered = inside[static_cast<size_t>(parts[i].dimension)];
    if (covered != static_cast<uint64_t>(parts[i].divisor) && parts[i].extent != 1)
      return refuse("a fine part of a dimension lies outside of a coarse one");
    covered *= static_cast<uint64_t>(parts[i].extent);
  }
  for (const Part& part : parts)
    if (part.rest || part.extent != 1) blocks->push_back({part.dimension, part.rest ? kRest : part.extent});
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
