// SPDX-License-Identifier: Apache-2.0
// Entry points: Bitcasts and reshapes.
#include "bitcast/bitcast.h"

#include <algorithm>

#include "api/answer.h"
#include "base/struct_io.h"
#include "bitcast/align.h"
#include "bitcast/decompose.h"
#include "shape/dimensions.h"
#include "shape/reshape.h"
#include "xlashape_xla.h"

using namespace xlashape::core;

namespace {

constexpr uint32_t kFlags = XLASHAPE_BITCAST_XLA | XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE;

// Asks a question about both arrays. The answer is no where one shape has no array, or there is not enough memory to
// find out.
template <class Ask>
int32_t ask(const Shape* a, const Shape* b, Ask&& question) {
  const Shape* array_a = a == nullptr ? nullptr : a->array();
  const Shape* array_b = b == nullptr ? nullptr : b->array();
  bool answer = false;
  if (array_a != nullptr && array_b != nullptr)
    (void)guarded(nullptr, [&]() -> Status {
      answer = question(*array_a, *array_b);
      return XLASHAPE_STATUS_OK;
    });
  return answer;
}

Status arrays_of(const Shape* a, const Shape* b, const Shape** array_a, const Shape** array_b, Error* err) {
  XLASHAPE_TRY(require(a, "a", err));
  XLASHAPE_TRY(require(b, "b", err));
  XLASHAPE_TRY(require_array(*a, array_a, err));
  return require_array(*b, array_b, err);
}

// Returns two lists. Sets both sizes first; where either list is too long, writes neither.
Status answer_two(std::span<const int64_t> a, int64_t* out_a, int64_t capacity_a, int64_t* needed_a,
                  std::span<const int64_t> b, int64_t* out_b, int64_t capacity_b, int64_t* needed_b, Error* err) {
  *needed_a = static_cast<int64_t>(a.size());
  *needed_b = static_cast<int64_t>(b.size());
  if (capacity_b < 0 || (capacity_b > 0 && *needed_b > capacity_b)) return answer(b, out_b, capacity_b, needed_b, err);
  XLASHAPE_TRY(answer(a, out_a, capacity_a, needed_a, err));
  return answer(b, out_b, capacity_b, needed_b, err);
}

// The room for a transpose of the array: none, or for all its dimensions.
Status check_transpose(const Shape& array, const int64_t* out, const char* name, int64_t capacity, Error* err) {
  if (capacity < 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s_capacity is %lld, it must not be negative", name,
                ll(capacity));
  if (capacity > 0 && capacity < array.rank())
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "%s_capacity is %lld, the rank is %lld", name, ll(capacity),
                ll(array.rank()));
  return capacity == 0 ? XLASHAPE_STATUS_OK : require(out, name, err);
}

}  // namespace

extern "C" {

int32_t xlashape_shape_reshape_is_bitcast(const xlashape_shape* a, const xlashape_shape* b, uint32_t flags) {
  return ask(a, b, [flags](const Shape& x, const Shape& y) { return reshape_is_bitcast(x, y, flags); });
}

int32_t xlashape_shape_transpose_is_bitcast(const xlashape_shape* a, const xlashape_shape* b,
                                            const int64_t* permutation, int64_t rank, uint32_t flags) {
  if (check_list(permutation, rank, "", "", nullptr)) return 0;
  return ask(a, b, [&](const Shape& x, const Shape& y) {
    return x.rank() == rank && y.rank() == rank && !check_permutation(list(permutation, rank), rank, nullptr) &&
           transpose_is_bitcast(x, y, list(permutation, rank), flags);
  });
}

int32_t xlashape_shape_is_reshape_or_transpose_bitcast(const xlashape_shape* a, const xlashape_shape* b,
                                                       uint32_t flags) {
  return ask(a, b, [flags](const Shape& x, const Shape& y) { return is_reshape_or_transpose_bitcast(x, y, flags); });
}

xlashape_status xlashape_shape_deduce_transpose(const xlashape_shape* a, const xlashape_shape* b, uint32_t flags,
                                                int64_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    const Shape *x, *y;
    XLASHAPE_TRY(arrays_of(a, b, &x, &y, err));
    XLASHAPE_TRY(check_flags(flags, kFlags, err));
    SmallVec<int64_t, 8> permutation;
    if (!deduce_transpose(*x, *y, flags, &permutation))
      return fail(err, XLASHAPE_STATUS_NOT_FOUND, "no transpose of a to b is a bitcast");
    return answer<int64_t>({permutation.data(), permutation.size()}, out, capacity, needed, err);
  });
}

xlashape_status xlashape_shape_decompose_bitcast(const xlashape_shape* a, const xlashape_shape* b, uint32_t flags,
                                                 xlashape_bitcast_steps* steps, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    const Shape *x, *y;
    XLASHAPE_TRY(arrays_of(a, b, &x, &y, err));
    XLASHAPE_TRY(check_flags(flags, kFlags, err));
    XLASHAPE_TRY(check_out_struct(steps, "steps", err));
    XLASHAPE_TRY(check_transpose(*x, steps->transpose1, "steps.transpose1", steps->transpose1_capacity, err));
    XLASHAPE_TRY(check_transpose(*y, steps->transpose2, "steps.transpose2", steps->transpose2_capacity, err));
    BitcastSteps found;
    XLASHAPE_TRY(decompose_bitcast(*x, *y, flags, &found, err));
    if (steps->transpose1_capacity > 0) std::copy(found.transpose1.begin(), found.transpose1.end(), steps->transpose1);
    if (steps->transpose2_capacity > 0) std::copy(found.transpose2.begin(), found.transpose2.end(), steps->transpose2);
    write_struct(steps,
                 xlashape_bitcast_steps{sizeof(xlashape_bitcast_steps), found.kind, steps->transpose1,
                                        steps->transpose1_capacity, steps->transpose2, steps->transpose2_capacity,
                                        found.reshape_from.leak(), found.reshape_to.leak()});
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_align_layouts(const xlashape_shape* shape, const int64_t* dimensions, int64_t rank,
                                             uint32_t flags, xlashape_layout** layout, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(require(layout, "layout", err));
    XLASHAPE_TRY(check_list(dimensions, rank, "dimensions", "rank", err));
    XLASHAPE_TRY(check_flags(flags, kFlags, err));
    const Shape* array;
    XLASHAPE_TRY(require_array(*shape, &array, err));
    Ref<Layout> found;
    XLASHAPE_TRY(align_layouts(*array, list(dimensions, rank), flags, &found, err));
    *layout = found.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_common_factors(const int64_t* a, int64_t a_rank, const int64_t* b, int64_t b_rank,
                                        int64_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_list(a, a_rank, "a", "a_rank", err));
    XLASHAPE_TRY(check_list(b, b_rank, "b", "b_rank", err));
    Numbers pairs;
    XLASHAPE_TRY(common_factors(list(a, a_rank), list(b, b_rank), &pairs, err));
    return answer<int64_t>({pairs.data(), pairs.size()}, out, capacity, needed, err);
  });
}

xlashape_status xlashape_dimensions_unmodified_by_reshape(const int64_t* a, int64_t a_rank, const int64_t* b,
                                                          int64_t b_rank, int64_t* out, int64_t capacity,
                                                          int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_list(a, a_rank, "a", "a_rank", err));
    XLASHAPE_TRY(check_list(b, b_rank, "b", "b_rank", err));
    Numbers pairs;
    XLASHAPE_TRY(unmodified_by_reshape(list(a, a_rank), list(b, b_rank), &pairs, err));
    return answer<int64_t>({pairs.data(), pairs.size()}, out, capacity, needed, err);
  });
}

xlashape_status xlashape_shape_inserted_or_deleted_ones(const xlashape_shape* a, const xlashape_shape* b,
                                                        int64_t* deleted, int64_t deleted_capacity,
                                                        int64_t* deleted_needed, int64_t* inserted,
                                                        int64_t inserted_capacity, int64_t* inserted_needed,
                                                        xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    const Shape *x, *y;
    XLASHAPE_TRY(arrays_of(a, b, &x, &y, err));
    XLASHAPE_TRY(require(deleted_needed, "deleted_needed", err));
    XLASHAPE_TRY(require(inserted_needed, "inserted_needed", err));
    if (deleted_capacity > 0) XLASHAPE_TRY(require(deleted, "deleted", err));
    if (inserted_capacity > 0) XLASHAPE_TRY(require(inserted, "inserted", err));
    Numbers gone, added;
    XLASHAPE_TRY(inserted_or_deleted_ones(x->dimensions, y->dimensions, &gone, &added, err));
    return answer_two(gone, deleted, deleted_capacity, deleted_needed, added, inserted, inserted_capacity,
                      inserted_needed, err);
  });
}

xlashape_status xlashape_normalized_transpose(const int64_t* dimensions, const int64_t* permutation, int64_t rank,
                                              int64_t* out_dimensions, int64_t* out_permutation, int64_t capacity,
                                              int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_list(dimensions, rank, "dimensions", "rank", err));
    XLASHAPE_TRY(check_list(permutation, rank, "permutation", "rank", err));
    XLASHAPE_TRY(check_permutation(list(permutation, rank), rank, err));
    if (capacity > 0) XLASHAPE_TRY(require(out_dimensions, "out_dimensions", err));
    if (capacity > 0) XLASHAPE_TRY(require(out_permutation, "out_permutation", err));
    Numbers sizes, order;
    XLASHAPE_TRY(normalized_transpose(list(dimensions, rank), list(permutation, rank), &sizes, &order, err));
    XLASHAPE_TRY(answer<int64_t>({sizes.data(), sizes.size()}, out_dimensions, capacity, needed, err));
    return answer<int64_t>({order.data(), order.size()}, out_permutation, capacity, needed, err);
  });
}

}  // extern "C"
