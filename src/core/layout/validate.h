/* SPDX-License-Identifier: Apache-2.0 */
// The rules that a layout must keep (LayoutUtil::ValidateLayoutForShape, and the padding rules of TensorFlow 1.x).
#pragma once
#include <span>

#include "layout/layout.h"

namespace xlashape::core {

// Checks what needs no shape: the permutation, positive tiles, alignment, element size, rising splits, padding.
Status validate_layout(const Layout& layout, Error* err);

// Whether an array of rank 1 and more may have the layout although it has no minor_to_major: XLA's rule.
inline bool may_lack_order(const Layout& layout) { return layout.rank() == 0 && layout.memory_space != 0; }

// Checks what depends on the dimensions: rank, padded widths, split indices. `dimensions` may hold
// XLASHAPE_DIMENSION_UNBOUNDED.
Status validate_layout_for(const Layout& layout, std::span<const int64_t> dimensions, Error* err);

}  // namespace xlashape::core
