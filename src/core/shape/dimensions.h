/* SPDX-License-Identifier: Apache-2.0 */
// Permutes and resizes dimensions of arrays. xlashape.h states what happens to the layout.
#pragma once
#include <span>

#include "shape/shape.h"
#include "xlashape.h"

namespace xlashape::core {

// Each takes an array or a buffer (UNSUPPORTED for others) and returns the same kind.
Status permute_dimensions(const Shape& shape, std::span<const int64_t> permutation, uint32_t flags, Ref<Shape>* result,
                          Error* err);
Status to_physical_order(const Shape& shape, Ref<Shape>* result, Error* err);
Status with_dimension(const Shape& shape, int64_t dimension, int64_t size, bool is_dynamic, Ref<Shape>* result,
                      Error* err);

// Gets the array that `shape` is or holds.
Status require_array(const Shape& shape, const Shape** array, Error* err);
// Makes a shape of the same kind and element type as `shape`, with another array.
Status rebuild(const Shape& shape, std::span<const int64_t> dimensions, std::span<const uint8_t> dynamic,
               Ref<Layout> layout, Ref<Shape>* result, Error* err);
// OUT_OF_RANGE for what is not a permutation of [0, rank).
Status check_permutation(std::span<const int64_t> permutation, int64_t rank, Error* err);
// Marks the listed dimensions; OUT_OF_RANGE for numbers outside [0, rank) and repeated ones.
Status mark_dimensions(std::span<const int64_t> dimensions, int64_t rank, SmallVec<uint8_t, 32>* marked, Error* err);

bool has_degenerate_dimensions(const Shape& shape) noexcept;
bool is_effectively_most_major(const Shape& shape, int64_t dimension) noexcept;
bool last_dimension_is_most_minor(const Shape& shape) noexcept;
bool byte_strides_are_row_major(int64_t element_bytes, std::span<const int64_t> dimensions,
                                std::span<const int64_t> byte_strides) noexcept;

}  // namespace xlashape::core
