// The rules for structs that grow (struct_size first), in one place. See docs/versioning.md.
#pragma once
#include <cstddef>
#include <type_traits>

#include "base/status.h"

namespace xlashape::core {

// The size of a struct in its first release, which is the smallest that is accepted.
template <class T>
inline constexpr size_t kFirstSize = 0;
template <>
inline constexpr size_t kFirstSize<xlashape_float_format> = XLASHAPE_FLOAT_FORMAT_SIZE_0_1;
template <>
inline constexpr size_t kFirstSize<xlashape_layout_spec> = XLASHAPE_LAYOUT_SPEC_SIZE_0_1;
template <>
inline constexpr size_t kFirstSize<xlashape_sizes> = XLASHAPE_SIZES_SIZE_0_1;
template <>
inline constexpr size_t kFirstSize<xlashape_executor> = XLASHAPE_EXECUTOR_SIZE_0_1;
template <>
inline constexpr size_t kFirstSize<xlashape_allocator> = XLASHAPE_ALLOCATOR_SIZE_0_1;
template <>
inline constexpr size_t kFirstSize<xlashape_logger> = XLASHAPE_LOGGER_SIZE_0_1;
template <>
inline constexpr size_t kFirstSize<xlashape_runtime_options> = XLASHAPE_RUNTIME_OPTIONS_SIZE_0_1;
template <>
inline constexpr size_t kFirstSize<xlashape_backend_info> = XLASHAPE_BACKEND_INFO_SIZE_0_1;
template <>
inline constexpr size_t kFirstSize<xlashape_relayout_options> = XLASHAPE_RELAYOUT_OPTIONS_SIZE_0_1;
template <>
inline constexpr size_t kFirstSize<xlashape_exec> = XLASHAPE_EXEC_SIZE_0_1;
template <>
inline constexpr size_t kFirstSize<xlashape_plan_requirements> = XLASHAPE_PLAN_REQUIREMENTS_SIZE_0_1;
template <>
inline constexpr size_t kFirstSize<xlashape_index_options> = XLASHAPE_INDEX_OPTIONS_SIZE_0_1;

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
