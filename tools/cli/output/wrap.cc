// SPDX-License-Identifier: Apache-2.0
#include "wrap.h"

#include <algorithm>
#include <cstdint>

#include "output.h"

namespace xlashape::cli {
namespace {

bool continues(char c) { return (static_cast<uint8_t>(c) & 0xc0) == 0x80; }  // within a character

size_t columns(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); }));
}

// Where a word that is too long is broken: behind the last comma or slash that fits.
size_t break_of(std::string_view word, size_t room) {
  size_t end = 0, best = 0;
  for (size_t column = 0; end < word.size() && column < room; ++column) {
    ++end;
    while (end < word.size() && continues(word[end])) ++end;
    if (word[end - 1] == ',' || word[end - 1] == '/') best = end;
  }
  return best > 0 ? best : end;
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::optional<size_t> width, size_t used) {
  if (!width) return {std::string(text)};
  const size_t whole = std::max<size_t>(*width, 8);
  std::vector<std::string> lines(1);
  size_t room = whole > used + 8 ? whole - used : 8, filled = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t word_at = std::min(text.find_first_not_of(' ', at), text.size());
    std::string_view gap = text.substr(at, word_at - at);
    std::string_view word = text.substr(word_at, text.find(' ', word_at) - word_at);
    at = word_at + word.size();
    while (!word.empty()) {
      if (filled + gap.size() + columns(word) <= room) {
        lines.back().append(gap).append(word);
        filled += gap.size() + columns(word);
        break;
      }
      if (filled > 0) {
        lines.emplace_back();
        room = whole;
        filled = 0;
        gap = {};
        continue;
      }
      const size_t end = break_of(word, room);
      lines.back() = word.substr(0, end);
      word.remove_prefix(end);
      filled = room;
      gap = {};
    }
  }
  return lines;
}

std::string cut_to(std::string_view given, std::optional<size_t> width, size_t used) {
  std::string plain = safe(given);
  constexpr size_t kLeast = 16, kMost = 2000;
  const size_t room = width ? std::max(kLeast, *width > used ? *width - used : 0) : kMost + 3;
  if (plain.size() <= room) return plain;
  size_t keep = room - 3;
  while (keep > 0 && continues(plain[keep])) --keep;
  return plain.substr(0, keep) + "...";
}

void squeeze(std::vector<std::string>* rows, size_t width) {
  size_t longest = 0;
  for (const std::string& row : *rows) longest = std::max(longest, row.size());
  const auto is_blank = [&](size_t column) {
    return std::all_of(rows->begin(), rows->end(),
                       [&](const std::string& row) { return column >= row.size() || row[column] == ' '; });
  };
  // Two blanks stay between columns, then one.
  for (const size_t kept : {2, 1})
    for (size_t column = longest; column-- > kept && longest > width;) {
      bool needless = true;
      for (size_t i = 0; i <= kept; ++i) needless = needless && is_blank(column - i);
      if (!needless) continue;
      for (std::string& row : *rows)
        if (column < row.size()) row.erase(column, 1);
      --longest;
    }
}

}  // namespace xlashape::cli
