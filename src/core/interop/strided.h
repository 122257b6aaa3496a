/* SPDX-License-Identifier: Apache-2.0 */
// Converts between layouts and strides, which PJRT, DLPack, CuTe and NumPy use.
#pragma once
#include <span>

#include "shape/shape.h"
#include "xlashape.h"

namespace xlashape::core {

// The layout of an array whose neighbours are `strides` apart, in units of which an element takes `unit`. Dimensions
// are ordered by stride, the smallest most minor; of equal ones the higher number is more minor. A gap behind a
// dimension becomes its padded width, unless `flags` has XLASHAPE_STRIDES_COMPACT. The strides of dimensions of size 1,
// and all strides of an array without elements, determine only the order. UNSUPPORTED for what no layout allows:
// strides of 0, negative ones, overlapping dimensions, gaps inside the most minor one (but for one of size 1, which is
// then wider), strides that do not divide each other.
Status layout_from_strides(std::span<const int64_t> dimensions, std::span<const int64_t> strides, int64_t unit,
                           uint32_t flags, Ref<Layout>* layout, Error* err);

// Gets the array of a shape, and its strides in positions. It must be static and in one piece, and its tiles must move
// nothing; else UNSUPPORTED, with the reason. `format` is for the message: "DLPack cannot express that".
Status strides_of(const Shape& shape, const char* format, const Shape** array, SmallVec<int64_t, 8>* strides,
                  Error* err);

// The layout of an array whose text says none: row-major, or none where `flags` has SHAPE_KEEP_MISSING_LAYOUT. A
// scalar's is the empty one.
Ref<Layout> unsaid_layout(int64_t rank, uint32_t flags);

// Whether the array has no layout, or the default one: row-major and nothing else.
bool is_plain(const Shape& array);

}  // namespace xlashape::core
