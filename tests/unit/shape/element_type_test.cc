// The table of element types, and padding values worked out from the formats instead of from the table.
#include "shape/element_type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace xlashape::core {
namespace {

constexpr int kLast = XLASHAPE_TYPE_F6E2M3FN;

TEST(ElementType, NamesAndNumbers) {
  ASSERT_EQ(element_type_info(kLast + 1).name(), nullptr) << "kLast is no longer the last type: raise it";
  for (int type = -2; type < kLast + 5; ++type) {
    const ElementTypeInfo& info = element_type_info(type);
    if (type <= 0 || type > kLast) {
      EXPECT_EQ(info.name(), nullptr) << type;
      EXPECT_EQ(info.classes, 0u);
      continue;
    }
    EXPECT_EQ(element_type_from_name(info.name()), type) << info.name();
    const bool array = (info.classes & XLASHAPE_CLASS_ARRAY) != 0;
    EXPECT_EQ(array, info.bits > 0) << info.name();
    EXPECT_EQ(info.storage_bits, array ? (info.bits + 7) / 8 * 8 : 0) << info.name();
    EXPECT_EQ((info.classes & XLASHAPE_CLASS_SUB_BYTE) != 0, array && info.bits < 8 && type != XLASHAPE_TYPE_PRED);
    const uint32_t kinds = info.classes & (XLASHAPE_CLASS_FLOAT | XLASHAPE_CLASS_INTEGRAL | XLASHAPE_CLASS_COMPLEX);
    EXPECT_EQ(std::popcount(kinds), array && type != XLASHAPE_TYPE_PRED ? 1 : 0) << info.name();
  }
  EXPECT_EQ(element_type_from_name("F32"), XLASHAPE_TYPE_INVALID);
  EXPECT_EQ(element_type_from_name("opaque"), XLASHAPE_TYPE_OPAQUE);
  EXPECT_EQ(element_type_from_name(""), XLASHAPE_TYPE_INVALID);
}

TEST(ElementType, Mapping) {
  EXPECT_EQ(complex_component(XLASHAPE_TYPE_C128), XLASHAPE_TYPE_F64);
  EXPECT_EQ(complex_of(XLASHAPE_TYPE_F32), XLASHAPE_TYPE_C64);
  EXPECT_EQ(complex_of(XLASHAPE_TYPE_F16), XLASHAPE_TYPE_INVALID);
  for (const int bits : {1, 2, 4, 8, 16, 32, 64})
    for (const bool is_signed : {false, true}) {
      const auto type = integral_of(bits, is_signed);
      EXPECT_EQ(element_type_info(type).bits, bits);
      EXPECT_EQ((element_type_info(type).classes & XLASHAPE_CLASS_SIGNED) != 0, is_signed);
    }
  EXPECT_EQ(integral_of(3, true), XLASHAPE_TYPE_INVALID);
  EXPECT_EQ(integral_of(0, false), XLASHAPE_TYPE_INVALID);
}

// A small float format: values of bit patterns, by definition.
struct Format {
  int type, exponent_bits, mantissa_bits, bias;
  enum { kIeee, kFinite, kFinitePlusNan, kUnsignedZero } kind;

  double value(unsigned bits) const {
    const unsigned sign = (bits >> (exponent_bits + mantissa_bits)) & 1;
    const unsigned exponent = (bits >> mantissa_bits) & ((1u << exponent_bits) - 1);
    const unsigned mantissa = bits & ((1u << mantissa_bits) - 1);
    const unsigned top = (1u << exponent_bits) - 1, full = (1u << mantissa_bits) - 1;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    if (kind == kIeee && exponent == top)
      return mantissa ? nan : (sign ? -1 : 1) * std::numeric_limits<double>::infinity();
    if (kind == kFinitePlusNan && exponent == top && mantissa == full) return nan;
    if (kind == kUnsignedZero && sign && exponent == 0 && mantissa == 0) return nan;
    const double magnitude =
        exponent == 0 ? std::ldexp(mantissa, 1 - bias - mantissa_bits)
                      : std::ldexp((1u << mantissa_bits) + mantissa, static_cast<int>(exponent) - bias - mantissa_bits);
    return sign ? -magnitude : magnitude;
  }
};

constexpr Format kFormats[] = {
    {XLASHAPE_TYPE_F16, 5, 10, 15, Format::kIeee},
    {XLASHAPE_TYPE_BF16, 8, 7, 127, Format::kIeee},
    {XLASHAPE_TYPE_F8E5M2, 5, 2, 15, Format::kIeee},
    {XLASHAPE_TYPE_F8E4M3, 4, 3, 7, Format::kIeee},
    {XLASHAPE_TYPE_F8E3M4, 3, 4, 3, Format::kIeee},
    {XLASHAPE_TYPE_F8E4M3FN, 4, 3, 7, Format::kFinitePlusNan},
    {XLASHAPE_TYPE_F8E4M3B11FNUZ, 4, 3, 11, Format::kUnsignedZero},
    {XLASHAPE_TYPE_F8E5M2FNUZ, 5, 2, 16, Format::kUnsignedZero},
    {XLASHAPE_TYPE_F8E4M3FNUZ, 4, 3, 8, Format::kUnsignedZero},
    {XLASHAPE_TYPE_F4E2M1FN, 2, 1, 1, Format::kFinite},
    {XLASHAPE_TYPE_F6E3M2FN, 3, 2, 3, Format::kFinite},
    {XLASHAPE_TYPE_F6E2M3FN, 2, 3, 1, Format::kFinite},
};

uint64_t pattern(int type, int value) {
  uint8_t bytes[16];
  const int width = padding_element(type, value, bytes);
  EXPECT_EQ(width, element_type_info(type).storage_bits / 8);
  uint64_t bits = 0;
  for (int i = 0; i < width && i < 8; ++i) bits |= static_cast<uint64_t>(bytes[i]) << (8 * i);
  return bits;
}

TEST(ElementType, EveryFloatHasItsValuesHere) {
  for (int type = 1; type <= kLast; ++type) {
    const ElementTypeInfo& info = element_type_info(type);
    if ((info.classes & XLASHAPE_CLASS_FLOAT) == 0) continue;
    // Those of C++, and the one without sign and zero.
    bool found = type == XLASHAPE_TYPE_F32 || type == XLASHAPE_TYPE_F64 || type == XLASHAPE_TYPE_F8E8M0FNU;
    for (const Format& format : kFormats) found |= format.type == type;
    EXPECT_TRUE(found) << "kFormats of this test has no row for " << info.name();
  }
}

TEST(ElementType, SmallFloatPadding) {
  for (const Format& format : kFormats) {
    const unsigned patterns = 1u << (1 + format.exponent_bits + format.mantissa_bits);
    double lowest = 0, highest = 0;
    for (unsigned bits = 0; bits < patterns; ++bits) {
      const double value = format.value(bits);
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
    }
    const char* name = element_type_info(format.type).name();
    EXPECT_EQ(format.value(static_cast<unsigned>(pattern(format.type, XLASHAPE_PAD_ZERO))), 0) << name;
    EXPECT_EQ(format.value(static_cast<unsigned>(pattern(format.type, XLASHAPE_PAD_ONE))), 1) << name;
    EXPECT_EQ(format.value(static_cast<unsigned>(pattern(format.type, XLASHAPE_PAD_LOWEST))), lowest) << name;
    EXPECT_EQ(format.value(static_cast<unsigned>(pattern(format.type, XLASHAPE_PAD_HIGHEST))), highest) << name;
  }
  // Exponents only: 2^(pattern - 127), ff is NaN.
  EXPECT_EQ(pattern(XLASHAPE_TYPE_F8E8M0FNU, XLASHAPE_PAD_ONE), 127u);
  EXPECT_EQ(pattern(XLASHAPE_TYPE_F8E8M0FNU, XLASHAPE_PAD_LOWEST), 0u);
  EXPECT_EQ(pattern(XLASHAPE_TYPE_F8E8M0FNU, XLASHAPE_PAD_HIGHEST), 0xFEu);
}

template <class T, class U>
void expect_native(int type, int value, T want) {
  U bits;
  std::memcpy(&bits, &want, sizeof bits);
  EXPECT_EQ(pattern(type, value), static_cast<uint64_t>(bits)) << element_type_info(type).name() << " " << value;
}

TEST(ElementType, NativePadding) {
  const double infinity = std::numeric_limits<double>::infinity();
  expect_native<float, uint32_t>(XLASHAPE_TYPE_F32, XLASHAPE_PAD_ONE, 1);
  expect_native<float, uint32_t>(XLASHAPE_TYPE_F32, XLASHAPE_PAD_LOWEST, static_cast<float>(-infinity));
  expect_native<float, uint32_t>(XLASHAPE_TYPE_F32, XLASHAPE_PAD_HIGHEST, static_cast<float>(infinity));
  expect_native<double, uint64_t>(XLASHAPE_TYPE_F64, XLASHAPE_PAD_ONE, 1);
  expect_native<double, uint64_t>(XLASHAPE_TYPE_F64, XLASHAPE_PAD_LOWEST, -infinity);
  expect_native<double, uint64_t>(XLASHAPE_TYPE_F64, XLASHAPE_PAD_HIGHEST, infinity);
  expect_native<int8_t, uint8_t>(XLASHAPE_TYPE_S8, XLASHAPE_PAD_LOWEST, INT8_MIN);
  expect_native<int64_t, uint64_t>(XLASHAPE_TYPE_S64, XLASHAPE_PAD_LOWEST, INT64_MIN);
  expect_native<int64_t, uint64_t>(XLASHAPE_TYPE_S64, XLASHAPE_PAD_HIGHEST, INT64_MAX);
  expect_native<uint64_t, uint64_t>(XLASHAPE_TYPE_U64, XLASHAPE_PAD_HIGHEST, UINT64_MAX);
  expect_native<uint32_t, uint32_t>(XLASHAPE_TYPE_U32, XLASHAPE_PAD_LOWEST, 0);
  expect_native<int8_t, uint8_t>(XLASHAPE_TYPE_PRED, XLASHAPE_PAD_HIGHEST, 1);
  expect_native<int8_t, uint8_t>(XLASHAPE_TYPE_PRED, XLASHAPE_PAD_LOWEST, 0);
  // The value sits in the lowest bits, below zeros.
  EXPECT_EQ(pattern(XLASHAPE_TYPE_S4, XLASHAPE_PAD_LOWEST), 0x8u);
  EXPECT_EQ(pattern(XLASHAPE_TYPE_S4, XLASHAPE_PAD_HIGHEST), 0x7u);
  EXPECT_EQ(pattern(XLASHAPE_TYPE_S2, XLASHAPE_PAD_LOWEST), 0x2u);
  EXPECT_EQ(pattern(XLASHAPE_TYPE_U2, XLASHAPE_PAD_HIGHEST), 0x3u);
  EXPECT_EQ(pattern(XLASHAPE_TYPE_S1, XLASHAPE_PAD_LOWEST), 1u);
  EXPECT_EQ(pattern(XLASHAPE_TYPE_S1, XLASHAPE_PAD_ONE), 1u);
  for (int type = 1; type <= kLast; ++type)
    for (const int value : {XLASHAPE_PAD_INVALID, XLASHAPE_PAD_ZERO, XLASHAPE_PAD_UNKNOWN})
      EXPECT_TRUE(!is_array_type(type) || pattern(type, value) == 0);
}

TEST(ElementType, ComplexPadding) {
  uint8_t bytes[16], part[16];
  ASSERT_EQ(padding_element(XLASHAPE_TYPE_C64, XLASHAPE_PAD_ONE, bytes), 8);
  padding_element(XLASHAPE_TYPE_F32, XLASHAPE_PAD_ONE, part);
  EXPECT_EQ(std::memcmp(bytes, part, 4), 0);
  EXPECT_EQ(bytes[4] | bytes[5] | bytes[6] | bytes[7], 0);
  ASSERT_EQ(padding_element(XLASHAPE_TYPE_C128, XLASHAPE_PAD_LOWEST, bytes), 16);
  padding_element(XLASHAPE_TYPE_F64, XLASHAPE_PAD_LOWEST, part);
  EXPECT_EQ(std::memcmp(bytes, part, 8), 0);
  EXPECT_EQ(std::memcmp(bytes + 8, part, 8), 0);
  EXPECT_EQ(padding_element(XLASHAPE_TYPE_TOKEN, XLASHAPE_PAD_ZERO, bytes), 0);
  EXPECT_EQ(padding_element(XLASHAPE_TYPE_F32, 6, bytes), 0);
  EXPECT_EQ(padding_element(XLASHAPE_TYPE_F32, -1, bytes), 0);
}

}  // namespace
}  // namespace xlashape::core
