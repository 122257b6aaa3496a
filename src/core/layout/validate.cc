// SPDX-License-Identifier: Apache-2.0
#include "layout/validate.h"

#include "layout/layout_fields.h"

namespace xlashape::core {
namespace {

Status bad(Error* err, const char* format, int64_t a = 0, int64_t b = 0, int64_t c = 0) {
  // Each rule's message has up to three numbers.
  return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, format, ll(a), ll(b), ll(c));
}

Status check_minor_to_major(const Layout& layout, Error* err) {
  const int64_t rank = layout.rank();
  SmallVec<uint8_t, 32> seen;
  seen.resize(static_cast<size_t>(rank), 0);
  for (const int64_t dimension : layout.minor_to_major) {
    if (dimension < 0 || dimension >= rank)
      return bad(err, "minor_to_major holds dimension %lld, which is not in [0, %lld)", dimension, rank);
    if (seen[static_cast<size_t>(dimension)]) return bad(err, "minor_to_major holds dimension %lld twice", dimension);
    seen[static_cast<size_t>(dimension)] = 1;
  }
  return XLASHAPE_STATUS_OK;
}

Status check_padding(const Layout& layout, Error* err) {
  if (layout.has_padding() && layout.padded_dimensions.ssize() != layout.rank())
    return bad(err, "padded_dimensions has %lld entries, the layout has rank %lld", layout.padded_dimensions.ssize(),
               layout.rank());
  for (const int64_t width : layout.padded_dimensions)
    if (width < 0) return bad(err, "padded_dimensions holds %lld, it must not be negative", width);
  return XLASHAPE_STATUS_OK;
}

Status check_scalars(const Layout& layout, Error* err) {
  for (const LayoutScalar& scalar : kLayoutScalars) {
    const int64_t value = layout.*scalar.member;
    if (value >= scalar.least && value <= scalar.most) continue;
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                scalar.most < INT64_MAX ? "%s is %lld, it must be %lld to %lld"
                : scalar.least == 0     ? "%s is %lld, it must not be negative"
                                        : "%s is %lld, it must be at least %lld",
                scalar.name, ll(value), ll(scalar.least), ll(scalar.most));
  }
  return XLASHAPE_STATUS_OK;
}

Status check_tiles(const Layout& layout, Error* err) {
  Status status = XLASHAPE_STATUS_OK;
  for_each_tile(layout, [&](size_t level, std::span<const int64_t> sizes) {
    if (status) return;
    if (sizes.empty()) status = bad(err, "tile level %lld has no sizes", static_cast<int64_t>(level));
    for (const int64_t size : sizes)
      if (size <= 0 && size > XLASHAPE_MATCH_DIMENSION) {  // below are `*` and `d`
        status =
            bad(err, "tile level %lld has size %lld, it must be positive, * or d", static_cast<int64_t>(level), size);
        return;
      }
  });
  return status;
}

Status check_splits(const Layout& layout, Error* err) {
  Status status = XLASHAPE_STATUS_OK;
  for_each_split(layout, [&](int64_t dimension, std::span<const int64_t> indices) {
    if (status) return;
    if (dimension < 0 || dimension >= layout.rank()) {
      status = bad(err, "a split names physical dimension %lld, which is not in [0, %lld)", dimension, layout.rank());
      return;
    }
    int64_t previous = 0;
    for (const int64_t index : indices) {
      if (index <= previous) {
        status = index <= 0
                     ? bad(err, "physical dimension %lld is split at index %lld, it must be positive", dimension, index)
                     : bad(err, "split indices of physical dimension %lld must rise: %lld after %lld", dimension, index,
                           previous);
        return;
      }
      previous = index;
    }
  });
  if (status || layout.split_dimensions.empty()) return status;
  SmallVec<uint8_t, 32> seen;
  seen.resize(static_cast<size_t>(layout.rank()), 0);
  for (const int64_t dimension : layout.split_dimensions) {
    if (seen[static_cast<size_t>(dimension)]) return bad(err, "physical dimension %lld is split twice", dimension);
    seen[static_cast<size_t>(dimension)] = 1;
  }
  return XLASHAPE_STATUS_OK;
}

}  // namespace

Status validate_layout(const Layout& layout, Error* err) {
  XLASHAPE_TRY(check_minor_to_major(layout, err));
  XLASHAPE_TRY(check_padding(layout, err));
  XLASHAPE_TRY(check_tiles(layout, err));
  XLASHAPE_TRY(check_scalars(layout, err));
  return check_splits(layout, err);
}

Status validate_layout_for(const Layout& layout, std::span<const int64_t> dimensions, Error* err) {
  const auto rank = static_cast<int64_t>(dimensions.size());
  if (layout.rank() != rank && !may_lack_order(layout))
    return bad(err, "the layout's minor_to_major has %lld entries, the shape has rank %lld", layout.rank(), rank);
  for (size_t i = 0; i < layout.padded_dimensions.size(); ++i) {
    if (dimensions[i] == XLASHAPE_DIMENSION_UNBOUNDED)
      return bad(err, "padded_dimensions[%lld] is %lld, and the dimension is unbounded: no width can hold it",
                 static_cast<int64_t>(i), layout.padded_dimensions[i]);
    if (layout.padded_dimensions[i] < dimensions[i])
      return bad(err, "padded_dimensions[%lld] is %lld, less than the dimension's %lld", static_cast<int64_t>(i),
                 layout.padded_dimensions[i], dimensions[i]);
  }
  Status status = XLASHAPE_STATUS_OK;
  for_each_split(layout, [&](int64_t dimension, std::span<const int64_t> indices) {
    if (status || indices.empty()) return;
    const int64_t bound = dimensions[static_cast<size_t>(layout.major(dimension))];
    if (bound == XLASHAPE_DIMENSION_UNBOUNDED)
      status = bad(err, "physical dimension %lld is unbounded and cannot be split", dimension);
    else if (indices.back() >= bound)
      status = bad(err, "physical dimension %lld is split at index %lld, past its size %lld", dimension, indices.back(),
                   bound);
  });
  return status;
}

}  // namespace xlashape::core
