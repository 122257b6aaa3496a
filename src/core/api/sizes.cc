// SPDX-License-Identifier: Apache-2.0
// The C entry points of the section "Sizes" that need storage: sizes, byte sizes, strides.
#include "index/sizes.h"

#include "api/answer.h"
#include "base/checked.h"
#include "base/struct_io.h"

using namespace xlashape::core;

namespace {

// The array whose storage is asked for, or an error.
Status array_of(const Shape* shape, const Shape** array, Error* err) {
  if (shape == nullptr) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "shape is NULL");
  *array = shape->array();
  if (*array == nullptr)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s has no storage: ask one of its arrays", noun(*shape));
  return XLASHAPE_STATUS_OK;
}

}  // namespace

extern "C" {

xlashape_status xlashape_shape_sizes(const xlashape_shape* shape, xlashape_sizes* sizes, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    const Shape* array;
    XLASHAPE_TRY(array_of(shape, &array, err));
    XLASHAPE_TRY(check_out_struct(sizes, "sizes", err));
    xlashape_sizes value;
    XLASHAPE_TRY(array_sizes(*array, &value, err));
    write_struct(sizes, value);
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_byte_size(const xlashape_shape* shape, int64_t pointer_size, uint32_t flags,
                                         int64_t* bytes, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    if (shape == nullptr) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "shape is NULL");
    if (bytes == nullptr) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "bytes is NULL");
    if (flags & ~XLASHAPE_SIZE_XLA)
      return fail(err, XLASHAPE_STATUS_INCOMPATIBLE, "flags %#x holds bits that this library does not know", flags);
    if (pointer_size < 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "pointer_size is %lld, it must not be negative",
                  ll(pointer_size));
    if (const Shape* array = shape->array()) {
      int64_t exact;
      XLASHAPE_TRY(array_bytes(*array, &exact, err));
      if (flags & XLASHAPE_SIZE_XLA) {
        exact = xla_array_size(*array);
        if (exact < 0) return fail(err, XLASHAPE_STATUS_OVERFLOW, "XLA's size of the shape does not fit 64 bits");
      }
      *bytes = exact;
      return XLASHAPE_STATUS_OK;
    }
    if (shape->category == XLASHAPE_CATEGORY_TOKEN) {
      *bytes = 0;
      return XLASHAPE_STATUS_OK;
    }
    if (pointer_size == 0)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s is stored as pointers: give pointer_size", noun(*shape));
    int64_t size;
    if (!checked_mul(shape->is_tuple() ? shape->elements.ssize() : 1, pointer_size, &size))
      return fail(err, XLASHAPE_STATUS_OVERFLOW, "the pointers of the tuple take more bytes than fit 64 bits");
    *bytes = size;
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_strides(const xlashape_shape* shape, xlashape_unit unit, int64_t* out, int64_t capacity,
                                       int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    const Shape* array;
    XLASHAPE_TRY(array_of(shape, &array, err));
    if (unit < XLASHAPE_UNIT_ELEMENTS || unit > XLASHAPE_UNIT_BITS)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "unit is %d, it must be 0 (elements), 1 (bytes) or 2 (bits)",
                  unit);
    SmallVec<int64_t, 16> strides;
    strides.resize(array->dimensions.size());
    XLASHAPE_TRY(array_strides(*array, strides.data(), err));
    const int64_t bits = container_bits(*array);
    if (unit == XLASHAPE_UNIT_BYTES && bits % 8 != 0)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "an element takes %lld bits, which is not whole bytes", ll(bits));
    const int64_t scale = unit == XLASHAPE_UNIT_ELEMENTS ? 1 : unit == XLASHAPE_UNIT_BYTES ? bits / 8 : bits;
    for (int64_t& stride : strides)
      if (!checked_mul(stride, scale, &stride))
        return fail(err, XLASHAPE_STATUS_OVERFLOW, "a stride does not fit 64 bits");
    return answer(std::span<const int64_t>(strides), out, capacity, needed, err);
  });
}

xlashape_status xlashape_shape_piece_granularity(const xlashape_shape* shape, int64_t* out, int64_t capacity,
                                                 int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    const Shape* array;
    XLASHAPE_TRY(array_of(shape, &array, err));
    SmallVec<int64_t, 16> granularity;
    granularity.resize(array->dimensions.size());
    XLASHAPE_TRY(array_piece_granularity(*array, granularity.data(), err));
    return answer(std::span<const int64_t>(granularity), out, capacity, needed, err);
  });
}

}  // extern "C"
