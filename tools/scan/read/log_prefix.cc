// SPDX-License-Identifier: Apache-2.0
#include "log_prefix.h"

#include <algorithm>
#include <cstddef>

#include "scanner.h"

namespace xlashape::cli {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_file_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.' || c == '-' ||
         c == '/' || c == '+';
}

// Behind the first "name.cc:76] " of a line; 0 where it has none.
size_t behind_log_prefix(std::string_view line) {
  constexpr size_t kLongest = 300;
  const std::string_view head = line.substr(0, kLongest);
  for (size_t close = head.find(']'); close != std::string_view::npos; close = head.find(']', close + 1)) {
    size_t at = close;
    while (at > 0 && is_digit(head[at - 1])) --at;
    if (at == close || at == 0 || head[at - 1] != ':') continue;
    size_t name = --at;
    while (name > 0 && is_file_name(head[name - 1])) --name;
    if (head.substr(name, at - name).find('.') == std::string_view::npos) continue;
    return close + 1 + (close + 1 < line.size() && line[close + 1] == ' ' ? 1 : 0);
  }
  return 0;
}

// Behind the "[rank0]: " or "[2020-05-04 09:05:40] " that a line begins with; 0 where it does not.
size_t behind_brackets(std::string_view line) {
  constexpr size_t kLongest = 60;
  if (!line.starts_with('[')) return 0;
  const size_t close = line.substr(0, kLongest).find(']');
  if (close == std::string_view::npos) return 0;
  const size_t end = close + (line.substr(close + 1).starts_with(':') ? 2 : 1);
  if (end < line.size() && line[end] != ' ') return 0;
  return std::min(end + 1, line.size());
}

}  // namespace

std::string_view without_prefix(std::string_view line) {
  line = without_blanks(line);
  while (line.starts_with('>')) line = without_blanks(line.substr(1));
  const size_t behind = behind_log_prefix(line);
  line.remove_prefix(behind > 0 ? behind : behind_brackets(line));
  return line;
}

}  // namespace xlashape::cli
