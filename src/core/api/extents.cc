// SPDX-License-Identifier: Apache-2.0
// Entry points: bounds, indices and dimension numbers, from the sections Shapes and Sizes.
#include "shape/extents.h"

#include "api/answer.h"
#include "xlashape_xla.h"

using namespace xlashape::core;

extern "C" {

xlashape_status xlashape_dimension_number(int64_t rank, int64_t dimension, int64_t* resolved, xlashape_error* err) {
  XLASHAPE_TRY(require(resolved, "resolved", err));
  if (rank < 0) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "rank is %lld, it must not be negative", ll(rank));
  return dimension_number(rank, dimension, resolved, err);
}

int32_t xlashape_dimension_letter(int64_t rank, int64_t dimension) { return dimension_letter(rank, dimension); }

xlashape_status xlashape_dimension_from_letter(int64_t rank, int32_t letter, int64_t* dimension, xlashape_error* err) {
  XLASHAPE_TRY(require(dimension, "dimension", err));
  const int64_t found = letter > 0 && letter < 128 ? dimension_from_letter(rank, static_cast<char>(letter)) : -1;
  if (found < 0)
    return fail(err, XLASHAPE_STATUS_NOT_FOUND, "no dimension of rank %lld has the letter with code %d", ll(rank),
                letter);
  *dimension = found;
  return XLASHAPE_STATUS_OK;
}

xlashape_status xlashape_shape_element_count(const xlashape_shape* shape, int64_t* elements, xlashape_error* err) {
  XLASHAPE_TRY(require(shape, "shape", err));
  XLASHAPE_TRY(require(elements, "elements", err));
  return element_count(*shape, elements, err);
}

int64_t xlashape_shape_true_rank(const xlashape_shape* shape) { return shape == nullptr ? 0 : true_rank(*shape); }

int32_t xlashape_shape_is_effective_scalar(const xlashape_shape* shape) {
  return shape != nullptr && is_effective_scalar(*shape);
}

xlashape_status xlashape_shape_max_split_size(const xlashape_shape* shape, int64_t dimension, int64_t* size,
                                              xlashape_error* err) {
  XLASHAPE_TRY(require(shape, "shape", err));
  XLASHAPE_TRY(require(size, "size", err));
  return max_split_size(*shape, dimension, size, err);
}

int32_t xlashape_shape_index_in_bounds(const xlashape_shape* shape, const int64_t* index, int64_t rank) {
  const Shape* array = shape == nullptr ? nullptr : shape->array();
  if (array == nullptr || rank != array->rank() || (rank > 0 && index == nullptr)) return 0;
  return index_in_bounds(array->dimensions, list(index, rank));
}

int32_t xlashape_shape_next_index(const xlashape_shape* shape, int64_t* index, int64_t rank) {
  const Shape* array = shape == nullptr ? nullptr : shape->array();
  if (array == nullptr || rank != array->rank() || (rank > 0 && index == nullptr)) return 0;
  return next_index(array->dimensions, {index, static_cast<size_t>(rank)});
}

int32_t xlashape_box_next_index(const int64_t* base, const int64_t* count, const int64_t* step,
                                const int64_t* minor_to_major, int64_t rank, int64_t* index) {
  if (rank <= 0 || base == nullptr || count == nullptr || step == nullptr || index == nullptr) return 0;
  return next_index_in_box({list(base, rank), list(count, rank), list(step, rank), list(minor_to_major, rank)},
                           {index, static_cast<size_t>(rank)});
}

xlashape_status xlashape_box_index_count(const int64_t* count, const int64_t* step, int64_t rank, int64_t* indices,
                                         xlashape_error* err) {
  XLASHAPE_TRY(check_list(count, rank, "count", "rank", err));
  XLASHAPE_TRY(check_list(step, rank, "step", "rank", err));
  XLASHAPE_TRY(require(indices, "indices", err));
  return box_index_count({{}, list(count, rank), list(step, rank), {}}, indices, err);
}

xlashape_status xlashape_box_index_at(const int64_t* base, const int64_t* count, const int64_t* step,
                                      const int64_t* minor_to_major, int64_t rank, int64_t number, int64_t* out,
                                      int64_t capacity, int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_list(base, rank, "base", "rank", err));
    XLASHAPE_TRY(check_list(count, rank, "count", "rank", err));
    XLASHAPE_TRY(check_list(step, rank, "step", "rank", err));
    SmallVec<int64_t, 8> index;
    index.resize(static_cast<size_t>(rank));
    XLASHAPE_TRY(box_index_at({list(base, rank), list(count, rank), list(step, rank), list(minor_to_major, rank)},
                              number, {index.data(), index.size()}, err));
    return answer<int64_t>(index, out, capacity, needed, err);
  });
}

}  // extern "C"
