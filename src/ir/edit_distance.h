/* SPDX-License-Identifier: Apache-2.0 */
// How alike two words are, for what was probably meant.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

namespace xlashape::ir {

// How many letters must be changed, put in, left out or exchanged with their neighbours to make one word the other,
// whatever the case; at most `most` + 1.
inline int edit_distance(std::string_view a, std::string_view b, int most) noexcept {
  constexpr size_t kLongest = 32;
  const auto letter = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  const size_t lengths = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (a.size() > kLongest || b.size() > kLongest || lengths > static_cast<size_t>(most)) return most + 1;
  // Rows of the table: that for i letters of `a`, and the two before it.
  std::array<std::array<int, kLongest + 1>, 3> rows{};
  for (size_t j = 0; j <= b.size(); ++j) rows[0][j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    auto &row = rows[i % 3], &last = rows[(i + 2) % 3], &before = rows[(i + 1) % 3];
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const char x = letter(a[i - 1]), y = letter(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (x == y ? 0 : 1)});
      if (i > 1 && j > 1 && x == letter(b[j - 2]) && y == letter(a[i - 2]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return std::min(rows[a.size() % 3][b.size()], most + 1);
}

}  // namespace xlashape::ir
