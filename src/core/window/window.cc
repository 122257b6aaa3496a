// SPDX-License-Identifier: Apache-2.0
#include "window/window.h"

#include <algorithm>
#include <numeric>

#include "base/checked.h"
#include "index/sizes.h"
#include "layout/layout_fields.h"
#include "shape/extents.h"

namespace xlashape::core {
namespace {

// Where tiles do not nest: the dimensions that no tile covers, and all that is inside them as one factor.
std::span<const Factor> factors_above_tiles(const Shape& array, const Lowered& lowered, Arena& arena) {
  const int64_t rank = array.rank();
  const Layout& layout = *array.layout;
  const int64_t above = std::max<int64_t>(dimensions_above_tiles(layout, rank), 0);
  auto* factors = arena.make<Factor>(static_cast<size_t>(above) + 1);
  size_t count = 0;
  int64_t stride = lowered.map.data_positions;
  for (int64_t i = 0; i < above && stride > 0; ++i) {
    const auto d = static_cast<size_t>(layout.major(i));
    const int64_t width = layout.has_padding() ? layout.padded_dimensions[d] : array.dimensions[d];
    stride /= width;
    if (width > 1) factors[count++] = {static_cast<int32_t>(d), 1, width, stride};
  }
  factors[count++] = {static_cast<int32_t>(rank), 1, stride, 1};
  return {factors, count};
}

// Whether a tile merges the dimension with a more major one. A window that has parts of both would have other tiles.
// Where a later level merges, all dimensions that tiles cover count as merged.
bool is_merged(const Shape& array, size_t dimension) {
  if (!array.layout || !array.layout->has_tiles()) return false;
  const Layout& layout = *array.layout;
  bool merged = false;
  for_each_tile(layout, [&](size_t level, std::span<const int64_t> sizes) {
    const int64_t first = array.rank() - layout.tile_ranks[0];
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] != XLASHAPE_COMBINE_DIMENSION) continue;
      for (int64_t place = std::max<int64_t>(first, 0); place < array.rank(); ++place)
        merged = merged || (layout.major(place) == static_cast<int64_t>(dimension) &&
                            (level > 0 || place == first + static_cast<int64_t>(i) + 1));
    }
  });
  return merged;
}

// The layout of a window: that of the array without what belongs to the whole of it.
Ref<Layout> layout_of_window(const Shape& array, const int64_t* base, const int64_t* extent) {
  if (!array.layout) return {};
  LayoutData data(*array.layout);
  constexpr uint32_t kOfTheWhole = XLASHAPE_LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT |
                                   XLASHAPE_LAYOUT_FIELD_METADATA_PREFIX | XLASHAPE_LAYOUT_FIELD_SPLIT_CONFIGS;
  for_each_field([&](auto member, const FieldBits& bits) {
    if ((kOfTheWhole & bits.field) != 0) unset(data, member);
  });
  for (size_t d = 0; d < data.padded_dimensions.size(); ++d) {
    const bool to_the_end = base[d] + extent[d] == array.dimensions[d];
    data.padded_dimensions[d] = to_the_end ? data.padded_dimensions[d] - base[d] : extent[d];
  }
  return Ref<Layout>::adopt(new Layout(data));
}

Status refuse_cut(const Shape& array, int32_t dimension, const int64_t* base, const int64_t* extent, Error* err) {
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
              "the window takes %lld to %lld of dimension %d, of %lld, and would cut a tile or a byte there: "
              "xlashape_shape_window_granularity says where it may be cut",
              ll(base[dimension]), ll(base[dimension] + extent[dimension]), dimension,
              ll(array.dimensions[static_cast<size_t>(dimension)]));
}

// A box of an array, checked.
struct BoxOf {
  const Shape& array;
  const int64_t* base;
  const int64_t* extent;

  bool cuts(size_t d) const { return extent[d] != array.dimensions[d]; }
};

// Finds what the factors of the array are in the window, which are those of the window's own array: `extents`, 1 for
// one that is left out there. Fails where an inner factor would have to be cut.
Status match(const BoxOf& box, const StorageForm& whole, const StorageForm& part, int64_t* extents, int64_t* offset,
             Error* err) {
  const size_t rank = box.array.dimensions.size();
  size_t next = 0;
  *offset = 0;
  for (size_t i = 0; i < whole.factors.size(); ++i) {
    const Factor& factor = whole.factors[i];
    extents[i] = 1;
    if (next < part.factors.size() && part.factors[next].dimension == factor.dimension &&
        part.factors[next].divisor == factor.divisor)
      extents[i] = part.factors[next++].extent;
    const auto d = static_cast<size_t>(factor.dimension);
    if (d >= rank || whole.outermost[d] != static_cast<int32_t>(i) || !box.cuts(d)) {
      if (extents[i] == factor.extent) continue;
      next = SIZE_MAX;  // an inner factor is another one
      break;
    }
    const int64_t first = box.base[d] / factor.divisor, end = box.base[d] + box.extent[d];
    const bool begins = box.base[d] % factor.divisor == 0;
    const bool ends = end == box.array.dimensions[d] ? extents[i] == factor.extent - first
                                                     : extents[i] * factor.divisor == box.extent[d];
    if (!begins || !ends) return refuse_cut(box.array, factor.dimension, box.base, box.extent, err);
    *offset += first * factor.stride;
  }
  // A dimension without a factor cannot be cut. Where the factors differ, the message names the first that is cut.
  for (size_t d = 0; d < rank; ++d)
    if (box.cuts(d) && whole.outermost[d] < 0)
      return refuse_cut(box.array, static_cast<int32_t>(d), box.base, box.extent, err);
  for (size_t d = 0; d < rank && next != part.factors.size(); ++d)
    if (box.cuts(d)) return refuse_cut(box.array, static_cast<int32_t>(d), box.base, box.extent, err);
  return XLASHAPE_STATUS_OK;
}

}  // namespace

Status storage_form(const Shape& array, Arena& arena, StorageForm* form, Error* err) {
  Lowered lowered;
  XLASHAPE_TRY(lower_layout(array.dimensions, array.layout.get(), 0, arena, &lowered, err));
  const size_t rank = array.dimensions.size();
  form->bits = container_bits(array);
  form->end = lowered.map.data_positions;
  form->factors = lowered.separable ? lowered.factors : factors_above_tiles(array, lowered, arena);
  if (!checked_bytes(lowered.map.positions, form->bits, &form->bytes))
    return fail(err, XLASHAPE_STATUS_OVERFLOW, "the storage has more bytes than fit 64 bits");
  auto* outermost = arena.make<int32_t>(rank);
  std::fill_n(outermost, rank, -1);
  for (size_t i = 0; i < form->factors.size(); ++i) {
    const auto d = static_cast<size_t>(form->factors[i].dimension);
    if (d >= rank) continue;
    int32_t& known = outermost[d];
    if (known < 0 || form->factors[i].divisor > form->factors[static_cast<size_t>(known)].divisor)
      known = static_cast<int32_t>(i);
  }
  form->outermost = outermost;
  return XLASHAPE_STATUS_OK;
}

Runs runs_of(const StorageForm& form, const int64_t* extents, Arena* arena) {
  Runs runs;
  size_t at = form.factors.size();
  for (; at > 0 && (extents[at - 1] == 1 || form.factors[at - 1].stride == runs.length); --at)
    runs.length *= extents[at - 1];
  auto* loops = arena != nullptr ? arena->make<Runs::Loop>(at) : nullptr;
  size_t count = 0;
  for (size_t i = 0; i < at; ++i) {
    if (extents[i] == 1) continue;
    runs.count *= extents[i];
    if (loops != nullptr) loops[count++] = {extents[i], form.factors[i].stride};
  }
  runs.loops = {loops, count};
  return runs;
}

Status window_of(const Shape& array, const int64_t* base, const int64_t* extent, Arena& arena, Window* window,
                 Error* err) {
  const size_t rank = array.dimensions.size();
  if (base == nullptr) base = arena.zeroed<int64_t>(rank);
  StorageForm whole, part;
  XLASHAPE_TRY(storage_form(array, arena, &whole, err));
  XLASHAPE_TRY(check_box(array.dimensions, base, extent, "window", "array", err));
  const bool cut = !std::equal(extent, extent + rank, array.dimensions.begin());
  if (!cut) {
    window->shape = Ref<Shape>::share(&array);
    window->bytes = whole.bytes;
    window->runs.length = whole.bytes;
    window->runs.count = whole.bytes > 0 ? 1 : 0;
    return XLASHAPE_STATUS_OK;
  }
  XLASHAPE_TRY(
      make_array(array.element_type, {extent, rank}, {}, layout_of_window(array, base, extent), &window->shape, err));
  if (std::find(extent, extent + rank, 0) != extent + rank) {
    window->runs.length = window->runs.count = 0;
    return XLASHAPE_STATUS_OK;
  }
  XLASHAPE_TRY(storage_form(*window->shape, arena, &part, err));
  auto* extents = arena.make<int64_t>(whole.factors.size());
  int64_t offset;
  XLASHAPE_TRY(match({array, base, extent}, whole, part, extents, &offset, err));
  const Runs runs = runs_of(whole, extents, &arena);
  // All must begin and end with a byte, but for the end of the array's last element.
  const auto is_whole = [&](int64_t positions) { return positions % 8 * (whole.bits % 8) % 8 == 0; };
  bool whole_bytes =
      is_whole(offset) && (is_whole(runs.length) || (runs.count == 1 && offset + runs.length == whole.end));
  for (const Runs::Loop& loop : runs.loops) whole_bytes = whole_bytes && is_whole(loop.stride);
  for (size_t d = 0; d < rank && !whole_bytes; ++d)
    if (extent[d] != array.dimensions[d]) return refuse_cut(array, static_cast<int32_t>(d), base, extent, err);
  // What follows fits, as all of it is bytes of the storage.
  const auto bytes_of = [&](int64_t positions) {
    int64_t bytes;
    return checked_bytes(positions, whole.bits, &bytes) ? bytes : 0;
  };
  window->byte_offset = bytes_of(offset);
  window->runs.length = bytes_of(runs.length);
  window->runs.count = runs.count;
  window->bytes = window->runs.length * runs.count;
  auto* loops = arena.copy(runs.loops.data(), runs.loops.size());
  for (size_t i = 0; i < runs.loops.size(); ++i) loops[i].stride = bytes_of(loops[i].stride);
  window->runs.loops = {loops, runs.loops.size()};
  return XLASHAPE_STATUS_OK;
}

Status run_offsets(const Window& window, int64_t first, std::span<int64_t> offsets, Error* err) {
  const auto wanted = static_cast<int64_t>(offsets.size());
  if (first < 0 || first > window.runs.count || wanted > window.runs.count - first)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "runs %lld to %lld are asked for, the window has %lld", ll(first),
                ll(std::min(first, INT64_MAX - wanted) + wanted), ll(window.runs.count));
  for (int64_t number = first; int64_t & offset : offsets) {
    offset = window.byte_offset;
    int64_t rest = number++;
    for (size_t i = window.runs.loops.size(); i-- > 0;) {
      const Runs::Loop& loop = window.runs.loops[i];
      offset += rest % loop.extent * loop.stride;
      rest /= loop.extent;
    }
  }
  return XLASHAPE_STATUS_OK;
}

Status window_granularity(const Shape& array, int64_t* granularity, Error* err) {
  alignas(16) char buffer[4096];
  Arena arena(buffer, sizeof buffer);
  const size_t rank = array.dimensions.size();
  StorageForm form;
  XLASHAPE_TRY(storage_form(array, arena, &form, err));
  XLASHAPE_TRY(array_piece_granularity(array, granularity, err));
  int64_t* const extent = arena.copy(array.dimensions.data(), rank);
  for (size_t d = 0; d < rank; ++d) {
    const int64_t size = array.dimensions[d];
    int64_t least = size;
    if (form.outermost[d] >= 0 && size > 1 && !is_merged(array, d)) {
      const int64_t tile = form.factors[static_cast<size_t>(form.outermost[d])].divisor;
      if (checked_mul(tile / std::gcd(tile, granularity[d]), granularity[d], &least) && least < size) {
        // Where the outermost factor is a part of a tile that holds the dimension, it cannot be cut.
        extent[d] = least;
        Window window;
        if (window_of(array, nullptr, extent, arena, &window, nullptr) != XLASHAPE_STATUS_OK) least = size;
        extent[d] = size;
      }
    }
    granularity[d] = std::clamp<int64_t>(least, 1, std::max<int64_t>(size, 1));
  }
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
