/* SPDX-License-Identifier: Apache-2.0 */
// Dynamic dimensions: turns bounds into sizes, sets flags, and tests whether a dynamic shape fits its bounds.
#pragma once
#include <span>

#include "shape/shape.h"

namespace xlashape::core {

Status to_static(const Shape& shape, Ref<Shape>* result, Error* err);
Status with_dynamic_dimensions(const Shape& shape, std::span<const uint8_t> dynamic, Ref<Shape>* result, Error* err);
bool is_bounded_dynamic(const Shape& shape);
bool fits_bounds(const Shape& dynamic, const Shape& bounds);
// The product of the bounded dimensions.
Status static_element_count(const Shape& shape, int64_t* elements, Error* err);

}  // namespace xlashape::core
