// SPDX-License-Identifier: Apache-2.0
#include "human.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

namespace xlashape::cli {

std::string human_size(int64_t bytes, int digits) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  static constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t unit = 0;
  double value = static_cast<double>(bytes) / 1024;
  // What rounds to 1024 is told in the next unit.
  while (value >= 1024 - 0.5 * std::pow(10, -digits) && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", value, digits, kUnits[unit]);
}

std::optional<int64_t> size_from(std::string_view text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string number(text.substr(0, digits));
  std::string_view unit = text.substr(digits);
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (number.empty() || end != number.c_str() + number.size()) return std::nullopt;
  double factor = 1;
  if (!unit.empty() && unit != "B") {
    constexpr std::string_view kPrefixes = "KMGT";
    const size_t power = kPrefixes.find(unit[0] == 'k' ? 'K' : unit[0]) + 1;
    const std::string_view rest = unit.substr(1);
    if (power == 0 || (rest != "iB" && rest != "B" && rest != "i" && !rest.empty())) return std::nullopt;
    factor = std::pow(rest == "B" ? 1000.0 : 1024.0, static_cast<double>(power));
  }
  const double bytes = value * factor;
  if (bytes > 9e18) return std::nullopt;
  return std::llround(bytes);
}

std::string grouped(int64_t value) {
  std::string digits = fmt::format("{}", value);
  const size_t first = value < 0 ? 1 : 0;
  for (size_t i = digits.size(); i > first + 3;) digits.insert(i -= 3, 1, ',');
  return digits;
}

std::string human_time(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string human_rate(double bytes_per_second) {
  if (bytes_per_second >= 1e9) return fmt::format("{:.2f} GB/s", bytes_per_second / 1e9);
  if (bytes_per_second >= 1e6) return fmt::format("{:.1f} MB/s", bytes_per_second / 1e6);
  return fmt::format("{:.1f} kB/s", bytes_per_second / 1e3);
}

std::string human_ratio(double ratio) {
  return ratio < 100 ? fmt::format("{:.2f}x", ratio) : fmt::format("{:.1f}x", ratio);
}

std::string joined(std::span<const int64_t> numbers, std::string_view between) {
  std::string text;
  for (const int64_t& number : numbers) {
    if (&number != numbers.data()) text += between;
    text += std::to_string(number);
  }
  return text;
}

std::string joined(std::span<const std::string> words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (&word != words.data()) text += between;
    text += word;
  }
  return text;
}

std::string counted(int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

}  // namespace xlashape::cli
