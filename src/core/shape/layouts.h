/* SPDX-License-Identifier: Apache-2.0 */
// Tests, removes, copies and changes the layouts and element types of all arrays inside a shape. Nothing recurses.
#pragma once
#include "layout/layout_fields.h"
#include "shape/shape.h"
#include "xlashape_xla.h"

namespace xlashape::core {

// Fields are XLASHAPE_LAYOUT_FIELD_*. OF_DEVICE means all fields here, so that only the order of dimensions is left.
inline constexpr uint32_t kFieldFlags = XLASHAPE_LAYOUT_FIELD_ALL | kSingleFields | XLASHAPE_LAYOUT_FIELD_OF_DEVICE;

bool has_layout_fields(const Shape& shape, uint32_t fields);
bool has_all_layouts(const Shape& shape);
Status without_layout_fields(const Shape& shape, uint32_t fields, Ref<Shape>* result, Error* err);
Status with_default_layouts(const Shape& shape, Ref<Shape>* result, Error* err);
Status copy_layouts(const Shape& from, const Shape& to, Ref<Shape>* result, Error* err);
Status with_packed_elements(const Shape& shape, Ref<Shape>* result, Error* err);
Status with_element_type(const Shape& shape, xlashape_element_type type, Ref<Shape>* result, Error* err);

}  // namespace xlashape::core
