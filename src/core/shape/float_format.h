/* SPDX-License-Identifier: Apache-2.0 */
// The values that floating-point types can hold (xla/primitive_util.h), and which conversions preserve all values.
#pragma once
#include <cstdint>

#include "xlashape.h"

namespace xlashape::core {

// What a type has besides its numbers.
struct FloatSpecials {
  bool infinity, nan, negative_zero, positive_zero;
};

struct FloatFormat {
  uint8_t significand_width;  // including the leading bit, which is not stored; 0: not a float
  uint8_t exponent_width;
  int16_t exponent_bias;
  FloatSpecials has;

  // The encodings of one, the highest and the lowest value: infinities where the type has them. Without a zero there is
  // no sign either, and the lowest value is the smallest.
  uint64_t one() const { return static_cast<uint64_t>(exponent_bias) << (significand_width - 1); }
  uint64_t highest() const {
    const uint64_t end = sign(), fraction = (uint64_t{1} << (significand_width - 1)) - 1;
    if (has.infinity) return end - 1 - fraction;
    // NaN is all ones, unless it is in the place of the negative zero.
    return end - 1 - (has.nan && has.negative_zero == has.positive_zero);
  }
  uint64_t lowest() const { return has.positive_zero ? sign() | highest() : 0; }

  // One more than the exponent of the smallest normal number. Without a zero the lowest exponent is a normal one.
  int underflow_exponent() const { return (has.positive_zero ? 2 : 1) - exponent_bias; }
  // That of the smallest power of two that is too large.
  int overflow_exponent() const {
    return static_cast<int>(highest() >> (significand_width - 1)) - exponent_bias + !has.infinity;
  }

 private:
  uint64_t sign() const { return uint64_t{1} << (exponent_width + significand_width - 1); }
};

// Null for a type that is not a float.
const FloatFormat* float_format(xlashape_element_type type) noexcept;

// Whether every value of `from` is one of `to`: XLA's CastPreservesValues for types of arrays, false for others.
bool cast_preserves_values(xlashape_element_type from, xlashape_element_type to) noexcept;

}  // namespace xlashape::core
