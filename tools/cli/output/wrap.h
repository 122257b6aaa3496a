/* SPDX-License-Identifier: Apache-2.0 */
// Text that fits a terminal: what is cut, lines broken between words, and tables without blanks that no row needs.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xlashape::cli {

// The text in lines of at most `width` columns, which the first line has less `used`. A word that is longer is broken
// behind a comma or a slash, or anywhere. Without a width one line.
std::vector<std::string> wrapped(std::string_view text, std::optional<size_t> width, size_t used = 0);

// As much of the text as fits behind `used` columns, safe to print; some characters in any case. It counts bytes: what
// has other characters than ASCII is cut a little early.
std::string cut_to(std::string_view text, std::optional<size_t> width, size_t used);

// Rows of a table whose columns are in the same places, closer together as far as the widest row needs it.
void squeeze(std::vector<std::string>* rows, size_t width);

}  // namespace xlashape::cli
