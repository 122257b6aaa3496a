/* SPDX-License-Identifier: Apache-2.0 */
// The placement of elements once more, by tiles applied to physical dimensions instead of by an index map.
#pragma once
#include <algorithm>

#include "base/checked.h"
#include "bitcast/placement.h"

namespace xlashape::core::testing {

// A physical dimension while tiles are applied. Its index is (number % to) / from, taken as in Placement; `to` 0:
// always 0.
struct Axis {
  int64_t from, to, bound;
};
using Axes = SmallVec<Axis, 16>;

class Placer {
 public:
  Placer(Placement* placement, Error* err) : placement_(placement), err_(err) {}

  void start(std::span<const int64_t> dimensions, const Layout* layout, std::span<const int64_t> unit) {
    const auto rank = static_cast<int64_t>(dimensions.size());
    for (int64_t place = 0; place < rank; ++place) {
      const bool ordered = layout != nullptr && !layout->minor_to_major.empty();
      const auto d =
          static_cast<size_t>(ordered ? layout->minor_to_major[static_cast<size_t>(rank - 1 - place)] : place);
      const int64_t bound = layout != nullptr && layout->has_padding() ? layout->padded_dimensions[d] : dimensions[d];
      const bool constant = dimensions[d] == 1 || placement_->elements == 0;
      axes_.push_back(constant ? Axis{0, 0, bound} : Axis{unit[d], unit[d] * dimensions[d], bound});
    }
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
      // `d` is as large as what it covers, which is not what is merged with it; and never 0.
      split(sizes[i] == XLASHAPE_MATCH_DIMENSION ? std::max<int64_t>(tiled[i].bound, 1) : sizes[i], &axis, &outer);
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
    Placement::NumberFactors parts;
    int64_t stride = 1;
    for (size_t i = axes_.size(); i-- > 0;) {
      if (axes_[i].to != 0) parts.push_back({axes_[i].from, stride});
      if (!checked_mul(stride, axes_[i].bound, &stride)) return overflow();
    }
    if (!checked_round_up(stride, tail_alignment, &placement_->positions)) return overflow();
    std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
    for (const Placement::NumberFactor& part : parts) {
      // A factor that goes on where the one below it ends is the same factor.
      if (!placement_->factors.empty()) {
        const Placement::NumberFactor& below = placement_->factors.back();
        int64_t end;
        if (part.from % below.from == 0 && checked_mul(part.from / below.from, below.stride, &end) &&
            end == part.stride)
          continue;
      }
      placement_->factors.push_back(part);
    }
    return XLASHAPE_STATUS_OK;
  }

 private:
  Status overflow() { return fail(err_, XLASHAPE_STATUS_OVERFLOW, "the storage has more elements than fit 64 bits"); }

  // The index of the merged dimension is major * minor.bound + minor: one factor only where they follow each other in
  // the number too, and the minor one fills its bound.
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

inline Status place_by_tiles(std::span<const int64_t> dimensions, const Layout* layout, std::span<const int64_t> unit,
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
  placer.start(dimensions, layout, unit);
  Status status = XLASHAPE_STATUS_OK;
  if (layout != nullptr)
    for_each_tile(*layout, [&](size_t, std::span<const int64_t> sizes) {
      if (!status) status = placer.apply_tile(sizes);
    });
  XLASHAPE_TRY(status);
  return placer.finish(layout != nullptr ? layout->tail_padding_alignment : 1);
}

}  // namespace xlashape::core::testing
