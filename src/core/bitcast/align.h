// The layout that makes a reshape free.
#pragma once
#include <span>

#include "shape/shape.h"
#include "xlashape_util.h"

namespace xlashape::core {

// A layout of `dimensions` by which reshaping `array` to them is a bitcast; NOT_FOUND where none was found. `flags` as those
// of reshape_is_bitcast.
Status align_layouts(const Shape& array, std::span<const int64_t> dimensions, uint32_t flags, Ref<Layout>* layout,
                     Error* err);

}  // namespace xlashape::core
