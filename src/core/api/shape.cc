// SPDX-License-Identifier: Apache-2.0
// Entry points: Shapes, except parsing and printing (text.cc) and dimension numbers (extents.cc).
#include "shape/shape.h"

#include "api/answer.h"

using namespace xlashape::core;

namespace {

// The shape whose dimensions are returned: a buffer's array, or the shape itself, whose lists are empty where it is not
// an array.
Status dimensions_of(const Shape* shape, const Shape** answers, Error* err) {
  XLASHAPE_TRY(require(shape, "shape", err));
  *answers = shape->is_buffer() ? shape->array() : shape;
  return XLASHAPE_STATUS_OK;
}

const Shape* array_or_null(const Shape* shape) { return shape == nullptr ? nullptr : shape->array(); }

}  // namespace

extern "C" {

xlashape_status xlashape_shape_create_array(xlashape_element_type element_type, const int64_t* dimensions,
                                            const uint8_t* dynamic, int64_t rank, const xlashape_layout* layout,
                                            uint32_t flags, xlashape_shape** shape, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(check_flags(flags, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT, err));
    XLASHAPE_TRY(check_list(dimensions, rank, "dimensions", "rank", err));
    Ref<Layout> own = Ref<Layout>::share(layout);
    if (!own && (flags & XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT) == 0) own = make_row_major(rank);
    Ref<Shape> result;
    XLASHAPE_TRY(make_array(element_type, list(dimensions, rank), list(dynamic, rank), std::move(own), &result, err));
    *shape = result.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_create_tuple(xlashape_shape* const* elements, int64_t count, xlashape_shape** shape,
                                            xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(check_list(elements, count, "elements", "count", err));
    Ref<Shape> result;
    XLASHAPE_TRY(make_tuple(list(elements, count), &result, err));
    *shape = result.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_create_token(xlashape_shape** shape, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    Ref<Shape> result;
    XLASHAPE_TRY(make_leaf(XLASHAPE_CATEGORY_TOKEN, &result, err));
    *shape = result.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_create_opaque(xlashape_shape** shape, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    Ref<Shape> result;
    XLASHAPE_TRY(make_leaf(XLASHAPE_CATEGORY_OPAQUE, &result, err));
    *shape = result.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_create_buffer(const xlashape_shape* array, xlashape_shape** shape, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(array, "array", err));
    XLASHAPE_TRY(require(shape, "shape", err));
    Ref<Shape> result;
    XLASHAPE_TRY(make_buffer(Ref<Shape>::share(array), &result, err));
    *shape = result.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_with_layout(const xlashape_shape* shape, const xlashape_layout* layout,
                                           xlashape_shape** result, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(require(result, "result", err));
    Ref<Shape> changed;
    XLASHAPE_TRY(with_layout(*shape, Ref<Layout>::share(layout), &changed, err));
    *result = changed.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_shape* xlashape_shape_retain(const xlashape_shape* shape) { return Ref<Shape>::share(shape).leak(); }

void xlashape_shape_release(xlashape_shape* shape) { release(shape); }

xlashape_category xlashape_shape_category(const xlashape_shape* shape) {
  return shape == nullptr ? 0 : shape->category;
}

xlashape_element_type xlashape_shape_element_type(const xlashape_shape* shape) {
  return shape == nullptr ? XLASHAPE_TYPE_INVALID : shape->element_type;
}

int64_t xlashape_shape_rank(const xlashape_shape* shape) {
  const Shape* array = array_or_null(shape);
  return array == nullptr ? 0 : array->rank();
}

xlashape_status xlashape_shape_dimensions(const xlashape_shape* shape, int64_t* out, int64_t capacity, int64_t* needed,
                                          xlashape_error* err) {
  const Shape* answers;
  XLASHAPE_TRY(dimensions_of(shape, &answers, err));
  return answer<int64_t>(answers->dimensions, out, capacity, needed, err);
}

xlashape_status xlashape_shape_dynamic_dimensions(const xlashape_shape* shape, uint8_t* out, int64_t capacity,
                                                  int64_t* needed, xlashape_error* err) {
  const Shape* answers;
  XLASHAPE_TRY(dimensions_of(shape, &answers, err));
  return answer<uint8_t>(answers->dynamic, out, capacity, needed, err);
}

int32_t xlashape_shape_is_dynamic(const xlashape_shape* shape) { return shape != nullptr && shape->any_dynamic; }

int32_t xlashape_shape_is_unbounded(const xlashape_shape* shape) { return shape != nullptr && shape->any_unbounded; }

int32_t xlashape_shape_has_layout(const xlashape_shape* shape) {
  const Shape* array = array_or_null(shape);
  return array != nullptr && array->layout;
}

xlashape_status xlashape_shape_layout(const xlashape_shape* shape, xlashape_layout** layout, xlashape_error* err) {
  XLASHAPE_TRY(require(shape, "shape", err));
  XLASHAPE_TRY(require(layout, "layout", err));
  const Shape* array = shape->array();
  if (array == nullptr) return fail(err, XLASHAPE_STATUS_NOT_FOUND, "%s has no layout", noun(*shape));
  if (!array->layout) return fail(err, XLASHAPE_STATUS_NOT_FOUND, "the array has no layout");
  *layout = Ref<Layout>(array->layout).leak();
  return XLASHAPE_STATUS_OK;
}

int64_t xlashape_shape_tuple_element_count(const xlashape_shape* shape) {
  return shape == nullptr ? 0 : shape->elements.ssize();
}

xlashape_status xlashape_shape_tuple_element(const xlashape_shape* shape, int64_t index, xlashape_shape** element,
                                             xlashape_error* err) {
  XLASHAPE_TRY(require(shape, "shape", err));
  XLASHAPE_TRY(require(element, "element", err));
  if (index < 0 || index >= shape->elements.ssize())
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "index is %lld, the %s has %zu elements", ll(index),
                shape->is_tuple() ? "tuple" : "shape", shape->elements.size());
  *element = Ref<Shape>::share(shape->elements[static_cast<size_t>(index)]).leak();
  return XLASHAPE_STATUS_OK;
}

xlashape_status xlashape_shape_subshape(const xlashape_shape* shape, const int64_t* path, int64_t path_len,
                                        xlashape_shape** result, xlashape_error* err) {
  XLASHAPE_TRY(require(shape, "shape", err));
  XLASHAPE_TRY(require(result, "subshape", err));
  XLASHAPE_TRY(check_list(path, path_len, "path", "path_len", err));
  Shape* found = subshape(*shape, list(path, path_len));
  if (found == nullptr)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "the path of %lld steps leads to no element of the shape",
                ll(path_len));
  *result = Ref<Shape>::share(found).leak();
  return XLASHAPE_STATUS_OK;
}

int64_t xlashape_shape_leaf_count(const xlashape_shape* shape) { return shape == nullptr ? 0 : shape->leaf_count; }

int32_t xlashape_shape_equal(const xlashape_shape* a, const xlashape_shape* b, uint32_t mask) {
  return a != nullptr && b != nullptr && equal(*a, *b, mask);
}

int32_t xlashape_shape_compatible(const xlashape_shape* a, const xlashape_shape* b, uint32_t mask) {
  return a != nullptr && b != nullptr && compatible(*a, *b, mask);
}

uint64_t xlashape_shape_hash(const xlashape_shape* shape, uint32_t mask) {
  return shape == nullptr ? 0 : hash(*shape, mask);
}

}  // extern "C"
