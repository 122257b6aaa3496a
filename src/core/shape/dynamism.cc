// SPDX-License-Identifier: Apache-2.0
#include "shape/dynamism.h"

#include "base/checked.h"
#include "layout/rearrange.h"
#include "shape/dimensions.h"
#include "shape/tuples.h"

namespace xlashape::core {

Status to_static(const Shape& shape, Ref<Shape>* result, Error* err) {
  return map_arrays(
      shape,
      [](const Shape& array, Ref<Shape>* made, Error* error) -> Status {
        const bool prefixed = array.layout && array.layout->metadata_prefix_bytes != 0;
        if (!array.any_dynamic && !prefixed) {
          *made = Ref<Shape>::share(const_cast<Shape*>(&array));
          return XLASHAPE_STATUS_OK;
        }
        for (size_t d = 0; d < array.dimensions.size(); ++d)
          if (array.dimensions[d] == XLASHAPE_DIMENSION_UNBOUNDED)
            return fail(error, XLASHAPE_STATUS_UNSUPPORTED, "dimension %zu is unbounded, so it has no static size", d);
        Ref<Layout> layout = array.layout;
        if (prefixed) {
          layout = copy_layout(*layout);
          layout->metadata_prefix_bytes = 0;
        }
        return make_array(array.element_type, array.dimensions, {}, std::move(layout), made, error);
      },
      result, err);
}

Status with_dynamic_dimensions(const Shape& shape, std::span<const uint8_t> dynamic, Ref<Shape>* result, Error* err) {
  const Shape* array;
  XLASHAPE_TRY(require_array(shape, &array, err));
  if (static_cast<int64_t>(dynamic.size()) != array->rank())
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "dynamic has %zu entries, the shape has rank %lld", dynamic.size(),
                ll(array->rank()));
  Ref<Shape> made;
  XLASHAPE_TRY(make_array(array->element_type, array->dimensions, dynamic, array->layout, &made, err));
  return put_back(shape, std::move(made), result, err);
}

bool is_bounded_dynamic(const Shape& shape) {
  return !walk(shape, [](const Shape& node, std::span<const int64_t>) {
    const Shape* array = node.array();
    if (array == nullptr) return true;
    for (size_t d = 0; d < array->dimensions.size(); ++d)
      if (array->dynamic[d] && array->dimensions[d] != XLASHAPE_DIMENSION_UNBOUNDED) return false;
    return true;
  });
}

bool fits_bounds(const Shape& dynamic, const Shape& bounds) {
  return walk(dynamic, [&bounds](const Shape& node, std::span<const int64_t> path) {
    const Shape* beside = subshape(bounds, path);
    if (beside == nullptr || node.is_tuple() != beside->is_tuple()) return false;
    if (node.is_tuple()) return node.elements.size() == beside->elements.size();
    const Shape *array = node.array(), *bound = beside->array();
    if (array == nullptr || !array->any_dynamic) return true;
    if (bound == nullptr || array->rank() != bound->rank()) return false;
    for (size_t d = 0; d < array->dimensions.size(); ++d)
      if (bound->dimensions[d] != XLASHAPE_DIMENSION_UNBOUNDED && array->dimensions[d] > bound->dimensions[d])
        return false;
    return true;
  });
}

Status static_element_count(const Shape& shape, int64_t* elements, Error* err) {
  const Shape* array;
  XLASHAPE_TRY(require_array(shape, &array, err));
  int64_t product = 1;
  for (const int64_t size : array->dimensions)
    if (size != XLASHAPE_DIMENSION_UNBOUNDED && !checked_mul(product, size, &product))
      return fail(err, XLASHAPE_STATUS_OVERFLOW, "the number of elements does not fit 64 bits");
  *elements = product;
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
