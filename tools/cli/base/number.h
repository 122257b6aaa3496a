/* SPDX-License-Identifier: Apache-2.0 */
// Numbers and pieces of texts; sums and products of sizes that stop at the largest int64_t, where overflow would wrap.
#pragma once
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace xlashape::cli {

// A whole decimal number with nothing around it.
inline std::optional<int64_t> number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

// The pieces between commas; of an empty text one empty piece.
inline std::vector<std::string_view> between_commas(std::string_view text) {
  std::vector<std::string_view> pieces;
  for (size_t from = 0, comma = 0; comma != text.npos; from = comma + 1) {
    comma = text.find(',', from);
    pieces.push_back(text.substr(from, comma - from));
  }
  return pieces;
}

inline int64_t sum(int64_t a, int64_t b) {
  int64_t out = 0;
  return __builtin_add_overflow(a, b, &out) ? std::numeric_limits<int64_t>::max() : out;
}

inline int64_t product(int64_t a, int64_t b) {
  int64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? std::numeric_limits<int64_t>::max() : out;
}

}  // namespace xlashape::cli
