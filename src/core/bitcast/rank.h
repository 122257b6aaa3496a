/* SPDX-License-Identifier: Apache-2.0 */
// Adds dimensions to arrays and removes them. xlashape.h states what happens to the layout.
#pragma once
#include <span>

#include "shape/shape.h"
#include "xlashape.h"

namespace xlashape::core {

// Each takes an array or a buffer (UNSUPPORTED for others) and returns the same kind.
Status insert_dimensions(const Shape& shape, int64_t at, std::span<const int64_t> sizes, uint32_t flags,
                         Ref<Shape>* result, Error* err);
Status delete_dimensions(const Shape& shape, std::span<const int64_t> dimensions, Ref<Shape>* result, Error* err);
Status drop_degenerate_dimensions(const Shape& shape, Ref<Shape>* result, Error* err);

// Whether the tiles still apply to the same dimensions when those marked in `dimensions` are removed.
bool are_above_tiles(const Layout& layout, std::span<const uint8_t> dimensions) noexcept;

}  // namespace xlashape::core
