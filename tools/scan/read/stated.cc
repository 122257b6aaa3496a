// SPDX-License-Identifier: Apache-2.0
#include "stated.h"

#include <algorithm>

#include "cli/base/number.h"
#include "scanner.h"

namespace xlashape::cli {

StatedSize size_at(std::string_view text) {
  int64_t whole = 0, fraction = 0, scale = 1;
  size_t at = 0;
  const auto digit = [&] { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  for (; digit() && at < 19; ++at) whole = sum(product(whole, 10), text[at] - '0');
  if (at == 0 || digit()) return {};
  if (at < text.size() && text[at] == '.') {
    const size_t point = at++;
    for (; digit() && at - point < 7; ++at) {
      fraction = fraction * 10 + (text[at] - '0');
      scale *= 10;
    }
    if (scale == 1 || digit()) return {};
  }
  if (at == text.size()) return {};
  constexpr std::string_view kUnits = "BKMGTPE";
  const size_t unit = kUnits.find(text[at]);
  if (unit == std::string_view::npos) return {};
  // "1.00G", "1.00GB" and "1.00GiB" are the same, "16.0 GB" is something else's.
  ++at;
  if (unit > 0 && text.substr(at).starts_with("iB"))
    at += 2;
  else if (unit > 0 && text.substr(at).starts_with('B'))
    ++at;
  const auto is_word = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  if (at < text.size() && is_word(text[at])) return {};
  const auto step = static_cast<int64_t>(uint64_t{1} << (10 * unit));
  if (unit == 0 && scale > 1) return {};
  const int64_t bytes = sum(
      product(whole, step),
      static_cast<int64_t>(static_cast<double>(fraction) * (static_cast<double>(step) / static_cast<double>(scale))));
  // XLA rounds to the nearest or down.
  return {bytes, unit == 0 ? 0 : step / scale};
}

StatedSize size_behind(std::string_view text, std::string_view mark) {
  const size_t at = text.find(mark);
  return at == std::string_view::npos ? StatedSize() : size_at(without_blanks(text.substr(at + mark.size())));
}

StatedSize bytes_behind(std::string_view text, std::string_view mark) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  text = without_blanks(text.substr(at + mark.size()));
  const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::optional<int64_t> bytes = number(text.substr(0, end));
  return bytes && text.substr(end).starts_with(" bytes") ? StatedSize{*bytes, 0} : size_at(text);
}

std::optional<int64_t> number_behind(std::string_view text, std::string_view mark, std::string_view ends) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + mark.size());
  while (text.starts_with(' ')) text.remove_prefix(1);
  const size_t end = text.find_first_not_of("0123456789");
  if (end == std::string_view::npos || ends.find(text[end]) == std::string_view::npos) return std::nullopt;
  return number(text.substr(0, end));
}

std::string_view between(std::string_view text, std::string_view mark, std::string_view ends) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + mark.size());
  return text.substr(0, text.find_first_of(ends));
}

size_t start_of_word(std::string_view line, std::string_view word) {
  const size_t at = line.find(word);
  if (at == std::string_view::npos || at == 0) return at;
  const char before = line[at - 1];
  const bool apart = before == ' ' || before == '\t' || before == '>' || before == ']' || before == ')' ||
                     before == '|' || before == 'm' || before == ':';
  return apart && !has(line.substr(0, at), "\"") ? at : std::string_view::npos;
}

std::string name_in_quotes(std::string_view text, std::string_view mark) {
  const size_t start = text.find(mark);
  std::string name;
  if (start == std::string_view::npos || !text.substr(start + mark.size()).starts_with('"')) return name;
  constexpr size_t kLongest = 4000;
  for (size_t at = start + mark.size() + 1; at < text.size() && text[at] != '"' && name.size() < kLongest; ++at) {
    char c = text[at];
    if (c == '\\' && at + 1 < text.size()) c = text[++at] == 'n' ? ' ' : text[at];
    if (c == '\n' || c == '\t') c = ' ';
    if (c != ' ' || (!name.empty() && name.back() != ' ')) name += c;
  }
  return name;
}

std::string name_of_label(std::string_view label) {
  constexpr size_t kLongestName = 200;
  if (label.starts_with('%')) label.remove_prefix(1);
  return std::string(label.substr(0, std::min(label.find(" = "), kLongestName)));
}

std::string source_of(std::string_view text) {
  std::string source = name_in_quotes(text, "source_file=");
  const std::string_view line = between(text, "source_line=", " ,}");
  if (!source.empty() && !line.empty() && line.find_first_not_of("0123456789") == std::string_view::npos)
    source += ":" + std::string(line);
  return source;
}

bool quotes_are_closed(std::string_view text) {
  bool open = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      open = !open;
  }
  return !open;
}

}  // namespace xlashape::cli
