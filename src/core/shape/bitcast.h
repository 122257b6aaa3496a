// Whether one array's memory is another's: reshapes and transposes that move nothing.
//
// An array's elements are numbered in row-major order of their indices. Where element n lies is a mixed-radix function of n:
// tiles and dimensions cut n into digits, and each digit has a stride. Brought to its shortest form that function is the
// same for two arrays exactly when all their elements lie alike.
#pragma once
#include <span>

#include "shape/shape.h"
#include "xlashape_util.h"

namespace xlashape {

// Where the elements of an array lie, by their number.
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
  int64_t positions = 0;
  bool known = false;  // false where `*` merges dimensions so that no such form was found
};

// Of an array with these bounded dimensions. `unit[d]` is by how much the number of an element grows along dimension d;
// empty for row-major numbers, other ones number the elements of another array. OVERFLOW where the storage does not fit.
Status place_elements(std::span<const int64_t> dimensions, const Layout* layout, std::span<const int64_t> unit,
                      Placement* placement, Error* err);

// Reshaping `a` to `b`, elements in row-major order, leaves every element where it is and the storage as large. Looks at
// nothing but positions and the bits of an element.
bool lies_alike(const Shape& a, const Shape& b);

// The questions of the C API, for arrays. `permutation` must be one of a rank that both have.
bool reshape_is_bitcast(const Shape& a, const Shape& b, uint32_t flags);
bool transpose_is_bitcast(const Shape& a, const Shape& b, std::span<const int64_t> permutation, uint32_t flags);
bool is_reshape_or_transpose_bitcast(const Shape& a, const Shape& b, uint32_t flags);
// The permutation that the orders in memory give; false where it leads to no bitcast.
bool deduce_transpose(const Shape& a, const Shape& b, uint32_t flags, SmallVec<int64_t, 8>* permutation);

// The tiles move no element.
bool is_untiled(const Shape& array);

}  // namespace xlashape
