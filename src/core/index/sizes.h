/* SPDX-License-Identifier: Apache-2.0 */
// Exact sizes and strides of an array's storage, and XLA's number where it differs.
#pragma once
#include "index/index_map.h"

namespace xlashape::core {

// Fills all fields. `array` must be an array; UNSUPPORTED where it is unbounded.
Status array_sizes(const Shape& array, xlashape_sizes* sizes, Error* err);
// As ShapeUtil::ArraySize computes it: first tile level only, tail alignment only with tiles, largest splits; -1 where
// it overflows.
int64_t xla_array_size(const Shape& array);
// The bytes of an array's storage.
Status array_bytes(const Shape& array, int64_t* bytes, Error* err);
// The positions between neighbours, for each dimension; UNSUPPORTED where tiles leave no single distance.
Status array_strides(const Shape& array, int64_t* strides, Error* err);
// For each dimension the number of indices at whose multiples it may be cut without cutting a byte; the whole dimension
// where there is no such place, or none is known.
Status array_piece_granularity(const Shape& array, int64_t* granularity, Error* err);

}  // namespace xlashape::core
