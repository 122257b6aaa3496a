// SPDX-License-Identifier: Apache-2.0
#include "shape/dimensions.h"

#include <algorithm>

#include "base/checked.h"
#include "layout/rearrange.h"
#include "shape/tuples.h"
#include "xlashape_xla.h"

namespace xlashape::core {
namespace {

using DimensionList = SmallVec<int64_t, 8>;

}  // namespace

Status require_array(const Shape& shape, const Shape** array, Error* err) {
  *array = shape.array();
  if (*array != nullptr) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s has no dimensions", noun(shape));
}

Status rebuild(const Shape& shape, std::span<const int64_t> dimensions, std::span<const uint8_t> dynamic,
               Ref<Layout> layout, Ref<Shape>* result, Error* err) {
  Ref<Shape> array;
  XLASHAPE_TRY(make_array(shape.array()->element_type, dimensions, dynamic, std::move(layout), &array, err));
  return put_back(shape, std::move(array), result, err);
}

Status mark_dimensions(std::span<const int64_t> dimensions, int64_t rank, SmallVec<uint8_t, 32>* marked, Error* err) {
  marked->clear();
  marked->resize(static_cast<size_t>(rank), 0);
  for (const int64_t d : dimensions) {
    if (d < 0 || d >= rank)
      return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "dimension %lld is not in [0, %lld)", ll(d), ll(rank));
    if ((*marked)[static_cast<size_t>(d)])
      return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "dimension %lld is listed twice", ll(d));
    (*marked)[static_cast<size_t>(d)] = 1;
  }
  return XLASHAPE_STATUS_OK;
}

Status check_permutation(std::span<const int64_t> permutation, int64_t rank, Error* err) {
  if (static_cast<int64_t>(permutation.size()) != rank)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "the permutation has %zu entries, the shape has rank %lld",
                permutation.size(), ll(rank));
  SmallVec<uint8_t, 32> seen;
  return mark_dimensions(permutation, rank, &seen, err);
}

Status permute_dimensions(const Shape& shape, std::span<const int64_t> permutation, uint32_t flags, Ref<Shape>* result,
                          Error* err) {
  const Shape* array;
  XLASHAPE_TRY(require_array(shape, &array, err));
  XLASHAPE_TRY(check_permutation(permutation, array->rank(), err));
  DimensionList dimensions, new_of_old;
  SmallVec<uint8_t, 8> dynamic;
  new_of_old.resize(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) {
    const auto old = static_cast<size_t>(permutation[i]);
    dimensions.push_back(array->dimensions[old]);
    dynamic.push_back(array->dynamic[old]);
    new_of_old[old] = static_cast<int64_t>(i);
  }
  Ref<Layout> layout;
  if (array->layout) {
    const Ref<Layout> from = with_order(array->layout, array->rank());
    DimensionList order;
    for (const int64_t d : from->minor_to_major)
      order.push_back((flags & XLASHAPE_PERMUTE_KEEP_LAYOUT) ? d : new_of_old[static_cast<size_t>(d)]);
    layout = renumber(*from, order, new_of_old, from->padded_dimensions);
  }
  return rebuild(shape, dimensions, dynamic, std::move(layout), result, err);
}

Status to_physical_order(const Shape& shape, Ref<Shape>* result, Error* err) {
  const Shape* array;
  XLASHAPE_TRY(require_array(shape, &array, err));
  DimensionList permutation;
  for (int64_t i = 0; i < array->rank(); ++i) permutation.push_back(array->layout ? array->layout->major(i) : i);
  return permute_dimensions(shape, permutation, 0, result, err);
}

Status with_dimension(const Shape& shape, int64_t dimension, int64_t size, bool is_dynamic, Ref<Shape>* result,
                      Error* err) {
  const Shape* array;
  XLASHAPE_TRY(require_array(shape, &array, err));
  XLASHAPE_TRY(dimension_number(array->rank(), dimension, &dimension, err));
  DimensionList dimensions(array->dimensions);
  SmallVec<uint8_t, 8> dynamic = array->dynamic;
  dimensions[static_cast<size_t>(dimension)] = size;
  dynamic[static_cast<size_t>(dimension)] = is_dynamic;
  return rebuild(shape, dimensions, dynamic, array->layout, result, err);
}

bool has_degenerate_dimensions(const Shape& shape) noexcept {
  const Shape* array = shape.array();
  return array != nullptr &&
         std::find(array->dimensions.begin(), array->dimensions.end(), 1) != array->dimensions.end();
}

bool is_effectively_most_major(const Shape& shape, int64_t dimension) noexcept {
  const Shape* array = shape.array();
  if (array == nullptr || dimension_number(array->rank(), dimension, &dimension, nullptr)) return false;
  for (int64_t i = 0;; ++i) {  // ends, because `dimension` is one of them
    const int64_t major = array->layout ? array->layout->major(i) : i;
    if (major == dimension) return true;
    if (array->dimensions[static_cast<size_t>(major)] != 1) return false;
  }
}

bool last_dimension_is_most_minor(const Shape& shape) noexcept {
  const Shape* array = shape.array();
  if (array == nullptr) return false;
  const int64_t last = array->rank() - 1;
  return last < 0 || !array->layout || array->layout->major(last) == last;
}

bool byte_strides_are_row_major(int64_t element_bytes, std::span<const int64_t> dimensions,
                                std::span<const int64_t> byte_strides) noexcept {
  int64_t stride = element_bytes;
  bool fits = true;  // a stride that does not fit equals none
  for (size_t i = dimensions.size(); i-- > 0;) {
    if (dimensions[i] < 0) return false;
    if (dimensions[i] == 1) continue;
    if (!fits || byte_strides[i] != stride) return false;
    fits = checked_mul(stride, dimensions[i], &stride);
  }
  return true;
}

}  // namespace xlashape::core
