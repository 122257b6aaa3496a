// The rules that a layout must keep (LayoutUtil::ValidateLayoutForShape, and the padding rules of TensorFlow 1.x).
#pragma once
#include <span>

#include "layout/layout.h"

namespace xlashape::core {

// What can be said without a shape: a permutation, positive tiles, alignment, element size, splits that rise, padding.
Status validate_layout(const Layout& layout, Error* err);

// What the array's dimensions add: rank, padded widths, split indices. `dimensions` may hold XLASHAPE_DIMENSION_UNBOUNDED.
Status validate_layout_for(const Layout& layout, std::span<const int64_t> dimensions, Error* err);

}  // namespace xlashape::core
