/* SPDX-License-Identifier: Apache-2.0 */
// Turns texts from elsewhere (paths, backends, the system) into one printable line before they are shown.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "ir/compiler.h"

namespace xlashape::core {

// Writes `text` to out[0, capacity) as one line of UTF-8 that may be printed as it is, NUL-terminated, and returns its
// length. Control characters, line separators, characters that change the direction of text, and bytes that are not
// UTF-8 are written as \xNN. A line that does not fit ends after a whole character. With `is_truncated`, an incomplete
// character at the end of `text` is left out.
size_t clean_line(std::string_view text, bool is_truncated, char* out, size_t capacity) noexcept;

std::string clean_line(std::string_view text);

// Appends what printf would write.
XLASHAPE_PRINTF(2, 3) void append(std::string* text, const char* format, ...);

}  // namespace xlashape::core
