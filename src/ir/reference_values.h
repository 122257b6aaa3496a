/* SPDX-License-Identifier: Apache-2.0 */
// Defines how a number changes its format: slowly, by comparing exact values, so that it shares no idea with the fast
// paths that are tested against it.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

#include "ir/compiler.h"
#include "xlashape_backend.h"

namespace xlashape::reference {

// digits * 2^exponent, NaN or infinity, with a sign.
struct Real {
  bool negative = false, nan = false, infinite = false;
  uint64_t digits = 0;
  int exponent = 0;
};

// -- Formats ----------------------------------------------------------------------------------------------------------

inline bool has(const xlashape_number& n, uint32_t special) { return (n.specials & special) != 0; }
inline int magnitude_bits(const xlashape_number& n) { return n.bits - has(n, XLASHAPE_FLOAT_ZERO); }
inline uint64_t ones(int bits) { return bits == 0 ? 0 : ~uint64_t{0} >> (64 - bits); }
inline uint64_t sign_bit(const xlashape_number& n) {
  return has(n, XLASHAPE_FLOAT_ZERO) ? uint64_t{1} << magnitude_bits(n) : 0;
}
inline uint64_t infinity_code(const xlashape_number& n) { return ones(magnitude_bits(n)) & ~ones(n.fraction_bits); }
// Whether NaN is where a negative zero would be.
inline bool has_nan_for_zero(const xlashape_number& n) {
  return has(n, XLASHAPE_FLOAT_NAN) && has(n, XLASHAPE_FLOAT_ZERO) && !has(n, XLASHAPE_FLOAT_NEGATIVE_ZERO);
}
// The largest finite number.
inline uint64_t highest_code(const xlashape_number& n) {
  if (has(n, XLASHAPE_FLOAT_INFINITY)) return infinity_code(n) - 1;
  return ones(magnitude_bits(n)) - (has(n, XLASHAPE_FLOAT_NAN) && !has_nan_for_zero(n));
}
inline uint64_t nan_code(const xlashape_number& n, bool negative) {
  const uint64_t sign = negative ? sign_bit(n) : 0;
  if (has(n, XLASHAPE_FLOAT_INFINITY)) return sign | infinity_code(n) | uint64_t{1} << (n.fraction_bits - 1);
  if (has_nan_for_zero(n)) return sign_bit(n);
  if (has(n, XLASHAPE_FLOAT_NAN)) return sign | ones(magnitude_bits(n));
  return negative ? 0 : sign_bit(n);
}

inline Real decode_float(const xlashape_number& n, uint64_t bits) {
  Real x;
  x.negative = (bits & sign_bit(n)) != 0;
  const uint64_t code = bits & ones(magnitude_bits(n)), fraction = code & ones(n.fraction_bits);
  if (has(n, XLASHAPE_FLOAT_INFINITY) && code >= infinity_code(n)) {
    x.infinite = code == infinity_code(n);
    x.nan = !x.infinite;
  } else if (has_nan_for_zero(n)) {
    x.nan = code == 0 && x.negative;
  } else {
    x.nan = code > highest_code(n);
  }
  if (x.nan || x.infinite) return x;
  const auto exponent = static_cast<int>(code >> n.fraction_bits);
  const bool is_subnormal = exponent == 0 && has(n, XLASHAPE_FLOAT_ZERO);
  x.digits = is_subnormal ? fraction : fraction | uint64_t{1} << n.fraction_bits;
  x.exponent = (is_subnormal ? 1 : exponent) - n.exponent_bias - n.fraction_bits;
  return x;
}

inline Real decode(const xlashape_number& n, uint64_t bits) {
  if (n.kind == XLASHAPE_NUMBER_FLOAT) return decode_float(n, bits);
  Real x;
  bits &= ones(n.bits);
  x.negative = n.kind == XLASHAPE_NUMBER_SIGNED && (bits >> (n.bits - 1)) != 0;
  x.digits = n.kind == XLASHAPE_NUMBER_BOOL ? bits != 0 : x.negative ? (0 - bits) & ones(n.bits) : bits;
  return x;
}

// -- Rounding ---------------------------------------------------------------------------------------------------------

// -1, 0 or 1: how the magnitude of `a` compares with that of `b`; both are finite.
inline int compare(Real a, Real b) {
  if (a.digits == 0 || b.digits == 0) return (a.digits != 0) - (b.digits != 0);
  for (Real* x : {&a, &b}) {
    const int shift = std::countl_zero(x->digits);
    x->digits <<= shift;
    x->exponent -= shift;
  }
  if (a.exponent != b.exponent) return a.exponent < b.exponent ? -1 : 1;
  return a.digits < b.digits ? -1 : a.digits > b.digits;
}

// Whether a magnitude is to be rounded to the number that follows `code`. Codes of positive numbers follow each other
// as the numbers do.
inline bool rounds_up(const xlashape_number& n, const Real& x, uint64_t code) {
  const Real below = decode_float(n, code);
  const Real middle{.digits = 2 * below.digits + 1, .exponent = below.exponent - 1};
  const int side = compare(x, middle);
  return side > 0 || (side == 0 && (n.fraction_bits == 0 || (code & 1) != 0));
}

inline uint64_t encode_float(const xlashape_number& n, const Real& x, bool saturate) {
  const uint64_t sign = x.negative ? sign_bit(n) : 0, highest = highest_code(n);
  if (x.nan) return nan_code(n, x.negative);
  if (!has(n, XLASHAPE_FLOAT_ZERO) && (x.negative || (x.digits == 0 && !x.infinite))) return nan_code(n, false);
  if (x.infinite || rounds_up(n, x, highest)) {
    if (saturate) return sign | highest;
    if (has(n, XLASHAPE_FLOAT_INFINITY)) return sign | infinity_code(n);
    return has(n, XLASHAPE_FLOAT_NAN) ? nan_code(n, x.negative) : sign | highest;
  }
  uint64_t low = 0, high = highest;  // the largest code that is not above it is among these
  while (low < high) {
    const uint64_t middle = high - (high - low) / 2;
    if (compare(decode_float(n, middle), x) <= 0)
      low = middle;
    else
      high = middle - 1;
  }
  const bool is_below_all = compare(decode_float(n, 0), x) > 0;
  if (!is_below_all && low < highest && rounds_up(n, x, low)) ++low;
  return low == 0 && !has(n, XLASHAPE_FLOAT_NEGATIVE_ZERO) ? 0 : sign | low;
}

// Cut off, to the nearest end of the range.
inline uint64_t encode_integer(const xlashape_number& n, const Real& x) {
  if (x.nan) return 0;
  const bool is_signed = n.kind == XLASHAPE_NUMBER_SIGNED;
  const uint64_t most = ones(n.bits - is_signed), least = is_signed ? most + 1 : 0;  // magnitudes
  const uint64_t limit = x.negative ? least : most;
  uint64_t size = limit;
  if (x.digits == 0 && !x.infinite) {
    size = 0;
  } else if (!x.infinite && x.exponent <= 0) {
    size = x.exponent <= -64 ? 0 : x.digits >> -x.exponent;
  } else if (!x.infinite && x.exponent <= std::countl_zero(x.digits)) {
    size = x.digits << x.exponent;
  }
  if (size > limit) size = limit;
  return (x.negative ? 0 - size : size) & ones(n.bits);
}

inline uint64_t encode(const xlashape_number& n, const Real& x, bool saturate) {
  if (n.kind == XLASHAPE_NUMBER_FLOAT) return encode_float(n, x, saturate);
  if (n.kind == XLASHAPE_NUMBER_BOOL) return x.nan || x.infinite || x.digits != 0;
  return encode_integer(n, x);
}

// -- The step ---------------------------------------------------------------------------------------------------------

inline constexpr uint32_t kIeee =
    XLASHAPE_FLOAT_INFINITY | XLASHAPE_FLOAT_NAN | XLASHAPE_FLOAT_NEGATIVE_ZERO | XLASHAPE_FLOAT_ZERO;
inline constexpr xlashape_number kF32 = {XLASHAPE_TYPE_F32, XLASHAPE_NUMBER_FLOAT, 32, 23, 127, kIeee};
inline constexpr xlashape_number kF64 = {XLASHAPE_TYPE_F64, XLASHAPE_NUMBER_FLOAT, 64, 52, 1023, kIeee};

inline float to_f32(const Real& x) { return ir::bit_cast<float>(static_cast<uint32_t>(encode_float(kF32, x, false))); }
inline double to_f64(const Real& x) { return ir::bit_cast<double>(encode_float(kF64, x, false)); }
inline Real real_of(float x) { return decode_float(kF32, ir::bit_cast<uint32_t>(x)); }
inline Real real_of(double x) { return decode_float(kF64, ir::bit_cast<uint64_t>(x)); }

// `quotient` to the nearest integer, of two to the even one, plus `zero_point`.
inline uint64_t quantized_integer(const xlashape_number& n, const Real& quotient, int32_t zero_point) {
  Real sum = {};
  if (quotient.infinite || (quotient.digits != 0 && quotient.exponent + 64 - std::countl_zero(quotient.digits) > 60)) {
    sum = quotient;  // so far beyond each range that a zero point changes nothing
    sum.infinite = true;
  } else {
    auto whole = static_cast<int64_t>(quotient.digits);
    if (quotient.exponent > 0) whole <<= quotient.exponent;
    if (quotient.exponent < -63) {
      whole = 0;
    } else if (quotient.exponent < 0) {
      const uint64_t half = uint64_t{1} << (-quotient.exponent - 1), rest = quotient.digits & (2 * half - 1);
      whole = static_cast<int64_t>(quotient.digits >> -quotient.exponent);
      if (rest > half || (rest == half && (whole & 1) != 0)) ++whole;
    }
    const int64_t q = (quotient.nan ? 0 : quotient.negative ? -whole : whole) + zero_point;
    sum.negative = q < 0;
    sum.digits = q < 0 ? 0 - static_cast<uint64_t>(q) : static_cast<uint64_t>(q);
  }
  return encode_integer(n, sum);
}

inline uint64_t convert_value(const xlashape_value_ir& v, uint64_t bits, int64_t channel) {
  const bool saturate = (v.flags & XLASHAPE_VALUES_SATURATE) != 0;
  const bool quantize = (v.flags & XLASHAPE_VALUES_QUANTIZE) != 0;
  const Real x = decode(v.src, bits);
  if (quantize || (v.flags & XLASHAPE_VALUES_DEQUANTIZE) != 0) {
    const bool wide = (quantize ? v.src : v.dst).bits == 64;
    const float scale = v.scale[channel];
    const int32_t zero_point = v.zero_point[channel];
    if (quantize) {
      const Real y = wide ? real_of(to_f64(x) / scale) : real_of(to_f32(x) / scale);
      return v.dst.kind == XLASHAPE_NUMBER_FLOAT ? encode_float(v.dst, y, saturate)
                                                 : quantized_integer(v.dst, y, zero_point);
    }
    Real q = x;
    if (v.src.kind != XLASHAPE_NUMBER_FLOAT) {  // at most 32 bits
      const auto whole = static_cast<int64_t>(x.digits);
      const int64_t d = (x.negative ? -whole : whole) - zero_point;
      q.negative = d < 0;
      q.digits = static_cast<uint64_t>(d < 0 ? -d : d);
    }
    return encode_float(v.dst, wide ? real_of(to_f64(q) * scale) : real_of(to_f32(q) * scale), saturate);
  }
  const bool integers = v.src.kind != XLASHAPE_NUMBER_FLOAT && v.dst.kind != XLASHAPE_NUMBER_FLOAT;
  if (integers && v.dst.kind != XLASHAPE_NUMBER_BOOL && !saturate) {
    const uint64_t low = x.negative ? 0 - x.digits : x.digits;
    return low & ones(v.dst.bits);
  }
  return encode(v.dst, x, saturate);
}

}  // namespace xlashape::reference
