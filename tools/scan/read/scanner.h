/* SPDX-License-Identifier: Apache-2.0 */
// Steps through a line of HLO text: brackets are balanced, and quoted texts are one piece.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace xlashape::cli {

// Where the piece that begins at `at` ends: before the first `stop` (a comma, a blank or a closing bracket) that is
// outside of brackets and quotes, or before the bracket that closes what was open before `at`,
// or at the end of the text.
size_t end_of_piece(std::string_view text, size_t at, char stop);

std::string_view without_blanks(std::string_view text);  // at both ends
// Without a comment like /*index=5*/ at the start, and without the % of a name.
std::string_view without_comment(std::string_view text);
std::string_view without_percent(std::string_view text);

// The text between the quotes that open at the start, with what a backslash protects put back; "" where there is none.
std::string unquoted(std::string_view text);

// Calls use(piece) for each piece between commas outside of brackets and quotes. Empty text has none.
template <class Use>
void for_each_piece(std::string_view text, const Use& use) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = end_of_piece(text, at, ',');
    use(without_blanks(text.substr(at, end - at)));
    if (end >= text.size()) return;
    at = end + 1;
  }
}

}  // namespace xlashape::cli
