/* SPDX-License-Identifier: Apache-2.0 */
// Prints XLA's text form byte for byte, with PD(...) and PV(...) behind XLA's own layout properties. Nothing recurses;
// nothing is allocated but a stack for tuples nested deeper than 16.
#pragma once
#include "shape/shape.h"

namespace xlashape::core {

// (text, capacity, needed) are described at the head of xlashape.h; `needed` is 0 where strict printing refuses.
// `flags`: XLASHAPE_PRINT_*. Throws bad_alloc.
Status print_shape(const Shape& shape, uint32_t flags, char* text, int64_t capacity, int64_t* needed, Error* err);
// "(8,128)" and "(1:4,8)", as they stand in a layout.
Status print_tile(std::span<const int64_t> sizes, char* text, int64_t capacity, int64_t* needed, Error* err);
Status print_split(int64_t dimension, std::span<const int64_t> indices, char* text, int64_t capacity, int64_t* needed,
                   Error* err);
Status print_layout(const Layout& layout, uint32_t flags, char* text, int64_t capacity, int64_t* needed, Error* err);

}  // namespace xlashape::core
