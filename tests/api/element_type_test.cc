// SPDX-License-Identifier: Apache-2.0
// Element types and padding elements through the C API.
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "api.h"
#include "xlashape_xla.h"

namespace {

using api::answers;
using api::message;
using api::ok;

constexpr int32_t kLast = XLASHAPE_TYPE_F6E2M3FN;

xlashape_status from_name(std::string_view name, int32_t* type, xlashape_error* err) {
  return xlashape_element_type_from_name(name.data(), name.size(), type, err);
}

TEST(ElementType, NamesNumbersAndBits) {
  ASSERT_EQ(xlashape_element_type_name(kLast + 1), nullptr) << "kLast is no longer the last type: raise it";
  for (const int32_t type : {XLASHAPE_TYPE_INVALID, kLast + 1, -1, INT32_MIN, INT32_MAX}) {
    EXPECT_EQ(xlashape_element_type_name(type), nullptr) << type;
    EXPECT_EQ(xlashape_element_type_bits(type), 0) << type;
    EXPECT_EQ(xlashape_element_type_storage_bits(type), 0) << type;
    EXPECT_EQ(xlashape_element_type_classes(type), 0u) << type;
  }
  for (int32_t type = 1; type <= kLast; ++type) {
    const char* name = xlashape_element_type_name(type);
    ASSERT_NE(name, nullptr) << type;
    int32_t found = -1;
    ok([&](auto* err) { return from_name(name, &found, err); });
    EXPECT_EQ(found, type);
    const int bits = xlashape_element_type_bits(type);
    const uint32_t classes = xlashape_element_type_classes(type);
    const bool array = (classes & XLASHAPE_CLASS_ARRAY) != 0;
    EXPECT_EQ(array, bits > 0) << name;
    EXPECT_EQ(xlashape_element_type_storage_bits(type), array ? (bits + 7) / 8 * 8 : 0) << name;
    EXPECT_EQ((classes & XLASHAPE_CLASS_SUB_BYTE) != 0, array && bits < 8 && type != XLASHAPE_TYPE_PRED) << name;
    const uint32_t kinds = classes & (XLASHAPE_CLASS_FLOAT | XLASHAPE_CLASS_INTEGRAL | XLASHAPE_CLASS_COMPLEX);
    EXPECT_EQ(std::popcount(kinds), array && type != XLASHAPE_TYPE_PRED ? 1 : 0) << name;
  }
}

TEST(ElementType, WhatIsNoNameIsNotFound) {
  int32_t type = -1;
  for (const std::string& name : {std::string("F32"), std::string("f32 "), std::string(" f32"), std::string("f3"),
                                  std::string("f32\0", 4), std::string("invalid"), std::string()})
    message(XLASHAPE_STATUS_NOT_FOUND, [&](auto* err) { return from_name(name, &type, err); });
  EXPECT_EQ(type, -1);
  message(XLASHAPE_STATUS_NOT_FOUND, xlashape_element_type_from_name, nullptr, 0, &type);
}

TEST(ElementType, BitsAndClasses) {
  const struct {
    int32_t type, bits, storage_bits;
    uint32_t classes;
  } facts[] = {
      {XLASHAPE_TYPE_PRED, 1, 8, XLASHAPE_CLASS_ARRAY},
      {XLASHAPE_TYPE_S4, 4, 8,
       XLASHAPE_CLASS_ARRAY | XLASHAPE_CLASS_INTEGRAL | XLASHAPE_CLASS_SIGNED | XLASHAPE_CLASS_SUB_BYTE},
      {XLASHAPE_TYPE_U64, 64, 64, XLASHAPE_CLASS_ARRAY | XLASHAPE_CLASS_INTEGRAL | XLASHAPE_CLASS_UNSIGNED},
      {XLASHAPE_TYPE_F32, 32, 32, XLASHAPE_CLASS_ARRAY | XLASHAPE_CLASS_FLOAT},
      {XLASHAPE_TYPE_C128, 128, 128, XLASHAPE_CLASS_ARRAY | XLASHAPE_CLASS_COMPLEX},
      {XLASHAPE_TYPE_F8E5M2, 8, 8, XLASHAPE_CLASS_ARRAY | XLASHAPE_CLASS_FLOAT | XLASHAPE_CLASS_F8},
      {XLASHAPE_TYPE_F6E3M2FN, 8, 8, XLASHAPE_CLASS_ARRAY | XLASHAPE_CLASS_FLOAT | XLASHAPE_CLASS_F6},
      {XLASHAPE_TYPE_F4E2M1FN, 4, 8,
       XLASHAPE_CLASS_ARRAY | XLASHAPE_CLASS_FLOAT | XLASHAPE_CLASS_SUB_BYTE | XLASHAPE_CLASS_MX},
      {XLASHAPE_TYPE_TUPLE, 0, 0, 0},
      {XLASHAPE_TYPE_TOKEN, 0, 0, 0},
      {XLASHAPE_TYPE_OPAQUE, 0, 0, 0},
      {XLASHAPE_TYPE_BUFFER, 0, 0, 0},
  };
  for (const auto& fact : facts) {
    EXPECT_EQ(xlashape_element_type_bits(fact.type), fact.bits) << fact.type;
    EXPECT_EQ(xlashape_element_type_storage_bits(fact.type), fact.storage_bits) << fact.type;
    EXPECT_EQ(xlashape_element_type_classes(fact.type), fact.classes) << fact.type;
  }
}

// What it is for each type: golden cases.
TEST(PaddingElement, IsTheValueInItsStorage) {
  answers<uint8_t>({0, 0, 0x80, 0x3F}, xlashape_padding_element, XLASHAPE_TYPE_F32, XLASHAPE_PAD_ONE);
  for (const int32_t value : {XLASHAPE_PAD_INVALID, XLASHAPE_PAD_ZERO, XLASHAPE_PAD_UNKNOWN})
    for (int32_t type = 1; type <= kLast; ++type)
      if ((xlashape_element_type_classes(type) & XLASHAPE_CLASS_ARRAY) != 0)
        answers<uint8_t>(std::vector<uint8_t>(xlashape_element_type_storage_bits(type) / 8), xlashape_padding_element,
                         type, value);
}

TEST(PaddingElement, RefusesWhatHasNone) {
  uint8_t bytes[16];
  int64_t needed;
  for (const int32_t type : {XLASHAPE_TYPE_INVALID, XLASHAPE_TYPE_TUPLE, XLASHAPE_TYPE_TOKEN, XLASHAPE_TYPE_OPAQUE,
                             XLASHAPE_TYPE_BUFFER, kLast + 1, -1})
    message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_padding_element, type, XLASHAPE_PAD_ZERO, bytes, 16, &needed);
  for (const int32_t value : {-1, 6, INT32_MAX})
    EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_padding_element, XLASHAPE_TYPE_F32, value, bytes, 16,
                        &needed),
                testing::HasSubstr(std::to_string(value)));
}

struct Format {
  int32_t type, significand, exponent, bias, underflow, overflow;
  bool infinity, nan, negative_zero, positive_zero;
};

// As IEEE 754, the OCP formats' papers and LLVM's names for the others have it.
constexpr Format kFormats[] = {
    {XLASHAPE_TYPE_F64, 53, 11, 1023, -1021, 1024, true, true, true, true},
    {XLASHAPE_TYPE_F32, 24, 8, 127, -125, 128, true, true, true, true},
    {XLASHAPE_TYPE_F16, 11, 5, 15, -13, 16, true, true, true, true},
    {XLASHAPE_TYPE_BF16, 8, 8, 127, -125, 128, true, true, true, true},
    {XLASHAPE_TYPE_F8E5M2, 3, 5, 15, -13, 16, true, true, true, true},
    {XLASHAPE_TYPE_F8E4M3, 4, 4, 7, -5, 8, true, true, true, true},
    {XLASHAPE_TYPE_F8E3M4, 5, 3, 3, -1, 4, true, true, true, true},
    {XLASHAPE_TYPE_F8E4M3FN, 4, 4, 7, -5, 9, false, true, true, true},
    {XLASHAPE_TYPE_F8E4M3B11FNUZ, 4, 4, 11, -9, 5, false, true, false, true},
    {XLASHAPE_TYPE_F8E5M2FNUZ, 3, 5, 16, -14, 16, false, true, false, true},
    {XLASHAPE_TYPE_F8E4M3FNUZ, 4, 4, 8, -6, 8, false, true, false, true},
    {XLASHAPE_TYPE_F4E2M1FN, 2, 2, 1, 1, 3, false, false, true, true},
    {XLASHAPE_TYPE_F6E3M2FN, 3, 3, 3, -1, 5, false, false, true, true},
    {XLASHAPE_TYPE_F6E2M3FN, 4, 2, 1, 1, 3, false, false, true, true},
    {XLASHAPE_TYPE_F8E8M0FNU, 1, 8, 127, -126, 128, false, true, false, false},
};

const Format* format_of(int32_t type) {
  for (const Format& format : kFormats)
    if (format.type == type) return &format;
  return nullptr;
}

TEST(FloatFormat, SaysWhatAFloatCanHold) {
  for (int32_t type = -1; type <= kLast + 1; ++type) {
    SCOPED_TRACE(type);
    auto told = XLASHAPE_INIT(xlashape_float_format);
    const Format* want = format_of(type);
    EXPECT_EQ(want != nullptr, (xlashape_element_type_classes(type) & XLASHAPE_CLASS_FLOAT) != 0)
        << "kFormats of this test has the floats, and no others";
    if (want == nullptr) {
      EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_element_type_float_format, type, &told),
                  testing::HasSubstr("element type " + std::to_string(type)));
      EXPECT_EQ(told.exponent_width, 0);
      continue;
    }
    ok(xlashape_element_type_float_format, type, &told);
    EXPECT_EQ(told.significand_width, want->significand);
    EXPECT_EQ(told.exponent_width, want->exponent);
    EXPECT_EQ(told.exponent_bias, want->bias);
    EXPECT_EQ(told.underflow_exponent, want->underflow);
    EXPECT_EQ(told.overflow_exponent, want->overflow);
    EXPECT_EQ(told.has_infinity, want->infinity);
    EXPECT_EQ(told.has_nan, want->nan);
    EXPECT_EQ(told.has_negative_zero, want->negative_zero);
    EXPECT_EQ(told.has_positive_zero, want->positive_zero);
    // The encoding of 1 has the bias as its exponent, and nothing behind it.
    uint64_t one = 0;
    int64_t needed;
    ASSERT_EQ(xlashape_padding_element(type, XLASHAPE_PAD_ONE, reinterpret_cast<uint8_t*>(&one), 8, &needed, nullptr),
              XLASHAPE_STATUS_OK);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    one = __builtin_bswap64(one);
#endif
    EXPECT_EQ(one, static_cast<uint64_t>(told.exponent_bias) << (told.significand_width - 1));
  }
}

// A number exactly, whatever the machine's own formats hold: significand * 2^exponent, the significand odd or 0.
struct Number {
  bool is_negative, is_infinite;
  uint64_t significand;
  int exponent;
  bool operator==(const Number&) const = default;
  // The least power of two above its magnitude.
  int top() const { return exponent + static_cast<int>(std::bit_width(significand)); }
  Number negated() const { return {!is_negative, is_infinite, significand, exponent}; }
};

Number number(uint64_t significand, int exponent = 0) {
  const int zeros = significand == 0 ? 0 : std::countr_zero(significand);
  return {false, false, significand >> zeros, significand == 0 ? 0 : exponent + zeros};
}

// The values of a type: numbers, and what is none.
struct Values {
  std::vector<Number> numbers;  // with their signs, zeros too
  bool nan = false;
};

Values float_values(const Format& f) {
  Values out{{}, f.nan};
  const auto add = [&](const Number& magnitude) {
    const bool is_zero = magnitude == number(0);
    if (f.positive_zero || !is_zero) out.numbers.push_back(magnitude);
    if (f.negative_zero || (f.positive_zero && !is_zero)) out.numbers.push_back(magnitude.negated());
  };
  const int stored = f.significand - 1;
  const uint64_t end = uint64_t{1} << stored;
  add(number(0));
  if (f.infinity) add({false, true, 0, 0});
  // All numbers of those of a byte; of the others where a narrower format gives in: the ends of each exponent, or, of
  // f32 and f64, of a few.
  const bool all = f.significand + f.exponent <= 9, wide = f.significand + f.exponent > 16;
  for (int e = f.underflow - 1; e < f.overflow; ++e) {
    if (wide && e > f.underflow + 1 && e < f.overflow - 2 && e != 0) continue;
    for (uint64_t m = 0; m < end; m += all ? 1 : std::max<uint64_t>(1, end - 1)) {
      // All have all numbers, but for f8e4m3fn: what would be its highest one is NaN.
      if (f.type == XLASHAPE_TYPE_F8E4M3FN && std::ldexp(static_cast<double>(end + m), e - stored) > 448) continue;
      add(number(end + m, e - stored));
    }
  }
  if (f.positive_zero)  // subnormal ones
    for (uint64_t m = 1; m < end; m = all ? m + 1 : m * 2) add(number(m, f.underflow - 1 - stored));
  return out;
}

Values make_values(int32_t type) {
  if (const Format* f = format_of(type)) return float_values(*f);
  const bool is_signed = (xlashape_element_type_classes(type) & XLASHAPE_CLASS_SIGNED) != 0;
  const int bits = xlashape_element_type_bits(type) - is_signed;  // of the magnitude
  const uint64_t high = ~uint64_t{0} >> (64 - std::max(bits, 1)) >> (bits == 0);
  Values out;
  if (bits <= 8) {
    for (uint64_t value = 0; value <= high; ++value) out.numbers.push_back(number(value));
    for (uint64_t value = 1; is_signed && value <= high + 1; ++value) out.numbers.push_back(number(value).negated());
  } else {
    for (const uint64_t value : {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{255}, high / 2 + 1, high - 1, high})
      out.numbers.push_back(number(value));
    if (is_signed) out.numbers.insert(out.numbers.end(), {number(high).negated(), number(1, bits).negated()});
  }
  return out;
}

const Values& values_of(int32_t type) {
  static std::map<int32_t, Values> known;
  const auto found = known.find(type);
  return found != known.end() ? found->second : known.emplace(type, make_values(type)).first->second;
}

// Whether `type` has that very number: by what rounding to the format leaves, not by comparing the formats' facts.
bool has(int32_t type, const Number& value) {
  const Format* f = format_of(type);
  const bool is_zero = value.significand == 0 && !value.is_infinite;
  if (f == nullptr) {
    const bool is_signed = (xlashape_element_type_classes(type) & XLASHAPE_CLASS_SIGNED) != 0;
    const int bits = xlashape_element_type_bits(type) - is_signed;
    if (value.is_infinite || value.exponent < 0 || (value.is_negative && (is_zero || !is_signed))) return false;
    return value.top() <= bits || value == number(1, bits).negated();
  }
  if (is_zero) return value.is_negative ? f->negative_zero : f->positive_zero;
  if (value.is_infinite) return f->infinity;
  if (value.is_negative && !f->positive_zero) return false;  // f8e8m0fnu has no sign
  const int top = value.top();
  if (top > f->overflow) return false;
  const int digits = f->significand - std::max(0, f->underflow - top);
  if (digits <= 0 || (!f->positive_zero && top < f->underflow)) return false;
  if (static_cast<int>(std::bit_width(value.significand)) > digits) return false;
  if (f->significand + f->exponent > 9) return true;
  const std::vector<Number>& own = values_of(type).numbers;
  return std::find(own.begin(), own.end(), value) != own.end();
}

TEST(CastPreservesValues, IsWhatTheValuesSay) {
  const auto component = [](int32_t type) {
    const int32_t part = xlashape_element_type_complex_component(type);
    return part != XLASHAPE_TYPE_INVALID ? part : type;
  };
  int yes = 0;
  for (int32_t from = -1; from <= kLast + 1; ++from) {
    for (int32_t to = -1; to <= kLast + 1; ++to) {
      SCOPED_TRACE(std::to_string(from) + " to " + std::to_string(to));
      bool want = false;
      const uint32_t classes = xlashape_element_type_classes(from), target = xlashape_element_type_classes(to);
      if ((classes & target & XLASHAPE_CLASS_ARRAY) != 0) {
        const Values& values = values_of(component(from));
        const Format* format = format_of(component(to));
        want = ((classes & XLASHAPE_CLASS_COMPLEX) == 0 || (target & XLASHAPE_CLASS_COMPLEX) != 0) &&
               (!values.nan || (format != nullptr && format->nan));
        for (const Number& value : values.numbers) want = want && has(component(to), value);
      }
      // As XLA has it: true is -1 as s1, and no number goes into pred.
      if (from == XLASHAPE_TYPE_PRED && to == XLASHAPE_TYPE_S1) want = true;
      if (from == XLASHAPE_TYPE_U1 && to == XLASHAPE_TYPE_PRED) want = false;
      EXPECT_EQ(xlashape_element_type_cast_preserves_values(from, to), want);
      yes += want;
    }
  }
  EXPECT_GT(yes, 200);
  EXPECT_EQ(xlashape_element_type_cast_preserves_values(INT32_MIN, INT32_MAX), 0);
}

}  // namespace
