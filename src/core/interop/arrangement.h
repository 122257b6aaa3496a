/* SPDX-License-Identifier: Apache-2.0 */
// How an array is to lie, as one word says it; and the readers of the words. docs/words.md lists them for users.
#pragma once
#include <string_view>
#include <utility>

#include "interop/blocks.h"
#include "shape/shape.h"

namespace xlashape::core {

struct Arrangement {
  Ref<Layout> layout;                                  // of the array, its dimensions as they are
  SmallVec<int64_t, 8> permutation;                    // empty, or: dimension k of the result is this one of the array
  xlashape_element_type type = XLASHAPE_TYPE_INVALID;  // of the elements, where the word says it
};

// Each reads the whole text, for `array`. Failures: PARSE with an offset where the text breaks off, UNSUPPORTED for
// what no layout says, INVALID_ARGUMENT where it does not fit the array.

// letters.cc: "nChw16c", "aBcd16b", "NCHW8c"; "NHWC->NCHW", "h w c -> c h w".
// Whether a word without digits may be a tag: each letter once, and all of one of the orders that are known.
bool is_plain_tag(std::string_view text);
// Where "->" stands, or "=>", and how long it is; npos where there is none.
std::pair<size_t, size_t> find_arrow(std::string_view text);
Status read_tag(std::string_view text, const Shape& array, Arrangement* result, Error* err);
Status read_arrow(std::string_view text, const Shape& array, Arrangement* result, Error* err);
Status print_tag(const Shape& array, std::string* text, Error* err);

// INVALID_ARGUMENT for a number that is no dimension of the array, or stands twice.
Status check_dimensions(std::span<const int64_t> numbers, const Shape& array, Error* err);

// permutation.cc: "2,0,1", "(2, 0, 1)", "transpose(2,0,1)", "perm=[0,3,1,2]", "swapaxes(0,1)", ".T", "mT".
bool is_permutation_call(std::string_view name);
Status read_permutation(std::string_view text, const Shape& array, Arrangement* result, Error* err);

// attributes.cc: linalg.pack's attributes, jax's Layout(...), tt-metal's Tile([32, 32]).
Status read_pack(std::string_view text, const Shape& array, Arrangement* result, Error* err);
Status print_pack(const Shape& array, std::string* text, Error* err);
Status read_jax_layout(std::string_view text, const Shape& array, Arrangement* result, Error* err);
Status print_jax_layout(const Shape& array, std::string* text, Error* err);
Status read_tt_tile(std::string_view text, const Shape& array, Arrangement* result, Error* err);

// The arrangement of parts; and that of a permutation in row-major order.
Status arrange_blocks(const Shape& array, const Blocks& blocks, Arrangement* result, Error* err);
Status arrange_permutation(const Shape& array, std::span<const int64_t> permutation, Arrangement* result, Error* err);

}  // namespace xlashape::core
