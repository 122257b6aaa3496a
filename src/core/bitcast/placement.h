// Where the elements of an array lie, by their number: a form in which two layouts can be compared.
//
// An array's elements are numbered in row-major order of their indices. Where element n lies is a mixed-radix function of n:
// tiles and dimensions cut n into digits, and each digit has a stride. Brought to its shortest form that function is the
// same for two arrays exactly when all their elements lie alike.
#pragma once
#include <span>

#include "shape/shape.h"

namespace xlashape::core {

struct Placement {
  // The number is cut by division, largest `from` first: digit = rest / from, rest = rest % from; position = sum of
  // digit * stride. The smallest `from` is 1.
  struct Digit {
    int64_t from, stride;
    friend bool operator==(const Digit&, const Digit&) = default;
  };
  using Digits = SmallVec<Digit, 16>;
  Digits digits;  // smallest `from` first
  int64_t elements = 0;
  int64_t positions = 0;  // -1 where the layout has no index map
  bool known = false;     // false there, and where `*` merges dimensions so that no such form was found
};

// By how much the number of an element grows along each dimension.
SmallVec<int64_t, 8> row_major_units(std::span<const int64_t> dimensions);

// Of an array with these bounded dimensions. `unit[d]` is by how much the number of an element grows along dimension d;
// empty for row-major numbers, other ones number the elements of another array. OVERFLOW where the storage does not fit.
Status place_elements(std::span<const int64_t> dimensions, const Layout* layout, std::span<const int64_t> unit,
                      Placement* placement, Error* err);

// Both are known, and the same: also the storage is as large.
bool same_placement(const Placement& a, const Placement& b);

// Reshaping `a` to `b`, elements in row-major order, leaves every element where it is and the storage as large. Looks at
// nothing but positions and the bits of an element.
bool lies_alike(const Shape& a, const Shape& b);

}  // namespace xlashape::core
