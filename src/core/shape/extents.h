/* SPDX-License-Identifier: Apache-2.0 */
// What an array's bounds alone determine: element counts, indices, pieces of splits. Order and tiles do not matter.
#pragma once
#include <span>

#include "shape/shape.h"

namespace xlashape::core {

// The product of the dimensions; UNSUPPORTED for shapes other than arrays and for unbounded dimensions.
Status element_count(const Shape& shape, int64_t* elements, Error* err);
// The number of dimensions greater than 1; an unbounded one counts.
int64_t true_rank(const Shape& shape) noexcept;
bool is_effective_scalar(const Shape& shape) noexcept;

// The size of the largest piece that the split of logical dimension `dimension` leaves.
Status max_split_size(const Shape& shape, int64_t dimension, int64_t* size, Error* err);
// The product of those pieces over all dimensions.
Status max_elements_per_split(const Shape& shape, int64_t* elements, Error* err);

// OUT_OF_RANGE where `extent` elements from `base` (null: 0...0) on exceed a bounded dimension; `box` and `array` are
// what the message calls the two.
Status check_box(std::span<const int64_t> dimensions, const int64_t* base, const int64_t* extent, const char* box,
                 const char* array, Error* err);

bool index_in_bounds(std::span<const int64_t> dimensions, std::span<const int64_t> index) noexcept;
// Moves to the next index, last dimension fastest; where there is none, returns false and leaves the index unchanged.
bool next_index(std::span<const int64_t> dimensions, std::span<int64_t> index) noexcept;
// A box: in each dimension base, base + step, ... while below base + count; a step of 0 pins it at its base. Walked in
// the order of minor_to_major, or, where that is empty, with the last dimension fastest.
struct Box {
  std::span<const int64_t> base, count, step, minor_to_major;
};
bool next_index_in_box(const Box& box, std::span<int64_t> index) noexcept;
// Uses count and step only. INVALID_ARGUMENT for negative ones.
Status box_index_count(const Box& box, int64_t* indices, Error* err);
Status box_index_at(const Box& box, int64_t number, std::span<int64_t> index, Error* err);

// The letter of XLA's documentation for a dimension of ranks 2 to 4 (y x; z y x; p z y x), or 0.
char dimension_letter(int64_t rank, int64_t dimension) noexcept;
// The reverse, or -1.
int64_t dimension_from_letter(int64_t rank, char letter) noexcept;

}  // namespace xlashape::core
