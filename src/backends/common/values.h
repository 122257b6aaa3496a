/* SPDX-License-Identifier: Apache-2.0 */
// The value step, one number at a time: any format into any other one.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "ir/compiler.h"
#include "xlashape_backend.h"

namespace xlashape::backends {

// What follows from a float's format.
struct FloatCodes {
  int fraction = 0, bias = 0;
  bool has_sign = false, has_infinity = false, has_nan = false, has_negative_zero = false;
  uint64_t sign = 0;       // its bit
  uint64_t magnitude = 0;  // the bits below
  uint64_t infinity = 0, nan = 0;
  uint64_t highest = 0;  // the largest finite number

  constexpr FloatCodes() = default;
  constexpr explicit FloatCodes(const xlashape_number& n)
      : fraction(n.fraction_bits),
        bias(n.exponent_bias),
        has_sign((n.specials & XLASHAPE_FLOAT_ZERO) != 0),
        has_infinity((n.specials & XLASHAPE_FLOAT_INFINITY) != 0),
        has_nan((n.specials & XLASHAPE_FLOAT_NAN) != 0),
        has_negative_zero((n.specials & XLASHAPE_FLOAT_NEGATIVE_ZERO) != 0) {
    const int bits = n.bits - (has_sign ? 1 : 0);
    sign = has_sign ? uint64_t{1} << bits : 0;
    magnitude = ~uint64_t{0} >> (64 - bits);
    infinity = magnitude & ~((uint64_t{1} << fraction) - 1);
    nan = has_infinity ? infinity | uint64_t{1} << (fraction - 1) : nan_is_negative_zero() ? sign : magnitude;
    highest = has_infinity ? infinity - 1 : magnitude - (has_nan && !nan_is_negative_zero() ? 1 : 0);
  }
  constexpr bool nan_is_negative_zero() const { return has_nan && has_sign && !has_negative_zero; }
  uint64_t signed_nan(bool negative) const {
    if (!has_nan) return negative ? 0 : sign;  // the zero of the other sign
    return nan | (negative ? sign : 0);
  }
};

constexpr xlashape_number ieee(int bits, int fraction, int bias) {
  return {XLASHAPE_TYPE_INVALID,
          XLASHAPE_NUMBER_FLOAT,
          bits,
          fraction,
          bias,
          XLASHAPE_FLOAT_INFINITY | XLASHAPE_FLOAT_NAN | XLASHAPE_FLOAT_NEGATIVE_ZERO | XLASHAPE_FLOAT_ZERO};
}
inline constexpr FloatCodes kF32Codes(ieee(32, 23, 127)), kF64Codes(ieee(64, 52, 1023));

// A number whose magnitude is digits * 2^exponent; infinity has the largest exponent.
struct Number {
  static constexpr int kInfinite = 1 << 20;
  uint64_t digits = 0;
  int exponent = 0;
  bool negative = false, nan = false;
  bool is_infinite() const { return exponent == kInfinite; }
};

class ValueStep {
 public:
  explicit ValueStep(const xlashape_value_ir& step)
      : ir_(step),
        src_(step.src.kind == XLASHAPE_NUMBER_FLOAT ? FloatCodes(step.src) : FloatCodes()),
        dst_(step.dst.kind == XLASHAPE_NUMBER_FLOAT ? FloatCodes(step.dst) : FloatCodes()),
        saturates_((step.flags & XLASHAPE_VALUES_SATURATE) != 0),
        quantizes_((step.flags & XLASHAPE_VALUES_QUANTIZE) != 0),
        dequantizes_((step.flags & XLASHAPE_VALUES_DEQUANTIZE) != 0),
        keeps_low_bits_(!saturates_ && step.src.kind != XLASHAPE_NUMBER_FLOAT &&
                        step.dst.kind != XLASHAPE_NUMBER_FLOAT && step.dst.kind != XLASHAPE_NUMBER_BOOL) {}

  bool has_channels() const { return ir_.scale_count > 1; }

  // What a float that is too large for a format becomes there.
  static uint64_t overflow(const FloatCodes& f, bool negative, bool saturates) {
    const uint64_t sign = negative ? f.sign : 0;
    if (!saturates && f.has_infinity) return sign | f.infinity;
    return saturates || !f.has_nan ? sign | f.highest : f.signed_nan(negative);
  }

  // The source's number as the bits of an f32.
  uint32_t to_f32(uint64_t bits) const { return static_cast<uint32_t>(write_float(kF32Codes, read(bits), false)); }

  uint64_t operator()(uint64_t bits, int64_t channel) const {
    if (quantizes_) return quantize(bits, ir_.scale[channel], ir_.zero_point[channel]);
    if (dequantizes_) return dequantize(bits, ir_.scale[channel], ir_.zero_point[channel]);
    if (keeps_low_bits_) return static_cast<uint64_t>(integer(bits)) & ones(ir_.dst.bits);
    return write(read(bits));
  }

 private:
  static uint64_t ones(int bits) { return ~uint64_t{0} >> (64 - bits); }

  // An integer of the source; an unsigned one of 64 bits as its bits, a bool as 0 or 1.
  int64_t integer(uint64_t bits) const {
    const int unused = 64 - ir_.src.bits;
    if (ir_.src.kind == XLASHAPE_NUMBER_BOOL) return (bits << unused) != 0;
    if (ir_.src.kind == XLASHAPE_NUMBER_SIGNED) return static_cast<int64_t>(bits << unused) >> unused;
    return static_cast<int64_t>(bits << unused >> unused);
  }

  Number read(uint64_t bits) const {
    Number x;
    if (ir_.src.kind == XLASHAPE_NUMBER_FLOAT) return read_float(src_, bits & (src_.sign | src_.magnitude));
    const int64_t value = integer(bits);
    x.negative = ir_.src.kind == XLASHAPE_NUMBER_SIGNED && value < 0;
    x.digits = x.negative ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    return x;
  }

  static Number read_float(const FloatCodes& f, uint64_t bits) {
    Number x;
    x.negative = (bits & f.sign) != 0;
    const uint64_t code = bits & f.magnitude;
    if (code > f.highest || (f.nan_is_negative_zero() && bits == f.sign)) {
      x.nan = !(f.has_infinity && code == f.infinity);
      x.exponent = Number::kInfinite;
      return x;
    }
    const auto exponent = static_cast<int>(code >> f.fraction);
    x.digits = code & ((uint64_t{1} << f.fraction) - 1);
    if (exponent > 0 || !f.has_sign) x.digits |= uint64_t{1} << f.fraction;
    x.exponent = std::max(exponent, f.has_sign ? 1 : 0) - f.bias - f.fraction;
    return x;
  }

  uint64_t write(const Number& x) const {
    switch (ir_.dst.kind) {
      case XLASHAPE_NUMBER_FLOAT:
        return write_float(dst_, x, saturates_);
      case XLASHAPE_NUMBER_BOOL:
        return x.nan || x.is_infinite() || x.digits != 0;
      default:
        return write_integer(x);
    }
  }

  static uint64_t write_float(const FloatCodes& f, const Number& x, bool saturates) {
    if (x.nan) return f.signed_nan(x.negative);
    if (!f.has_sign && (x.negative || (x.digits == 0 && !x.is_infinite()))) return f.nan;
    if (x.is_infinite()) return overflow(f, x.negative, saturates);
    const uint64_t sign = x.negative && f.has_negative_zero ? f.sign : 0;
    if (x.digits == 0) return sign;
    // The highest digit becomes bit 63, and `biased` its exponent's code; below the normal numbers more digits go.
    const int zeros = std::countl_zero(x.digits);
    const uint64_t digits = x.digits << zeros;
    const int biased = x.exponent - zeros + 63 + f.bias;
    if (biased > 1 << 12) return overflow(f, x.negative, saturates);
    if (!f.has_sign) {  // no fraction, no zero: half a step goes up
      const int code = biased + ((digits >> 62) == 3 ? 1 : 0);
      return code < 0                                  ? 0
             : static_cast<uint64_t>(code) > f.highest ? overflow(f, false, saturates)
                                                       : static_cast<uint64_t>(code);
    }
    const int dropped = 63 - f.fraction + std::max(0, 1 - biased);
    uint64_t kept = 0, rest = digits;
    if (dropped < 64) kept = digits >> dropped, rest = digits << (64 - dropped);
    if (dropped > 64) rest = 1;  // less than half a step
    constexpr uint64_t kHalf = uint64_t{1} << 63;
    kept += rest > kHalf || (rest == kHalf && (kept & 1) != 0) ? 1 : 0;
    // A normal number's highest digit is counted by its exponent; rounding may carry into that.
    const uint64_t code = kept + (static_cast<uint64_t>(std::max(biased, 1) - 1) << f.fraction);
    if (code > f.highest) return overflow(f, x.negative, saturates);
    return code | (x.negative && (code != 0 || f.has_negative_zero) ? f.sign : 0);
  }

  // Cuts off the fraction.
  uint64_t write_integer(const Number& x) const {
    if (x.nan) return 0;
    const bool is_signed = ir_.dst.kind == XLASHAPE_NUMBER_SIGNED;
    const uint64_t most = ir_.dst.bits == 1 && is_signed ? 0 : ones(ir_.dst.bits - (is_signed ? 1 : 0));
    const uint64_t limit = x.negative ? (is_signed ? most + 1 : 0) : most;
    uint64_t size = 0;
    if (x.is_infinite() || (x.digits != 0 && x.exponent > std::countl_zero(x.digits)))
      size = limit;
    else if (x.exponent > -64 && x.digits != 0)
      size = x.exponent < 0 ? x.digits >> -x.exponent : x.digits << x.exponent;
    size = std::min(size, limit);
    return (x.negative ? 0 - size : size) & ones(ir_.dst.bits);
  }

  // -- Quantized values --

  float f32(uint64_t bits) const { return ir::bit_cast<float>(to_f32(bits)); }
  static Number number_of(float x) { return read_float(kF32Codes, ir::bit_cast<uint32_t>(x)); }
  static Number number_of(double x) { return read_float(kF64Codes, ir::bit_cast<uint64_t>(x)); }

  uint64_t quantize(uint64_t bits, float scale, int32_t zero_point) const {
    if (ir_.src.bits == 64) return quantized(ir::bit_cast<double>(bits) / scale, zero_point);
    return quantized(f32(bits) / scale, zero_point);
  }
  template <class Float>
  uint64_t quantized(Float quotient, int32_t zero_point) const {
    if (ir_.dst.kind == XLASHAPE_NUMBER_FLOAT) return write_float(dst_, number_of(quotient), saturates_);
    const bool is_signed = ir_.dst.kind == XLASHAPE_NUMBER_SIGNED;
    const int64_t most = static_cast<int64_t>(ones(ir_.dst.bits) >> (is_signed ? 1 : 0));
    const int64_t least = is_signed ? -most - 1 : 0;
    constexpr auto kFar = static_cast<Float>(int64_t{1} << 40);  // beyond each range, with any zero point
    const int64_t whole =
        std::isnan(quotient)
            ? 0
            : static_cast<int64_t>(std::nearbyint(std::clamp<Float>(quotient, -kFar, kFar)));  // to nearest even
    return static_cast<uint64_t>(std::clamp(whole + zero_point, least, most)) & ones(ir_.dst.bits);
  }

  uint64_t dequantize(uint64_t bits, float scale, int32_t zero_point) const {
    const bool is_float = ir_.src.kind == XLASHAPE_NUMBER_FLOAT;
    if (ir_.dst.bits == 64) {
      const double q = is_float ? f32(bits) : static_cast<double>(integer(bits) - zero_point);
      return write_float(dst_, number_of(q * scale), saturates_);
    }
    const float q = is_float ? f32(bits) : static_cast<float>(integer(bits) - zero_point);
    return write_float(dst_, number_of(q * scale), saturates_);
  }

  const xlashape_value_ir& ir_;
  const FloatCodes src_, dst_;
  const bool saturates_, quantizes_, dequantizes_, keeps_low_bits_;
};

}  // namespace xlashape::backends
