/* SPDX-License-Identifier: Apache-2.0 */
// Choices as texts, which outlive the process and may come from anywhere.
#pragma once
#include <cstddef>

#include "backends/simd/choose_tiles.h"

namespace xlashape::simd {

// Writes the text, cut at capacity and NUL-terminated; returns its full length, at most 200 bytes.
size_t print_choice(const TileChoice& choice, char* text, size_t capacity);

// Reads what `print_choice` writes. Returns false, and changes nothing, for any other text, and for numbers that no
// choice has.
bool parse_choice(const char* text, TileChoice* choice);

}  // namespace xlashape::simd
