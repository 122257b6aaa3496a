/* SPDX-License-Identifier: Apache-2.0 */
// Which layout a target's compiler chooses for an array that a program takes or returns.
#pragma once
#include "shape/shape.h"
#include "target/target.h"

namespace xlashape::core {

// `minor_to_major`, if not empty, is kept, and only the tiles are chosen; else the compiler's order. Dynamic dimensions
// count as their bounds. OVERFLOW where the array takes more bytes in that layout than fit 64 bits.
Status choose_layout(const TargetInfo& target, xlashape_element_type type, std::span<const int64_t> dimensions,
                     std::span<const int64_t> minor_to_major, Ref<Layout>* layout, Error* err);

// Every array inside with that layout; with XLASHAPE_TARGET_KEEP_ORDER those with a layout keep its order.
Status shape_for_target(const Shape& shape, const TargetInfo& target, uint32_t flags, Ref<Shape>* result, Error* err);

}  // namespace xlashape::core
