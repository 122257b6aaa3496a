// The rule for answers of variable length, (out, capacity, needed), in one place: see the head of xlashape.h.
#pragma once
#include <cstring>
#include <string_view>

#include "api/check.h"

namespace xlashape {

// Copies `values` out. Capacity 0 only asks for the size; a capacity that is too small is OUT_OF_RANGE.
template <class T>
Status answer(std::span<const T> values, T* out, int64_t capacity, int64_t* needed, Error* err,
              const char* out_name = "out") {
  XLASHAPE_TRY(require(needed, "needed", err));
  if (capacity < 0)
    return fail(err, XLASHAPE_INVALID_ARGUMENT, "capacity is %lld, it must not be negative",
                static_cast<long long>(capacity));
  if (capacity > 0) XLASHAPE_TRY(require(out, out_name, err));
  *needed = static_cast<int64_t>(values.size());
  if (capacity == 0 || values.empty()) return XLASHAPE_OK;
  if (*needed > capacity)
    return fail(err, XLASHAPE_OUT_OF_RANGE, "the answer has %lld entries, the capacity is %lld",
                static_cast<long long>(*needed), static_cast<long long>(capacity));
  std::memcpy(out, values.data(), values.size_bytes());
  return XLASHAPE_OK;
}

// What to check of a text's destination before it is written.
inline Status check_text_out(const char* text, size_t capacity, const size_t* needed, Error* err) {
  XLASHAPE_TRY(require(needed, "needed", err));
  return capacity == 0 ? XLASHAPE_OK : require(text, "text", err);
}

// The same for text: `needed` counts the final NUL, and what does not fit is cut at a character.
inline Status answer_text(std::string_view value, char* text, size_t capacity, size_t* needed, Error* err) {
  XLASHAPE_TRY(check_text_out(text, capacity, needed, err));
  *needed = value.size() + 1;
  if (capacity == 0) return XLASHAPE_OK;
  size_t size = value.size();
  if (size >= capacity) {
    size = capacity - 1;
    while (size > 0 && (static_cast<unsigned char>(value[size]) & 0xC0) == 0x80) --size;
  }
  std::memcpy(text, value.data(), size);
  text[size] = '\0';
  if (size == value.size()) return XLASHAPE_OK;
  return fail(err, XLASHAPE_OUT_OF_RANGE, "the text takes %zu bytes, the capacity is %zu", *needed, capacity);
}

}  // namespace xlashape
