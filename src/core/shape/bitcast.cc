#include "shape/bitcast.h"

#include <algorithm>

#include "base/checked.h"
#include "layout/rearrange.h"

namespace xlashape {
namespace {

// A physical dimension while tiles are applied. Its index is (number % to) / from, taken as in Placement; `to` 0: always 0.
struct Axis {
  int64_t from, to, bound;
};
using Axes = SmallVec<Axis, 16>;

class Placer {
 public:
  Placer(Placement* placement, Error* err) : placement_(placement), err_(err) {}

  Status start(std::span<const int64_t> dimensions, const Layout* layout, std::span<const int64_t> unit) {
    const auto rank = static_cast<int64_t>(dimensions.size());
    for (int64_t place = 0; place < rank; ++place) {
      const auto d = static_cast<size_t>(layout != nullptr ? layout->major(place) : place);
      const int64_t bound = layout != nullptr && layout->has_padding() ? layout->padded_dimensions[d] : dimensions[d];
      const bool constant = dimensions[d] == 1 || placement_->elements == 0;
      axes_.push_back(constant ? Axis{0, 0, bound} : Axis{unit[d], unit[d] * dimensions[d], bound});
    }
    return XLASHAPE_STATUS_OK;
  }

  // Only the axes that the tile is of are touched: there may be very many levels.
  Status apply_tile(std::span<const int64_t> sizes) {
    if (!sizes.empty() && sizes.back() == XLASHAPE_COMBINE_DIMENSION) {  // has no physical order
      known_ = false;
      return XLASHAPE_STATUS_OK;
    }
    const size_t taken = std::min(sizes.size(), axes_.size()), missing = sizes.size() - taken;
    Axes tiled, inner;
    for (size_t i = 0; i < missing; ++i) tiled.push_back({0, 0, 1});
    for (size_t i = axes_.size() - taken; i < axes_.size(); ++i) tiled.push_back(axes_[i]);
    axes_.resize(axes_.size() - taken);
    for (size_t i = 0; i < sizes.size(); ++i) {
      Axis axis = tiled[i];
      for (; sizes[i] == XLASHAPE_COMBINE_DIMENSION; ++i) XLASHAPE_TRY(merge(tiled[i + 1], &axis));
      Axis outer;
      split(sizes[i], &axis, &outer);
      axes_.push_back(outer);
      inner.push_back(axis);
    }
    for (const Axis& axis : inner) axes_.push_back(axis);
    return XLASHAPE_STATUS_OK;
  }

  Status finish(int64_t tail_alignment) {
    placement_->known = known_;
    for (const Axis& axis : axes_)
      if (axis.bound == 0) return XLASHAPE_STATUS_OK;  // no storage, so no elements
    Placement::Digits parts;
    int64_t stride = 1;
    for (size_t i = axes_.size(); i-- > 0;) {
      if (axes_[i].to != 0) parts.push_back({axes_[i].from, stride});
      if (!checked_mul(stride, axes_[i].bound, &stride)) return overflow();
    }
    if (!checked_round_up(stride, tail_alignment, &placement_->positions)) return overflow();
    std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
    for (const Placement::Digit& part : parts) {
      // A digit that goes on where the one below it ends is the same digit.
      if (!placement_->digits.empty()) {
        const Placement::Digit& below = placement_->digits.back();
        int64_t end;
        if (part.from % below.from == 0 && checked_mul(part.from / below.from, below.stride, &end) &&
            end == part.stride)
          continue;
      }
      placement_->digits.push_back(part);
    }
    return XLASHAPE_STATUS_OK;
  }

 private:
  Status overflow() { return fail(err_, XLASHAPE_STATUS_OVERFLOW, "the storage has more elements than fit 64 bits"); }

  // The index of the merged dimension is major * minor.bound + minor: one digit only where they follow each other in the
  // number too, and the minor one fills its bound.
  Status merge(const Axis& minor, Axis* major) {
    int64_t bound;
    if (!checked_mul(major->bound, minor.bound, &bound)) return overflow();
    if (major->to == 0) {
      *major = minor;
    } else if (minor.to == 0) {
      known_ &= minor.bound == 1;
    } else {
      known_ &= major->from == minor.to && minor.to % minor.from == 0 && minor.to / minor.from == minor.bound;
      major->from = minor.from;
    }
    major->bound = bound;
    return XLASHAPE_STATUS_OK;
  }

  static void split(int64_t size, Axis* axis, Axis* outer) {
    *outer = {0, 0, ceil_div(axis->bound, size)};
    int64_t cut;
    if (axis->to != 0 && checked_mul(axis->from, size, &cut) && cut < axis->to) {
      // A tile size of 1 leaves nothing for the inner dimension.
      outer->from = cut;
      outer->to = axis->to;
      axis->to = cut;
      if (cut == axis->from) axis->from = axis->to = 0;
    }
    axis->bound = size;
  }

  Placement* placement_;
  Error* err_;
  Axes axes_;
  bool known_ = true;
};

SmallVec<int64_t, 8> row_major_units(std::span<const int64_t> dimensions) {
  SmallVec<int64_t, 8> unit;
  unit.resize(dimensions.size(), 1);
  for (size_t i = dimensions.size(); i-- > 1;)
    if (!checked_mul(unit[i], dimensions[i], &unit[i - 1])) unit[i - 1] = 0;  // an array without elements: never used
  return unit;
}

int64_t element_bits(const Shape& array) {
  if (array.layout && array.layout->element_size_in_bits != 0) return array.layout->element_size_in_bits;
  return element_type_info(array.element_type).storage_bits;
}

int64_t dimension_at(const Shape& array, int64_t place) { return array.layout ? array.layout->major(place) : place; }

bool same_placement(const Placement& a, const Placement& b) {
  return a.known && b.known && a.elements == b.elements && a.positions == b.positions && a.digits == b.digits;
}

// Splits are made of physical dimensions: they agree where those and the splits do.
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

// What a bitcast needs besides the elements' places.
bool same_surroundings(const Shape& a, const Shape& b, const Placement& placement) {
  const auto memory_space = [](const Shape& s) { return s.layout ? s.layout->memory_space : int8_t{0}; };
  const auto prefix = [](const Shape& s) { return s.layout ? s.layout->metadata_prefix_bytes : int64_t{0}; };
  const auto padding = [](const Shape& s) { return s.layout ? s.layout->padding_value : XLASHAPE_PAD_INVALID; };
  if (memory_space(a) != memory_space(b) || prefix(a) != prefix(b) || !same_splits(a, b)) return false;
  // Positions without an element hold what a's layout has put there.
  return placement.positions == placement.elements || padding(a) == padding(b) || padding(b) == XLASHAPE_PAD_INVALID ||
         padding(b) == XLASHAPE_PAD_UNKNOWN;
}

bool same_types(const Shape& a, const Shape& b, uint32_t flags) {
  if (flags & XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE) return true;
  return a.element_type == b.element_type;
}

// The layout's order and nothing else, which is all that XLA looks at.
Ref<Layout> order_only(const Shape& array) {
  auto layout = Ref<Layout>::adopt(new Layout);
  for (int64_t i = array.rank(); i-- > 0;) layout->minor_to_major.push_back(dimension_at(array, i));
  return layout;
}

}  // namespace

Status place_elements(std::span<const int64_t> dimensions, const Layout* layout, std::span<const int64_t> unit,
                      Placement* placement, Error* err) {
  *placement = {};
  const bool empty = std::find(dimensions.begin(), dimensions.end(), 0) != dimensions.end();
  placement->elements = empty ? 0 : 1;
  if (!empty)  // fits: the dimensions are a shape's
    for (const int64_t size : dimensions) placement->elements *= size;
  SmallVec<int64_t, 8> own;
  if (unit.empty() && !dimensions.empty()) {
    own = row_major_units(dimensions);
    unit = own;
  }
  Placer placer(placement, err);
  XLASHAPE_TRY(placer.start(dimensions, layout, unit));
  Status status = XLASHAPE_STATUS_OK;
  if (layout != nullptr)
    for_each_tile(*layout, [&](size_t, std::span<const int64_t> sizes) {
      if (!status) status = placer.apply_tile(sizes);
    });
  XLASHAPE_TRY(status);
  return placer.finish(layout != nullptr ? layout->tail_padding_alignment : 1);
}

bool lies_alike(const Shape& a, const Shape& b) {
  if (a.any_unbounded || b.any_unbounded || element_bits(a) != element_bits(b)) return false;
  Placement pa, pb;
  if (place_elements(a.dimensions, a.layout.get(), {}, &pa, nullptr)) return false;
  if (place_elements(b.dimensions, b.layout.get(), {}, &pb, nullptr)) return false;
  return same_placement(pa, pb);
}

bool reshape_is_bitcast(const Shape& a, const Shape& b, uint32_t flags) {
  if (a.any_unbounded || b.any_unbounded || !same_types(a, b, flags)) return false;
  const bool xla = (flags & XLASHAPE_BITCAST_XLA) != 0;
  if (!xla && element_bits(a) != element_bits(b)) return false;
  const Ref<Layout> la = xla ? order_only(a) : a.layout, lb = xla ? order_only(b) : b.layout;
  Placement pa, pb;
  if (place_elements(a.dimensions, la.get(), {}, &pa, nullptr)) return false;
  if (place_elements(b.dimensions, lb.get(), {}, &pb, nullptr)) return false;
  if (xla) return same_placement(pa, pb);
  if (!same_surroundings(a, b, pa)) return false;
  if (same_placement(pa, pb)) return true;
  // Where the form is not known, an array still lies as itself.
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
  if (a.any_unbounded || b.any_unbounded || element_bits(a) != element_bits(b)) return false;
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
  if (!same_surroundings(a, b, pa)) return false;
  if (same_placement(pa, pb)) return true;
  // Where the form is not known: the same layout with its dimensions renumbered.
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
  // XLA's own function leaves types to its callers.
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
  return tiled.known && tiled.digits == untiled.digits;
}

}  // namespace xlashape
