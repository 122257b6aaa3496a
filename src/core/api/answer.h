/* SPDX-License-Identifier: Apache-2.0 */
// Results of variable size, (out, capacity, needed): see the start of xlashape.h.
#pragma once
#include <cstring>
#include <string_view>

#include "api/check.h"

namespace xlashape::core {

// Checks the destination of a result before it is written.
inline Status check_out(const void* out, const char* out_name, int64_t capacity, const int64_t* needed, Error* err) {
  XLASHAPE_TRY(require(needed, "needed", err));
  if (capacity < 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "capacity is %lld, it must not be negative", ll(capacity));
  return capacity == 0 ? XLASHAPE_STATUS_OK : require(out, out_name, err);
}

// Copies `values` out. Capacity 0 only asks for the size; a capacity that is too small is OUT_OF_RANGE.
template <class T>
Status answer(std::span<const T> values, T* out, int64_t capacity, int64_t* needed, Error* err,
              const char* out_name = "out") {
  XLASHAPE_TRY(check_out(out, out_name, capacity, needed, err));
  *needed = static_cast<int64_t>(values.size());
  if (capacity == 0 || values.empty()) return XLASHAPE_STATUS_OK;
  if (*needed > capacity)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "the answer has %lld entries, the capacity is %lld", ll(*needed),
                ll(capacity));
  std::memcpy(out, values.data(), values.size_bytes());
  return XLASHAPE_STATUS_OK;
}

inline Status check_text_out(const char* text, int64_t capacity, const int64_t* needed, Error* err) {
  return check_out(text, "text", capacity, needed, err);
}

// The same for text: `needed` counts the final NUL, and a text that does not fit is truncated at a character.
inline Status answer_text(std::string_view value, char* text, int64_t capacity, int64_t* needed, Error* err) {
  XLASHAPE_TRY(check_text_out(text, capacity, needed, err));
  *needed = static_cast<int64_t>(value.size()) + 1;
  if (capacity == 0) return XLASHAPE_STATUS_OK;
  size_t size = value.size();
  if (*needed > capacity) {
    size = static_cast<size_t>(capacity) - 1;
    while (size > 0 && (static_cast<unsigned char>(value[size]) & 0xC0) == 0x80) --size;
  }
  std::memcpy(text, value.data(), size);
  text[size] = '\0';
  if (size == value.size()) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "the text takes %lld bytes, the capacity is %lld", ll(*needed),
              ll(capacity));
}

}  // namespace xlashape::core
