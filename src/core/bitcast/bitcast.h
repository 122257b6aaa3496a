/* SPDX-License-Identifier: Apache-2.0 */
// Whether one array's memory can be used as another's: reshapes and transposes that move nothing.
#pragma once
#include <span>

#include "shape/shape.h"
#include "xlashape.h"

namespace xlashape::core {

// The C API's functions, for arrays. `permutation` must be a permutation, of the rank that both have.
bool reshape_is_bitcast(const Shape& a, const Shape& b, uint32_t flags);
bool transpose_is_bitcast(const Shape& a, const Shape& b, std::span<const int64_t> permutation, uint32_t flags);
bool is_reshape_or_transpose_bitcast(const Shape& a, const Shape& b, uint32_t flags);
// Derives the permutation from the orders in memory; false where it gives no bitcast.
bool deduce_transpose(const Shape& a, const Shape& b, uint32_t flags, SmallVec<int64_t, 8>* permutation);

// Whether the tiles move no element.
bool is_untiled(const Shape& array);

}  // namespace xlashape::core
