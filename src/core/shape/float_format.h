/* SPDX-License-Identifier: Apache-2.0 */
// The values that floating-point types can hold (xla/primitive_util.h), and which conversions preserve all values.
#pragma once
#include "xlashape.h"

namespace xlashape::core {

struct FloatFormat {
  int type;
  int16_t significand_width;  // including the leading bit, which is not stored
  int16_t exponent_width;
  int16_t exponent_bias;
  int16_t overflow_exponent;  // the smallest power of two that is too large
  bool has_infinity, has_nan, has_negative_zero, has_positive_zero;

  // One more than the exponent of the smallest normal number. Without a zero the lowest exponent is a normal one.
  int underflow_exponent() const { return (has_positive_zero ? 2 : 1) - exponent_bias; }
};

// Null for a type that is not a float.
const FloatFormat* float_format(xlashape_element_type type) noexcept;

// Whether every value of `from` is one of `to`: XLA's CastPreservesValues for types of arrays, false for others.
bool cast_preserves_values(xlashape_element_type from, xlashape_element_type to) noexcept;

}  // namespace xlashape::core
