// SPDX-License-Identifier: Apache-2.0
#include "base/line.h"

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace xlashape::core {
namespace {

struct Character {
  size_t bytes = 1;
  bool is_printable = false;
  bool is_truncated = false;  // the text ends inside this character
};

bool is_printable_code(uint32_t c) {
  if (c < 0x20 || (c >= 0x7F && c < 0xA0)) return false;        // C0, DEL, C1
  if (c >= 0xD800 && c < 0xE000) return false;                  // surrogates
  if (c == 0x2028 || c == 0x2029 || c == 0xFEFF) return false;  // line and paragraph separator, byte order mark
  // Direction marks, embeddings, overrides and isolates; zero-width characters.
  return c != 0x061C && !(c >= 0x200B && c <= 0x200F) && !(c >= 0x202A && c <= 0x202E) && !(c >= 0x2060 && c <= 0x206F);
}

Character first_character(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, is_printable_code(lead)};
  const size_t bytes = lead >= 0xC2 && lead < 0xE0   ? 2
                       : lead >= 0xE0 && lead < 0xF0 ? 3
                       : lead >= 0xF0 && lead < 0xF5 ? 4
                                                     : 0;
  if (bytes == 0) return {};
  uint32_t c = lead & (0xFFU >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    if (i == text.size()) return {i, false, true};
    if ((byte(i) & 0xC0) != 0x80) return {};
    c = c << 6 | (byte(i) & 0x3FU);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (c < kSmallest[bytes] || c > 0x10FFFF) return {};
  return {bytes, is_printable_code(c)};
}

// Calls write(bytes, length) for each piece of the line until it returns false.
template <class Write>
void for_each_piece(std::string_view text, bool is_truncated, const Write& write) {
  while (!text.empty()) {
    const Character c = first_character(text);
    if (c.is_truncated && is_truncated) return;
    if (c.is_printable) {
      if (!write(text.data(), c.bytes)) return;
    } else {
      constexpr char kDigits[] = "0123456789abcdef";
      for (size_t i = 0; i < c.bytes; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const char escaped[] = {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
        if (!write(escaped, sizeof escaped)) return;
      }
    }
    text.remove_prefix(c.bytes);
  }
}

}  // namespace

size_t clean_line(std::string_view text, bool is_truncated, char* out, size_t capacity) noexcept {
  if (capacity == 0) return 0;
  size_t length = 0;
  for_each_piece(text, is_truncated, [&](const char* bytes, size_t count) {
    if (count >= capacity - length) return false;
    std::memmove(out + length, bytes, count);
    length += count;
    return true;
  });
  out[length] = '\0';
  return length;
}

std::string clean_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for_each_piece(text, false, [&](const char* bytes, size_t count) {
    line.append(bytes, count);
    return true;
  });
  return line;
}

void append(std::string* text, const char* format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const auto length = static_cast<size_t>(std::vsnprintf(nullptr, 0, format, args));
  const size_t before = text->size();
  text->resize(before + length + 1);
  std::vsnprintf(text->data() + before, length + 1, format, again);
  text->pop_back();
  va_end(again);
  va_end(args);
}

}  // namespace xlashape::core
