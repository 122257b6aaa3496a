// Numbers in texts, and sums and products of sizes that stop at the largest int64_t, where overflow would wrap.
#pragma once
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace xlashape::cli {

// A whole decimal number with nothing around it.
inline std::optional<int64_t> number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
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
