// SPDX-License-Identifier: Apache-2.0
// Entry points: Shape utilities for the shapes inside a shape.
#include "shape/tuples.h"

#include "api/answer.h"
#include "base/checked.h"
#include "index/sizes.h"
#include "shape/dynamism.h"
#include "shape/extents.h"
#include "xlashape_xla.h"

using namespace xlashape::core;

namespace {

Status storage_bytes(const Shape& shape, int64_t* bytes, Error* err) {
  int64_t total = 0;
  Status status = XLASHAPE_STATUS_OK;
  walk(shape, [&](const Shape& node, std::span<const int64_t>) {
    int64_t size;
    if (const Shape* array = node.array()) {
      status = array_bytes(*array, &size, err);
      if (!status && !checked_add(total, size, &total))
        status =
            fail(err, XLASHAPE_STATUS_OVERFLOW, "the storage of the arrays inside takes more bytes than fit 64 bits");
    } else if (node.category == XLASHAPE_CATEGORY_OPAQUE) {
      status = fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the shape contains an opaque, which has no size");
    }
    return status == XLASHAPE_STATUS_OK;
  });
  if (!status) *bytes = total;
  return status;
}

}  // namespace

extern "C" {

xlashape_status xlashape_shape_static_element_count(const xlashape_shape* shape, int64_t* elements,
                                                    xlashape_error* err) {
  XLASHAPE_TRY(require(shape, "shape", err));
  XLASHAPE_TRY(require(elements, "elements", err));
  return static_element_count(*shape, elements, err);
}

xlashape_status xlashape_shape_element_count_recursive(const xlashape_shape* shape, int64_t* elements,
                                                       xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(require(elements, "elements", err));
    return element_count_recursive(*shape, elements, err);
  });
}

xlashape_status xlashape_shape_byte_size_recursive(const xlashape_shape* shape, int64_t* bytes, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(require(bytes, "bytes", err));
    return storage_bytes(*shape, bytes, err);
  });
}

xlashape_status xlashape_shape_max_elements_per_split(const xlashape_shape* shape, int64_t* elements,
                                                      xlashape_error* err) {
  XLASHAPE_TRY(require(shape, "shape", err));
  XLASHAPE_TRY(require(elements, "elements", err));
  return max_elements_per_split(*shape, elements, err);
}

int32_t xlashape_shape_has_element_type(const xlashape_shape* shape, xlashape_element_type type) {
  bool answer = false;
  (void)guarded(nullptr, [&]() -> Status {
    answer = shape != nullptr && has_element_type(*shape, type);
    return XLASHAPE_STATUS_OK;
  });
  return answer;
}

int32_t xlashape_shape_leaves_have_classes(const xlashape_shape* shape, uint32_t classes) {
  bool answer = false;
  (void)guarded(nullptr, [&]() -> Status {
    answer = shape != nullptr && leaves_have_classes(*shape, classes);
    return XLASHAPE_STATUS_OK;
  });
  return answer;
}

int64_t xlashape_shape_subshape_count(const xlashape_shape* shape) {
  int64_t count = 0;
  (void)guarded(nullptr, [&]() -> Status {
    if (shape != nullptr) count = subshape_count(*shape);
    return XLASHAPE_STATUS_OK;
  });
  return count;
}

xlashape_status xlashape_shape_next_subshape(const xlashape_shape* shape, uint32_t flags, int64_t* path,
                                             int64_t capacity, int64_t* path_len, xlashape_shape** subshape,
                                             xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(
        check_flags(flags, XLASHAPE_VISIT_LEAVES | XLASHAPE_VISIT_POST_ORDER | XLASHAPE_VISIT_MISSING_LAYOUTS, err));
    XLASHAPE_TRY(check_list(path, capacity, "path", "capacity", err));
    XLASHAPE_TRY(require(path_len, "path_len", err));
    if (*path_len < -1 || *path_len > capacity)
      return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "path_len is %lld, it must be -1 to %lld", ll(*path_len),
                  ll(capacity));
    const bool started = *path_len >= 0;
    SmallVec<int64_t, 16> next(list(path, started ? *path_len : 0));
    const Shape* found;
    XLASHAPE_TRY(next_subshape(*shape, flags, started, &next, &found, err));
    if (next.ssize() > capacity)
      return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "the next path has %zu steps, the capacity is %lld", next.size(),
                  ll(capacity));
    if (!next.empty()) std::memcpy(path, next.data(), next.size() * sizeof(int64_t));
    *path_len = next.ssize();
    if (subshape != nullptr) *subshape = Ref<Shape>::share(const_cast<Shape*>(found)).leak();
    return XLASHAPE_STATUS_OK;
  });
}

int32_t xlashape_shape_is_prefix(const xlashape_shape* prefix, const xlashape_shape* shape, uint32_t mask) {
  bool answer = false;
  (void)guarded(nullptr, [&]() -> Status {
    answer = prefix != nullptr && shape != nullptr && is_prefix(*prefix, *shape, mask);
    return XLASHAPE_STATUS_OK;
  });
  return answer;
}

xlashape_status xlashape_shape_slice_tuple(const xlashape_shape* tuple, int64_t first, int64_t limit,
                                           xlashape_shape** result, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(tuple, "tuple", err));
    XLASHAPE_TRY(require(result, "result", err));
    Ref<Shape> made;
    XLASHAPE_TRY(slice_tuple(*tuple, first, limit, &made, err));
    *result = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_append_to_tuple(const xlashape_shape* tuple, const xlashape_shape* element,
                                               xlashape_shape** result, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(tuple, "tuple", err));
    XLASHAPE_TRY(require(element, "element", err));
    XLASHAPE_TRY(require(result, "result", err));
    Ref<Shape> made;
    XLASHAPE_TRY(append_to_tuple(*tuple, *element, &made, err));
    *result = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_replace_subshape(const xlashape_shape* shape, const int64_t* path, int64_t path_len,
                                                const xlashape_shape* subshape, xlashape_shape** result,
                                                xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(require(subshape, "subshape", err));
    XLASHAPE_TRY(require(result, "result", err));
    XLASHAPE_TRY(check_list(path, path_len, "path", "path_len", err));
    Ref<Shape> made;
    XLASHAPE_TRY(replace_subshape(*shape, list(path, path_len), *subshape, &made, err));
    *result = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_flatten_tuple(const xlashape_shape* shape, xlashape_shape** result,
                                             xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(require(result, "result", err));
    Ref<Shape> made;
    XLASHAPE_TRY(flatten_tuple(*shape, &made, err));
    *result = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}

}  // extern "C"
