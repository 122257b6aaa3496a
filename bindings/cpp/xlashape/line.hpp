// SPDX-License-Identifier: Apache-2.0
// Makes foreign texts one printable line, as the library does with texts that it quotes.
#ifndef XLASHAPE_LINE_HPP_
#define XLASHAPE_LINE_HPP_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace xlashape::detail {

// The number of bytes of the first character of `text` if it may be printed, else 0: for controls, line separators,
// invisible characters, those that change the direction of text, and bytes that are not UTF-8. These are escaped by
// byte.
inline std::size_t printable(std::string_view text) noexcept {
  const auto byte = [text](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
  const std::size_t size = lead < 0xC2 || lead > 0xF4 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (size == 0 || text.size() < size) return 0;
  std::uint32_t c = lead & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    c = c << 6 | (byte(i) & 0x3F);
  }
  const auto in = [c](std::uint32_t first, std::uint32_t last) { return c >= first && c <= last; };
  if (c < (size == 2 ? 0xA0u : size == 3 ? 0x800u : 0x10000u) || c > 0x10FFFF || in(0xD800, 0xDFFF)) return 0;
  if (c == 0x61C || c == 0xFEFF || in(0x200B, 0x200F) || in(0x2028, 0x202E) || in(0x2060, 0x206F)) return 0;
  return size;
}

// Writes `text` to out[0, capacity) as one line of UTF-8, NUL-terminated, and returns its length. What may not be
// printed is written as \xNN; a text that does not fit is truncated at a character.
inline std::size_t clean_line(std::string_view text, char* out, std::size_t capacity) noexcept {
  constexpr char kDigits[] = "0123456789abcdef";
  std::size_t length = 0;
  while (!text.empty()) {
    const std::size_t shown = printable(text), size = shown != 0 ? shown : 4;
    if (length + size >= capacity) break;
    const auto byte = static_cast<unsigned char>(text[0]);
    const char escaped[] = {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    for (std::size_t i = 0; i < size; ++i) out[length++] = shown != 0 ? text[i] : escaped[i];
    text.remove_prefix(shown != 0 ? shown : 1);
  }
  out[length] = '\0';
  return length;
}

}  // namespace xlashape::detail

#endif  // XLASHAPE_LINE_HPP_
