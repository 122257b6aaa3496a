// SPDX-License-Identifier: Apache-2.0
#include "index/sizes.h"

#include <algorithm>

#include "base/checked.h"
#include "ir/map.h"

namespace xlashape::core {
namespace {

Status to_bytes(int64_t count, int64_t bits, int64_t* bytes, Error* err) {
  if (!checked_bytes(count, bits, bytes))
    return fail(err, XLASHAPE_STATUS_OVERFLOW, "%lld elements of %lld bits are more bytes than fit 64 bits", ll(count),
                ll(bits));
  return XLASHAPE_STATUS_OK;
}

int64_t element_count(const Shape& array) {  // cannot overflow: every shape's dimensions multiply in this order
  int64_t count = 1;
  for (const int64_t dimension : array.dimensions) count *= dimension;
  return count;
}

// The highest position of any element.
int64_t last_position(const Lowered& lowered) {
  int64_t index[ir::kMaxValues];
  const xlashape_map_ir& map = lowered.map;
  // Without sums each dimension is one output, whatever the tiles reach into.
  if (lowered.monotonic || map.value_count == 0) {
    for (int32_t i = 0; i < map.rank; ++i) index[i] = map.dimensions[i] - 1;
    return ir::position(map, index);
  }
  // Where tile levels reach into each other, search from the end, but only so far: each position takes as many steps as
  // the map has values.
  constexpr int64_t kMaxSteps = 1 << 20;
  const int64_t max_positions = kMaxSteps / (map.rank + map.value_count);  // which has values here
  int64_t at = map.data_positions - 1;
  while (at > 0 && map.data_positions - at < max_positions && !ir::index_at(map, at, index)) --at;
  return at;
}

// The largest piece of physical dimension `physical`, which has size `bound` (LayoutUtil::MaxSplitSize).
int64_t largest_split(const Layout& layout, int64_t physical, int64_t bound) {
  int64_t largest = bound;
  for_each_split(layout, [&](int64_t dimension, std::span<const int64_t> indices) {
    if (dimension != physical || indices.empty()) return;
    int64_t previous = 0;
    largest = 0;
    for (const int64_t index : indices) {
      largest = std::max(largest, index - previous);
      previous = index;
    }
    largest = std::max(largest, bound - previous);
  });
  return largest;
}

// The size that XLA rounds up to where the first tile has `d`: that of the second tile for the same dimension, `minor`
// counted from the most minor one. A second tile of one size counts for two dimensions. 0 or less: none.
int64_t inner_tile(std::span<const int64_t> second, int64_t minor) {
  const auto count = static_cast<int64_t>(second.size());
  if (count == 1 && minor == 1) minor = 0;
  return minor < count ? second[static_cast<size_t>(count - 1 - minor)] : 0;
}

}  // namespace

int64_t xla_array_size(const Shape& array) {
  const Layout* layout = array.layout.get();
  const int64_t bits = container_bits(array);
  int64_t elements = 1, bytes;
  if (layout == nullptr || !layout->has_tiles()) {
    for (size_t i = 0; i < array.dimensions.size(); ++i)
      if (!checked_mul(elements,
                       layout != nullptr && layout->has_padding() ? layout->padded_dimensions[i] : array.dimensions[i],
                       &elements))
        return -1;
    return checked_bytes(elements, bits, &bytes) ? bytes : -1;
  }
  const int64_t rank = array.rank();
  std::span<const int64_t> first, second;
  for_each_tile(*layout, [&](size_t level, std::span<const int64_t> sizes) {
    if (level < 2) (level == 0 ? first : second) = sizes;
  });
  const auto tile_rank = static_cast<int64_t>(first.size());
  const int64_t covered = std::max(tile_rank, rank);
  int64_t merged = 1;  // size of the dimensions with `*` that the next more minor one merges with
  for (int64_t i = 0; i < covered; ++i) {
    const int64_t physical = i - (covered - rank);
    int64_t size = 1;
    if (physical >= 0) {
      const auto dimension = static_cast<size_t>(layout->major(physical));
      const int64_t bound = layout->has_padding() ? layout->padded_dimensions[dimension] : array.dimensions[dimension];
      size = largest_split(*layout, physical, bound);
    }
    if (!checked_mul(merged, size, &size)) return -1;
    merged = 1;
    if (i >= covered - tile_rank) {
      int64_t tile = first[static_cast<size_t>(i - (covered - tile_rank))];
      if (tile == XLASHAPE_COMBINE_DIMENSION) {
        merged = size;
        continue;
      }
      if (tile == XLASHAPE_MATCH_DIMENSION) tile = inner_tile(second, covered - 1 - i);
      if (tile > 0 && !checked_round_up(size, tile, &size)) return -1;
    }
    if (!checked_mul(elements, size, &elements)) return -1;
  }
  if (!checked_mul(elements, merged, &elements) ||
      !checked_round_up(elements, layout->tail_padding_alignment, &elements))
    return -1;
  return checked_bytes(elements, bits, &bytes) ? bytes : -1;
}

Status array_sizes(const Shape& array, xlashape_sizes* sizes, Error* err) {
  alignas(16) char buffer[4096];
  Arena arena(buffer, sizeof buffer);
  Lowered lowered;
  XLASHAPE_TRY(lower_layout(array.dimensions, array.layout.get(), 0, arena, &lowered, err));
  const int64_t bits = container_bits(array);
  xlashape_sizes s{};
  s.struct_size = sizeof s;
  s.element_bits = static_cast<int32_t>(std::min<int64_t>(bits, INT32_MAX));
  s.elements = element_count(array);
  s.storage_elements = lowered.map.positions;
  XLASHAPE_TRY(to_bytes(s.elements, bits, &s.logical_bytes, err));
  XLASHAPE_TRY(to_bytes(s.storage_elements, bits, &s.bytes, err));
  s.xla_bytes = xla_array_size(array);
  if (s.elements > 0) XLASHAPE_TRY(to_bytes(last_position(lowered) + 1, bits, &s.data_bytes, err));
  s.dimension_padding = lowered.map.data_positions - s.elements;
  s.tail_padding = lowered.map.positions - lowered.map.data_positions;
  *sizes = s;
  return XLASHAPE_STATUS_OK;
}

Status array_bytes(const Shape& array, int64_t* bytes, Error* err) {
  alignas(16) char buffer[4096];
  Arena arena(buffer, sizeof buffer);
  Lowered lowered;
  XLASHAPE_TRY(lower_layout(array.dimensions, array.layout.get(), 0, arena, &lowered, err));
  return to_bytes(lowered.map.positions, container_bits(array), bytes, err);
}

Status array_strides(const Shape& array, int64_t* strides, Error* err) {
  alignas(16) char buffer[4096];
  Arena arena(buffer, sizeof buffer);
  Lowered lowered;
  XLASHAPE_TRY(lower_layout(array.dimensions, array.layout.get(), 0, arena, &lowered, err));
  const size_t rank = array.dimensions.size();
  // A dimension of size 1 has no factors: the widths of the more minor dimensions give its distance.
  int64_t product = 1;
  for (size_t i = 0; i < rank; ++i) {
    const auto place = static_cast<int64_t>(rank - 1 - i);
    const auto d = static_cast<size_t>(array.layout ? array.layout->major(place) : place);
    strides[d] = product;
    const int64_t width =
        array.layout && array.layout->has_padding() ? array.layout->padded_dimensions[d] : array.dimensions[d];
    if (!checked_mul(product, width, &product)) {
      if (i + 1 < rank)
        return fail(err, XLASHAPE_STATUS_OVERFLOW,
                    "the distance between neighbours of a dimension does not fit 64 bits");
    }
  }
  if (!array.layout || !array.layout->has_tiles()) return XLASHAPE_STATUS_OK;

  const auto unsupported = [&](int32_t dimension) {
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "tiles leave no single distance between neighbours of dimension %d",
                dimension);
  };
  if (!lowered.separable) return unsupported(0);
  SmallVec<int64_t, 8> unit;  // distance of the factor with divisor 1
  unit.resize(rank, -1);
  for (const Factor& factor : lowered.factors)
    if (factor.dimension < static_cast<int32_t>(rank) && factor.divisor == 1)
      unit[static_cast<size_t>(factor.dimension)] = factor.stride;
  for (const Factor& factor : lowered.factors) {
    if (factor.dimension >= static_cast<int32_t>(rank)) continue;
    const auto d = static_cast<size_t>(factor.dimension);
    if (factor.divisor >= array.dimensions[d]) continue;  // its digit is always 0
    if (unit[d] < 0) {
      // The digits below have only one value, so that this one's divisor is 1 in effect, which no tile size can cause.
      return unsupported(factor.dimension);
    }
    int64_t expected;
    if (!checked_mul(unit[d], factor.divisor, &expected) || expected != factor.stride)
      return unsupported(factor.dimension);
  }
  for (size_t d = 0; d < rank; ++d)
    if (unit[d] >= 0) strides[d] = unit[d];
  return XLASHAPE_STATUS_OK;
}

Status array_piece_granularity(const Shape& array, int64_t* granularity, Error* err) {
  alignas(16) char buffer[4096];
  Arena arena(buffer, sizeof buffer);
  Lowered lowered;
  XLASHAPE_TRY(lower_layout(array.dimensions, array.layout.get(), 0, arena, &lowered, err));
  const int64_t bits = container_bits(array), per_byte = 8 / std::clamp<int64_t>(bits & -bits, 1, 8);
  const size_t rank = array.dimensions.size();
  std::fill_n(granularity, rank, per_byte == 1 || lowered.separable ? 1 : INT64_MAX);
  const auto factors = lowered.factors;
  // So many positions, a power of two, are whole bytes. Factors whose digits are not constant within each, the most
  // minor one first.
  for (size_t i = lowered.separable ? factors.size() : 0; i-- > 0 && factors[i].stride % per_byte != 0;) {
    const Factor& factor = factors[i];
    if (factor.dimension >= static_cast<int32_t>(rank)) continue;
    // Where the next digit varies too, a byte holds the last of this one's indices and the first.
    const bool wraps = i > 0 && factors[i - 1].stride % per_byte != 0;
    const int64_t indices = wraps ? factor.extent : per_byte / (factor.stride & -factor.stride);
    int64_t& least = granularity[factor.dimension];
    if (int64_t all; checked_mul(factor.divisor, indices, &all))
      least = std::max(least, all);
    else
      least = INT64_MAX;
  }
  for (size_t d = 0; d < rank; ++d)
    granularity[d] = std::min(granularity[d], std::max<int64_t>(array.dimensions[d], 1));
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
