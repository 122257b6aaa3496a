/* SPDX-License-Identifier: Apache-2.0 */
// Sizes and names as reports of memory write them.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "scan/program/memory_report.h"

namespace xlashape::cli {

// The size that the text begins with: "41.74G", "1.00GiB", "4.0K", "512B". A number without a unit is none: a line that
// was cut may end within it.
StatedSize size_at(std::string_view text);
// The first size behind `mark`; not known where the text has no such mark or no size there.
StatedSize size_behind(std::string_view text, std::string_view mark);
// "123456 bytes" behind `mark`, or a size.
StatedSize bytes_behind(std::string_view text, std::string_view mark);
// The whole number behind `mark`, which one of `ends` must follow.
std::optional<int64_t> number_behind(std::string_view text, std::string_view mark, std::string_view ends);
// What is between `mark` and the first of `ends`; empty where the text has no such mark.
std::string_view between(std::string_view text, std::string_view mark, std::string_view ends);

// Where `word` begins, if nothing but a log's prefix precedes it; npos where it does not.
size_t start_of_word(std::string_view line, std::string_view word);
inline bool has(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

// What is within quotes behind `mark`, in one line: each run of blanks and line feeds, also of written ones, is one
// blank.
std::string name_in_quotes(std::string_view text, std::string_view mark);

// "copy.7" of "%copy.7 = s32[8]{0} copy(...)", else the label itself.
std::string name_of_label(std::string_view label);
// "model.py:12" of XLA's metadata, source_file="model.py" source_line=12.
std::string source_of(std::string_view text);
bool quotes_are_closed(std::string_view text);

}  // namespace xlashape::cli
