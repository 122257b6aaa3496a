// Sizes and strides of an array's storage, exact; and XLA's own number where it differs.
#pragma once
#include "index/index_map.h"

namespace xlashape::core {

// Fills all fields. `array` must be an array; UNSUPPORTED where it is unbounded.
Status array_sizes(const Shape& array, xlashape_sizes* sizes, Error* err);
// ShapeUtil::ArraySize: first tile level only, tail alignment only with tiles, largest splits; -1 where it overflows.
int64_t xla_array_size(const Shape& array);
// Bytes of an array's storage.
Status array_bytes(const Shape& array, int64_t* bytes, Error* err);
// Positions between neighbours of each dimension, one per dimension; UNSUPPORTED where tiles leave no single distance.
Status array_strides(const Shape& array, int64_t* strides, Error* err);

}  // namespace xlashape::core
