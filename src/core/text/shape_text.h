/* SPDX-License-Identifier: Apache-2.0 */
// Parses XLA's text form, with PD(...) and PV(...) behind XLA's own layout properties, into valid shapes and layouts.
// Refuses broken properties that XLA accepts, and returns an error where XLA aborts. Nothing recurses; time and memory
// grow with the length of the text, whatever it holds.
#pragma once
#include <string_view>

#include "shape/shape.h"

namespace xlashape::core {

// In `flags`: element types may have the names of other projects (shape/type_names.h). Not a flag of the C interface.
inline constexpr uint32_t kNamesOfOthers = 1u << 31;

// Errors carry an offset: PARSE where the text leaves the grammar; else, where a rule is broken, the start of the array
// or tuple, or the layout's `{`, or the property. `flags`: XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT. Throw bad_alloc.
Status parse_shape(std::string_view text, uint32_t flags, Ref<Shape>* shape, Error* err);
Status parse_layout(std::string_view text, Ref<Layout>* layout, Error* err);
// Parse the beginning of the text; *end is the offset behind it. With a null `end` nothing may follow.
Status parse_shape_head(std::string_view text, uint32_t flags, size_t* end, Ref<Shape>* shape, Error* err);
Status parse_layout_head(std::string_view text, size_t* end, Ref<Layout>* layout, Error* err);

}  // namespace xlashape::core
