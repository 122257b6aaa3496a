/* SPDX-License-Identifier: Apache-2.0 */
// What an entry point checks before it unwraps its handles: pointers, counts and flags.
// Each failure names the parameter.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "base/limits.h"
#include "base/status.h"

namespace xlashape::core {

// The length to which a backend's name is truncated.
inline constexpr size_t kNameLimit = 256;

inline Status require(const void* pointer, const char* name, Error* err) {
  return pointer != nullptr ? XLASHAPE_STATUS_OK : fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s is NULL", name);
}

// Checks a text given as pointer and length. NULL is allowed only where the length is 0.
inline Status check_text(const char* text, const char* name, int64_t length, Error* err) {
  if (length < 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s_len is %lld, it must not be negative", name, ll(length));
  if constexpr (sizeof(size_t) < sizeof length)
    if (length > PTRDIFF_MAX)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s_len is %lld, more than can be addressed", name,
                  ll(length));
  return length == 0 ? XLASHAPE_STATUS_OK : require(text, name, err);
}

// A checked text as a string_view.
inline std::string_view view(const char* text, int64_t length) {
  return length == 0 ? std::string_view() : std::string_view(text, static_cast<size_t>(length));
}

inline Status check_count(int64_t count, const char* name, Error* err) {
  if (count >= 0 && count <= kMaxListed) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s is %lld, it must be within 0 and %lld", name, ll(count),
              ll(kMaxListed));
}

// Checks a list given as pointer and count. NULL is allowed only where the count is 0.
template <class T>
Status check_list(const T* items, int64_t count, const char* name, const char* count_name, Error* err) {
  XLASHAPE_TRY(check_count(count, count_name, err));
  return count == 0 ? XLASHAPE_STATUS_OK : require(items, name, err);
}

template <class T>
std::span<const T> list(const T* items, int64_t count) {
  return {items, items == nullptr ? 0 : static_cast<size_t>(count)};
}

// Checks that a set of 64 bits can hold the memory space.
inline Status check_space(xlashape_memory_space space, const char* name, Error* err) {
  if (space >= 1 && space <= 63) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s is %d, it must be within 1 and 63", name, space);
}

// Checks the flags of functions that can fail: an unknown bit asks for something that this library cannot do.
inline Status check_flags(uint32_t flags, uint32_t known, Error* err) {
  if ((flags & ~known) == 0) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_INCOMPATIBLE, "flags 0x%x holds bits that this library (%s) does not know", flags,
              xlashape_version());
}

}  // namespace xlashape::core
