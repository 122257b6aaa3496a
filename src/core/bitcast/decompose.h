/* SPDX-License-Identifier: Apache-2.0 */
// Decomposes a bitcast into transposes and a reshape that move nothing.
#pragma once
#include "shape/shape.h"
#include "xlashape.h"

namespace xlashape::core {

// `a` transposed by transpose1 is reshape_from, which reshaped is reshape_to, which transposed by transpose2 is `b`.
struct BitcastSteps {
  int32_t kind = 0;  // XLASHAPE_BITCAST_KIND_RESHAPE, _TRANSPOSE, _TRT
  SmallVec<int64_t, 8> transpose1, transpose2;
  Ref<Shape> reshape_from, reshape_to;
};

// For arrays. NOT_FOUND where no such steps are bitcasts. `flags` are as for reshape_is_bitcast.
Status decompose_bitcast(const Shape& a, const Shape& b, uint32_t flags, BitcastSteps* steps, Error* err);

}  // namespace xlashape::core
