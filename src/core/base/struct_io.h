/* SPDX-License-Identifier: Apache-2.0 */
// The rules for structs that grow (struct_size first), in one place.
#pragma once
#include <cstddef>
#include <type_traits>

#include "base/status.h"
#include "xlashape_runtime.h"
#include "xlashape_target.h"
#include "xlashape_xla.h"

namespace xlashape::core {

// The smallest size of a struct that is accepted: that of its first release, up to the field named here. A struct that
// grows later keeps its line. See docs/versioning.md.
template <class T>
inline constexpr size_t kFirstSize = 0;
#define XLASHAPE_FIRST_SIZE(type, last) \
  template <>                           \
  inline constexpr size_t kFirstSize<type> = offsetof(type, last) + sizeof(type::last)
XLASHAPE_FIRST_SIZE(xlashape_float_format, has_positive_zero);
XLASHAPE_FIRST_SIZE(xlashape_layout_spec, dynamic_shape_metadata_prefix_bytes);
XLASHAPE_FIRST_SIZE(xlashape_sizes, tail_padding);
XLASHAPE_FIRST_SIZE(xlashape_executor, release);
XLASHAPE_FIRST_SIZE(xlashape_allocator, release);
XLASHAPE_FIRST_SIZE(xlashape_logger, release);
XLASHAPE_FIRST_SIZE(xlashape_runtime_options, profile);
XLASHAPE_FIRST_SIZE(xlashape_backend_info, memory_spaces);
XLASHAPE_FIRST_SIZE(xlashape_relayout_options, dst_first_element);
XLASHAPE_FIRST_SIZE(xlashape_execute_options, progress_opaque);
XLASHAPE_FIRST_SIZE(xlashape_plan_requirements, plan_bytes);
XLASHAPE_FIRST_SIZE(xlashape_index_options, dimension_step);
XLASHAPE_FIRST_SIZE(xlashape_bitcast_steps, reshape_to);
XLASHAPE_FIRST_SIZE(xlashape_target_info, reserved);
XLASHAPE_FIRST_SIZE(xlashape_window, run_count);
XLASHAPE_FIRST_SIZE(xlashape_slabs, dst_runs);
XLASHAPE_FIRST_SIZE(xlashape_measure_options, dst);
XLASHAPE_FIRST_SIZE(xlashape_calibrate_options, cancel);
#undef XLASHAPE_FIRST_SIZE

// Reads the caller's struct into *out: smaller than the first size is INVALID_ARGUMENT, missing fields read as zero,
// `reserved` and bytes beyond what this library knows must be zero (else INCOMPATIBLE).
Status read_bytes(const void* in, size_t first_size, void* out, size_t size, const char* name, Error* err);
template <class T>
Status read_struct(const T* in, T* out, const char* name, Error* err) {
  static_assert(kFirstSize<T> != 0 && std::is_trivially_copyable_v<T> && offsetof(T, struct_size) == 0);
  XLASHAPE_TRY(read_bytes(in, kFirstSize<T>, out, sizeof(T), name, err));
  if constexpr (requires { out->reserved; })
    if (out->reserved != 0)
      return fail(err, XLASHAPE_STATUS_INCOMPATIBLE, "%s.reserved is %lld, it must be 0", name, ll(out->reserved));
  return XLASHAPE_STATUS_OK;
}

// The same for the one struct that never grows; NULL is no queue.
Status read_queue(const xlashape_queue* in, xlashape_queue* out, Error* err);

// Checks the struct_size of a struct to be filled.
Status check_room(const void* out, size_t first_size, const char* name, Error* err);
template <class T>
Status check_out_struct(const T* out, const char* name, Error* err) {
  static_assert(kFirstSize<T> != 0 && offsetof(T, struct_size) == 0);
  return check_room(out, kFirstSize<T>, name, err);
}

// Writes as much of `value` as the caller's struct has room for, zeroes the rest of that struct, and sets its
// struct_size to the size written.
void write_bytes(void* out, const void* value, size_t size);
template <class T>
void write_struct(T* out, const T& value) {
  write_bytes(out, &value, sizeof(T));
}

}  // namespace xlashape::core
