// Between layouts and strides, the language of PJRT, DLPack, CuTe and NumPy.
#pragma once
#include <span>

#include "shape/shape.h"
#include "xlashape_util.h"

namespace xlashape::core {

// The layout of an array whose neighbours lie `strides` apart, in units of which an element takes `unit`. Dimensions are
// ordered by stride, the smallest most minor; of equal ones the higher number is more minor. A gap behind a dimension
// becomes its padded width, unless `flags` has XLASHAPE_STRIDES_COMPACT. The strides of dimensions of size 1 only give
// them their place, and so do all strides of an array without elements. UNSUPPORTED for what no layout says: strides of
// 0, negative ones, overlapping dimensions, gaps inside of the most minor one, strides that do not divide each other.
Status layout_from_strides(std::span<const int64_t> dimensions, std::span<const int64_t> strides, int64_t unit,
                           uint32_t flags, Ref<Layout>* layout, Error* err);

// The array of a shape that can be told by strides, and they, in positions: static, of one piece, no tiles that move
// anything. UNSUPPORTED with the reason otherwise. `who` ends the message: "DLPack cannot say that".
Status strides_of(const Shape& shape, const char* who, const Shape** array, SmallVec<int64_t, 8>* strides, Error* err);

// Whether the layout, if any, is what people mean who give none: row-major and nothing else.
bool is_plain(const Shape& array);

}  // namespace xlashape::core
