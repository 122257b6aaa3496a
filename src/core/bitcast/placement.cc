// SPDX-License-Identifier: Apache-2.0
#include "bitcast/placement.h"

#include <algorithm>

#include "base/checked.h"
#include "index/lower.h"

namespace xlashape::core {
namespace {

// A value of an index map, computed from an element's number: (number % to) / from, as in Placement. `to` 0: always 0.
struct NumberPart {
  int64_t from, to;
};

// Runs an index map symbolically: on the number of any element instead of on an index.
class NumberRun {
 public:
  NumberRun(const xlashape_map_ir& map, Arena& arena)
      : map_(map),
        values_(arena.make<NumberPart>(static_cast<size_t>(map.rank) + static_cast<size_t>(map.value_count))) {}

  void run(std::span<const int64_t> unit, bool has_elements) {
    for (size_t d = 0; d < unit.size(); ++d) {
      const bool constant = map_.dimensions[d] == 1 || !has_elements;
      values_[d] = constant ? NumberPart{0, 0} : NumberPart{unit[d], unit[d] * map_.dimensions[d]};
    }
    for (int32_t s = 0; s < map_.sum_count; ++s) split(s, sum(s));
  }

  // False where a sum is not made of factors of the number.
  bool known() const { return known_; }

  // Writes the factors in the shortest form.
  void write(Placement::NumberFactors* factors) const {
    for (int32_t o = 0; o < map_.output_count; ++o) {
      const NumberPart& value = values_[map_.output_value[o]];
      if (value.to == 0) continue;
      factors->push_back({value.from, map_.output_stride[o]});
      for (size_t i = factors->size() - 1; i > 0 && (*factors)[i].from < (*factors)[i - 1].from; --i)
        std::swap((*factors)[i], (*factors)[i - 1]);
    }
    size_t made = 0;
    for (const Placement::NumberFactor& factor : *factors)
      if (made == 0 || !continues((*factors)[made - 1], factor)) (*factors)[made++] = factor;
    factors->resize(made);
  }

 private:
  // The terms form one factor only if they are adjacent in the number too, and each but the outermost fills its bound.
  NumberPart sum(int32_t s) {
    NumberPart whole{0, 0};
    for (int32_t t = map_.sum_first_term[s + 1]; t-- > map_.sum_first_term[s];) {
      const NumberPart& term = values_[map_.term_value[t]];
      if (term.to == 0) continue;
      if (whole.to == 0) {
        known_ &= map_.term_coefficient[t] == 1;
        whole = term;
      } else {
        known_ &= map_.term_coefficient[t] == whole.to / whole.from && term.from == whole.to;
        whole.to = term.to;
      }
    }
    return whole;
  }

  // Outermost first: an inner value gets what the outer ones leave.
  void split(int32_t s, NumberPart rest) {
    for (int32_t v = map_.sum_first_value[s]; v < map_.sum_first_value[s + 1]; ++v) {
      NumberPart& value = values_[map_.rank + v];
      value = {0, 0};
      int64_t cut;
      if (!checked_mul(rest.from, map_.value_divisor[v], &cut) || cut >= rest.to) continue;
      value = {cut, rest.to};
      rest.to = cut;
    }
  }

  // Whether `factor` starts where `below` ends, so that both are one factor.
  static bool continues(const Placement::NumberFactor& below, const Placement::NumberFactor& factor) {
    int64_t end;
    return factor.from % below.from == 0 && checked_mul(factor.from / below.from, below.stride, &end) &&
           end == factor.stride;
  }

  const xlashape_map_ir& map_;
  NumberPart* values_;
  bool known_ = true;
};

}  // namespace

SmallVec<int64_t, 8> row_major_units(std::span<const int64_t> dimensions) {
  SmallVec<int64_t, 8> unit;
  unit.resize(dimensions.size(), 1);
  for (size_t i = dimensions.size(); i-- > 1;)
    if (!checked_mul(unit[i], dimensions[i], &unit[i - 1])) unit[i - 1] = 0;  // no elements, so that it is never used
  return unit;
}

Status place_elements(std::span<const int64_t> dimensions, const Layout* layout, std::span<const int64_t> unit,
                      Placement* placement, Error* err) {
  *placement = {};
  const auto has_zero = [](std::span<const int64_t> sizes) {
    return std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  };
  const bool empty = has_zero(dimensions);
  placement->elements = empty ? 0 : 1;
  if (!empty)  // cannot overflow: the dimensions are a shape's
    for (const int64_t size : dimensions) placement->elements *= size;
  if (has_zero(layout != nullptr && layout->has_padding() ? layout->padded_dimensions : dimensions)) {
    placement->known = true;  // no storage, however large the other dimensions are
    return XLASHAPE_STATUS_OK;
  }
  SmallVec<int64_t, 8> default_unit;
  if (unit.empty()) {
    default_unit = row_major_units(dimensions);
    unit = default_unit;
  }
  alignas(16) char buffer[4096];
  Arena arena(buffer, sizeof buffer);
  xlashape_map_ir map;
  const Status status = lower_to_read(dimensions, layout, arena, &map, err);
  if (status == XLASHAPE_STATUS_UNSUPPORTED) {  // the layout has no physical order
    placement->positions = -1;
    return XLASHAPE_STATUS_OK;
  }
  XLASHAPE_TRY(status);
  NumberRun number(map, arena);
  number.run(unit, !empty);
  placement->known = number.known();
  number.write(&placement->factors);
  placement->positions = map.positions;
  return XLASHAPE_STATUS_OK;
}

bool same_placement(const Placement& a, const Placement& b) {
  return a.known && b.known && a.elements == b.elements && a.positions == b.positions && a.factors == b.factors;
}

bool reshape_moves_nothing(const Shape& a, const Shape& b) {
  if (a.any_unbounded || b.any_unbounded || container_bits(a) != container_bits(b)) return false;
  Placement pa, pb;
  if (place_elements(a.dimensions, a.layout.get(), {}, &pa, nullptr)) return false;
  if (place_elements(b.dimensions, b.layout.get(), {}, &pb, nullptr)) return false;
  return same_placement(pa, pb);
}

}  // namespace xlashape::core
