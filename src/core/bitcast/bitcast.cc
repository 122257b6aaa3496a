// SPDX-License-Identifier: Apache-2.0
#include "bitcast/bitcast.h"

#include "bitcast/placement.h"
#include "layout/rearrange.h"
#include "xlashape_xla.h"

namespace xlashape::core {
namespace {

int64_t dimension_at(const Shape& array, int64_t place) { return array.layout ? array.layout->major(place) : place; }

// Splits name physical dimensions, so those must be equal as well as the splits.
bool same_splits(const Shape& a, const Shape& b) {
  const Layout *la = a.layout.get(), *lb = b.layout.get();
  const size_t count_a = la == nullptr ? 0 : la->split_dimensions.size();
  const size_t count_b = lb == nullptr ? 0 : lb->split_dimensions.size();
  if (count_a == 0 && count_b == 0) return true;
  if (count_a != count_b || a.rank() != b.rank()) return false;
  for (int64_t place = 0; place < a.rank(); ++place)
    if (a.dimensions[static_cast<size_t>(la->major(place))] != b.dimensions[static_cast<size_t>(lb->major(place))])
      return false;
  return la->split_dimensions == lb->split_dimensions && la->split_sizes == lb->split_sizes &&
         la->split_indices == lb->split_indices;
}

// Compares what a bitcast needs besides the elements' positions.
bool same_storage_properties(const Shape& a, const Shape& b, const Placement& placement) {
  const auto memory_space = [](const Shape& s) { return s.layout ? s.layout->memory_space : int64_t{0}; };
  const auto prefix = [](const Shape& s) { return s.layout ? s.layout->metadata_prefix_bytes : int64_t{0}; };
  const auto padding = [](const Shape& s) { return s.layout ? s.layout->padding_value : XLASHAPE_PAD_INVALID; };
  if (memory_space(a) != memory_space(b) || prefix(a) != prefix(b) || !same_splits(a, b)) return false;
  // Positions without an element hold the padding of a's layout.
  return placement.positions == placement.elements || padding(a) == padding(b) || padding(b) == XLASHAPE_PAD_INVALID ||
         padding(b) == XLASHAPE_PAD_UNKNOWN;
}

bool same_types(const Shape& a, const Shape& b, uint32_t flags) {
  if (flags & XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE) return true;
  return a.element_type == b.element_type;
}

// A layout with the order of dimensions only, which is all that XLA compares.
Ref<Layout> order_only(const Shape& array) {
  auto layout = Ref<Layout>::adopt(new Layout);
  for (int64_t i = array.rank(); i-- > 0;) layout->minor_to_major.push_back(dimension_at(array, i));
  return layout;
}

}  // namespace

bool reshape_is_bitcast(const Shape& a, const Shape& b, uint32_t flags) {
  if (a.any_unbounded || b.any_unbounded || !same_types(a, b, flags)) return false;
  const bool xla = (flags & XLASHAPE_BITCAST_XLA) != 0;
  if (!xla && container_bits(a) != container_bits(b)) return false;
  const Ref<Layout> la = xla ? order_only(a) : a.layout, lb = xla ? order_only(b) : b.layout;
  Placement pa, pb;
  if (place_elements(a.dimensions, la.get(), {}, &pa, nullptr)) return false;
  if (place_elements(b.dimensions, lb.get(), {}, &pb, nullptr)) return false;
  if (xla) return same_placement(pa, pb);
  if (!same_storage_properties(a, b, pa)) return false;
  if (same_placement(pa, pb)) return true;
  // Where the placement is not known, arrays with equal dimensions and layouts still have equal positions.
  return a.dimensions == b.dimensions && a.layout && b.layout &&
         equal(*a.layout, *b.layout, XLASHAPE_EQUAL_IGNORE_ELEMENT_SIZE);
}

bool transpose_is_bitcast(const Shape& a, const Shape& b, std::span<const int64_t> permutation, uint32_t flags) {
  if (!same_types(a, b, flags)) return false;
  if (flags & XLASHAPE_BITCAST_XLA) {
    for (int64_t place = 0; place < a.rank(); ++place)
      if (permutation[static_cast<size_t>(dimension_at(b, place))] != dimension_at(a, place)) return false;
    return true;
  }
  if (a.any_unbounded || b.any_unbounded || container_bits(a) != container_bits(b)) return false;
  const SmallVec<int64_t, 8> unit_of_a = row_major_units(a.dimensions);
  SmallVec<int64_t, 8> unit;
  for (size_t i = 0; i < permutation.size(); ++i) {
    const auto d = static_cast<size_t>(permutation[i]);
    if (b.dimensions[i] != a.dimensions[d]) return false;
    unit.push_back(unit_of_a[d]);
  }
  Placement pa, pb;
  if (place_elements(a.dimensions, a.layout.get(), unit_of_a, &pa, nullptr)) return false;
  if (place_elements(b.dimensions, b.layout.get(), unit, &pb, nullptr)) return false;
  if (!same_storage_properties(a, b, pa)) return false;
  if (same_placement(pa, pb)) return true;
  // Where the placement is not known, the same layout with its dimensions renumbered is a bitcast.
  if (!a.layout || !b.layout || a.layout->has_padding() != b.layout->has_padding()) return false;
  for (int64_t place = 0; place < a.rank(); ++place) {
    const int64_t d = b.layout->major(place), e = a.layout->major(place);
    if (permutation[static_cast<size_t>(d)] != e) return false;
    if (a.layout->has_padding() &&
        a.layout->padded_dimensions[static_cast<size_t>(e)] != b.layout->padded_dimensions[static_cast<size_t>(d)])
      return false;
  }
  return a.layout->tile_ranks == b.layout->tile_ranks && a.layout->tile_dimensions == b.layout->tile_dimensions &&
         a.layout->tail_padding_alignment == b.layout->tail_padding_alignment;
}

bool deduce_transpose(const Shape& a, const Shape& b, uint32_t flags, SmallVec<int64_t, 8>* permutation) {
  // XLA's function leaves comparing types to its callers.
  if (flags & XLASHAPE_BITCAST_XLA) flags |= XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE;
  if (a.rank() != b.rank()) return false;
  permutation->resize(a.dimensions.size());
  for (int64_t place = 0; place < a.rank(); ++place)
    (*permutation)[static_cast<size_t>(dimension_at(b, place))] = dimension_at(a, place);
  for (size_t i = 0; i < b.dimensions.size(); ++i)
    if (b.dimensions[i] != a.dimensions[static_cast<size_t>((*permutation)[i])]) return false;
  return transpose_is_bitcast(a, b, *permutation, flags);
}

bool is_reshape_or_transpose_bitcast(const Shape& a, const Shape& b, uint32_t flags) {
  if (!same_types(a, b, flags)) return false;
  if (reshape_is_bitcast(a, b, flags)) return true;
  SmallVec<int64_t, 8> permutation;
  return deduce_transpose(a, b, flags, &permutation);
}

bool is_untiled(const Shape& array) {
  if (!array.layout || !array.layout->has_tiles()) return true;
  if (array.any_unbounded) return false;
  Ref<Layout> plain = copy_layout(*array.layout);
  plain->tile_ranks.clear();
  plain->tile_dimensions.clear();
  Placement tiled, untiled;
  if (place_elements(array.dimensions, array.layout.get(), {}, &tiled, nullptr)) return false;
  if (place_elements(array.dimensions, plain.get(), {}, &untiled, nullptr)) return false;
  return tiled.known && tiled.factors == untiled.factors;
}

}  // namespace xlashape::core
