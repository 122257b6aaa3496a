// SPDX-License-Identifier: Apache-2.0
// Entry points: structs of other projects.
#include "api/answer.h"
#include "interop/dlpack.h"
#include "interop/pjrt.h"
#include "interop/strided.h"
#include "xlashape_interop.h"

using namespace xlashape::core;

namespace {

Status check_dimensions(const int64_t* dimensions, int64_t rank, Error* err) {
  XLASHAPE_TRY(check_list(dimensions, rank, "dimensions", "rank", err));
  for (int64_t i = 0; i < rank; ++i)
    if (dimensions[i] < 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "dimension %lld has size %lld, it must not be negative", ll(i),
                  ll(dimensions[i]));
  return XLASHAPE_STATUS_OK;
}

// Returns, as (out, capacity, needed), a struct and the arrays that it points to, written by write(out).
template <class Write>
Status answer_block(int64_t size, Write&& write, uint8_t* out, int64_t capacity, int64_t* needed, Error* err) {
  XLASHAPE_TRY(require(needed, "needed", err));
  if (capacity < 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "capacity is %lld, it must not be negative", ll(capacity));
  if (capacity > 0) XLASHAPE_TRY(require(out, "out", err));
  *needed = size;
  if (capacity == 0) return XLASHAPE_STATUS_OK;
  if (size > capacity)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "the struct and its arrays take %lld bytes, the capacity is %lld",
                ll(size), ll(capacity));
  if (reinterpret_cast<uintptr_t>(out) % alignof(int64_t) != 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "out must be aligned for int64_t");
  write(out);
  return XLASHAPE_STATUS_OK;
}

}  // namespace

extern "C" {

xlashape_status xlashape_layout_from_byte_strides(xlashape_element_type type, const int64_t* dimensions,
                                                  const int64_t* byte_strides, int64_t rank, uint32_t flags,
                                                  xlashape_layout** layout, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_dimensions(dimensions, rank, err));
    if (rank > 0) XLASHAPE_TRY(require(byte_strides, "byte_strides", err));
    XLASHAPE_TRY(check_flags(flags, XLASHAPE_STRIDES_COMPACT, err));
    XLASHAPE_TRY(require(layout, "layout", err));
    if (!is_array_type(type))
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "element type %d is not one of an array", type);
    Ref<Layout> result;
    XLASHAPE_TRY(layout_from_strides(list(dimensions, rank), list(byte_strides, rank),
                                     element_type_info(type).storage_bits / 8, flags, &result, err));
    *layout = result.leak();
    return XLASHAPE_STATUS_OK;
  });
}

int32_t xlashape_element_type_to_pjrt(xlashape_element_type type) { return pjrt_type(type); }
xlashape_element_type xlashape_element_type_from_pjrt(int32_t number) { return element_type_of_pjrt(number); }

xlashape_status xlashape_layout_from_pjrt(const void* memory_layout, xlashape_element_type type,
                                          const int64_t* dimensions, int64_t rank, uint32_t flags,
                                          xlashape_layout** layout, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(memory_layout, "memory_layout", err));
    XLASHAPE_TRY(check_dimensions(dimensions, rank, err));
    XLASHAPE_TRY(check_flags(flags, XLASHAPE_STRIDES_COMPACT, err));
    XLASHAPE_TRY(require(layout, "layout", err));
    Ref<Layout> result;
    XLASHAPE_TRY(layout_from_pjrt(memory_layout, type, list(dimensions, rank), flags, &result, err));
    *layout = result.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_to_pjrt(const xlashape_shape* shape, uint32_t flags, uint8_t* out, int64_t capacity,
                                       int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(check_flags(flags, XLASHAPE_PJRT_STRIDES | XLASHAPE_PJRT_DROP, err));
    PjrtWriter writer;
    XLASHAPE_TRY(writer.prepare(*shape, flags, err));
    return answer_block(
        writer.size(), [&](uint8_t* block) { writer.write(block); }, out, capacity, needed, err);
  });
}

xlashape_status xlashape_shape_from_dlpack(const void* tensor, uint32_t flags, xlashape_shape** shape,
                                           xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(tensor, "tensor", err));
    XLASHAPE_TRY(check_flags(flags, XLASHAPE_STRIDES_COMPACT | XLASHAPE_DLPACK_SUB_BYTE_PADDED, err));
    XLASHAPE_TRY(require(shape, "shape", err));
    DlTensor copy;
    std::memcpy(static_cast<void*>(&copy), tensor, sizeof copy);
    Ref<Shape> result;
    XLASHAPE_TRY(shape_from_dlpack(copy, flags, &result, err));
    *shape = result.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_to_dlpack(const xlashape_shape* shape, uint32_t flags, void* data,
                                         xlashape_memory_space device_type, int32_t device_id, int64_t byte_offset,
                                         uint8_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(check_flags(flags, XLASHAPE_DLPACK_SUB_BYTE_PADDED, err));
    if (byte_offset < 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "byte_offset is %lld, it must not be negative",
                  ll(byte_offset));
    DlpackWriter writer;
    XLASHAPE_TRY(writer.prepare(*shape, flags, err));
    DlTensor head{};
    head.data = data;
    head.device_type = device_type == 0 ? XLASHAPE_SPACE_CPU : device_type;
    head.device_id = device_id;
    head.byte_offset = static_cast<uint64_t>(byte_offset);
    return answer_block(
        writer.size(), [&](uint8_t* block) { writer.write(head, block); }, out, capacity, needed, err);
  });
}

}  // extern "C"
