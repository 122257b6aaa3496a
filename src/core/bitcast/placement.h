/* SPDX-License-Identifier: Apache-2.0 */
// The positions of an array's elements as a function of their number. In this form two layouts can be compared.
//
// An array's elements are numbered in row-major order of their indices. The position of element n is a mixed-radix
// function of n: tiles and dimensions split n into factors, and each factor has a stride. In its shortest form the
// function is the same for two arrays exactly when all their elements have the same positions.
#pragma once
#include <span>

#include "shape/shape.h"

namespace xlashape::core {

struct Placement {
  // The number is split by division, largest `from` first: digit = rest / from, rest = rest % from; position = sum of
  // digit * stride. The smallest `from` is 1.
  struct NumberFactor {
    int64_t from, stride;
    friend bool operator==(const NumberFactor&, const NumberFactor&) = default;
  };
  using NumberFactors = SmallVec<NumberFactor, 16>;
  NumberFactors factors;  // smallest `from` first
  int64_t elements = 0;
  int64_t positions = 0;  // -1 where the layout has no index map
  bool known = false;     // false there, and where `*` merges dimensions so that this form was not found
};

// How much the number of an element grows along each dimension.
SmallVec<int64_t, 8> row_major_units(std::span<const int64_t> dimensions);

// Computes the placement of an array with these bounded dimensions. `unit[d]` is how much an element's number grows
// along dimension d. It is empty for row-major numbers; other units number the elements as another array does. OVERFLOW
// where the storage does not fit.
Status place_elements(std::span<const int64_t> dimensions, const Layout* layout, std::span<const int64_t> unit,
                      Placement* placement, Error* err);

// Whether both are known and equal, including the size of the storage.
bool same_placement(const Placement& a, const Placement& b);

// Whether reshaping `a` to `b`, elements in row-major order, moves no element and keeps the storage's size. Compares
// only positions and the bits of an element.
bool reshape_moves_nothing(const Shape& a, const Shape& b);

}  // namespace xlashape::core
