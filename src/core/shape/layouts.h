// The layouts and element types of all the arrays inside a shape: asked for, dropped, copied, changed. Nothing recurses.
#pragma once
#include "layout/layout_fields.h"
#include "shape/shape.h"
#include "xlashape_util.h"

namespace xlashape::core {

// Parts are XLASHAPE_PART_*; what PART_OF_DEVICE comes to here: all but the order of dimensions.
inline constexpr uint32_t kPartsOfDevice = kAllParts;
inline constexpr uint32_t kLayoutParts = XLASHAPE_PART_LAYOUT | kPartsOfDevice | XLASHAPE_PART_OF_DEVICE;

bool has_parts(const Shape& shape, uint32_t parts);
bool has_all_layouts(const Shape& shape);
Status without_parts(const Shape& shape, uint32_t parts, Ref<Shape>* result, Error* err);
Status with_default_layouts(const Shape& shape, Ref<Shape>* result, Error* err);
Status copy_layouts(const Shape& from, const Shape& to, Ref<Shape>* result, Error* err);
Status with_packed_elements(const Shape& shape, Ref<Shape>* result, Error* err);
Status with_element_type(const Shape& shape, xlashape_element_type type, Ref<Shape>* result, Error* err);

}  // namespace xlashape::core
