/* SPDX-License-Identifier: Apache-2.0 */
// The layout that makes a reshape free.
#pragma once
#include <span>

#include "shape/shape.h"
#include "xlashape.h"

namespace xlashape::core {

// Finds a layout of `dimensions` that makes reshaping `array` to them a bitcast; else NOT_FOUND. `flags` are as for
// reshape_is_bitcast.
Status align_layouts(const Shape& array, std::span<const int64_t> dimensions, uint32_t flags, Ref<Layout>* layout,
                     Error* err);

}  // namespace xlashape::core
