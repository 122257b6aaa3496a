/* SPDX-License-Identifier: Apache-2.0 */
// Arrays and layouts in whatever form people write them: finds out which form a text has, and reads it as that.
#pragma once
#include <string>
#include <string_view>

#include "shape/shape.h"
#include "xlashape_interop.h"

namespace xlashape::core {

// The shape that a text describes. *offset: elements before the first one (of a memref), or null, which makes any but 0
// UNSUPPORTED. `flags`: STRIDES_COMPACT, SHAPE_KEEP_MISSING_LAYOUT.
Status read_shape(std::string_view text, uint32_t flags, int64_t* offset, Ref<Shape>* shape, Error* err);

// In `flags`: the text is a layout and not that of a whole array. Not a flag of the C interface; without it a shape
// with a layout's words could hold a shape with words, and so on.
inline constexpr uint32_t kLayoutAlone = 1u << 31;

// The array in the layout, and of the element type, that a text asks for. *destination has the dimensions of `array`;
// *result, which may be null, is the same memory with the dimensions in the order that the text asks for.
Status with_words(const Shape& array, std::string_view text, uint32_t flags, Ref<Shape>* destination,
                  Ref<Shape>* result, Error* err);

Status print_as(const Shape& shape, xlashape_notation notation, uint32_t flags, std::string* text, Error* err);

// NOT_FOUND with what was probably meant, or between which types the name does not choose.
Status read_element_type(std::string_view name, xlashape_element_type* type, Error* err);

}  // namespace xlashape::core
