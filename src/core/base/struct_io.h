// The rules for structs that grow (struct_size first), in one place. See docs/versioning.md.
#pragma once
#include <algorithm>
#include <cstring>

#include "base/status.h"

namespace xlashape {

// Reads the caller's struct into *out: smaller than `first_size` is INVALID_ARGUMENT, missing fields read as zero,
// `reserved` and bytes beyond what this library knows must be zero (else VERSION).
template <class T>
Status read_struct(const T* in, size_t first_size, T* out, const char* name, Error* err) {
  if (in == nullptr) return fail(err, XLASHAPE_INVALID_ARGUMENT, "%s is NULL", name);
  const size_t size = in->struct_size;
  if (size < first_size)
    return fail(err, XLASHAPE_INVALID_ARGUMENT, "%s.struct_size is %zu, it must be at least %zu: set it to sizeof",
                name, size, first_size);
  std::memset(static_cast<void*>(out), 0, sizeof(T));
  std::memcpy(static_cast<void*>(out), in, std::min(size, sizeof(T)));
  out->struct_size = sizeof(T);
  if constexpr (requires { out->reserved; })
    if (out->reserved != 0)
      return fail(err, XLASHAPE_VERSION, "%s.reserved is %lld, it must be 0", name,
                  static_cast<long long>(out->reserved));
  const auto* bytes = reinterpret_cast<const unsigned char*>(in);
  for (size_t i = sizeof(T); i < size; ++i)
    if (bytes[i] != 0)
      return fail(err, XLASHAPE_VERSION, "%s uses a field at byte %zu that this library (%s) does not know", name, i,
                  xlashape_version());
  return XLASHAPE_OK;
}

// Checks the struct_size of a struct to be filled.
template <class T>
Status check_out_struct(const T* out, size_t first_size, const char* name, Error* err) {
  if (out == nullptr) return fail(err, XLASHAPE_INVALID_ARGUMENT, "%s is NULL", name);
  if (out->struct_size < first_size)
    return fail(err, XLASHAPE_INVALID_ARGUMENT, "%s.struct_size is %u, it must be at least %zu: set it to sizeof", name,
                out->struct_size, first_size);
  return XLASHAPE_OK;
}

// Writes as much of `value` as the caller has room for, zeroes what is beyond our knowledge, and tells the size filled.
template <class T>
void write_struct(T* out, const T& value) {
  const size_t room = out->struct_size;
  const size_t size = std::min(room, sizeof(T));
  std::memcpy(static_cast<void*>(out), &value, size);
  if (room > size) std::memset(reinterpret_cast<unsigned char*>(out) + size, 0, room - size);
  out->struct_size = static_cast<uint32_t>(size);
}

}  // namespace xlashape
