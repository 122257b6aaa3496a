// SPDX-License-Identifier: Apache-2.0
#include "shape/element_type.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace xlashape::core {
namespace {

constexpr uint32_t kArray = XLASHAPE_CLASS_ARRAY;
constexpr uint32_t kFloat = kArray | XLASHAPE_CLASS_FLOAT;
constexpr uint32_t kF8 = kFloat | XLASHAPE_CLASS_F8;
constexpr uint32_t kF6 = kFloat | XLASHAPE_CLASS_F6;
constexpr uint32_t kMX = XLASHAPE_CLASS_MX;
constexpr uint32_t kSub = XLASHAPE_CLASS_SUB_BYTE;
constexpr uint32_t kS = kArray | XLASHAPE_CLASS_INTEGRAL | XLASHAPE_CLASS_SIGNED;
constexpr uint32_t kU = kArray | XLASHAPE_CLASS_INTEGRAL | XLASHAPE_CLASS_UNSIGNED;
constexpr uint32_t kComplex = kArray | XLASHAPE_CLASS_COMPLEX;

constexpr FloatSpecials kIeee = {true, true, true, true};
constexpr FloatSpecials kFn = {false, true, true, true};
constexpr FloatSpecials kFinite = {false, false, true, true};  // what "fn" stands for below 8 bits
constexpr FloatSpecials kFnuz = {false, true, false, true};
constexpr FloatSpecials kFnu = {false, true, false, false};

// Indexed by XLA's number. The 6-bit floats are 8 bits wide in XLA, hence not sub-byte.
// DLDataTypeCode: int 0, uint 1, float 2, bfloat 4, complex 5, bool 6, then one code for each small float.
constexpr ElementTypeInfo kTable[] = {
    {""},
    {"pred", 1, kArray, 1, {6, 8}, "bool", "b1", "i1"},
    {"s8", 8, kS, 2, {0, 8}, "int8", "i1", "i8"},
    {"s16", 16, kS, 3, {0, 16}, "int16", "i2", "i16"},
    {"s32", 32, kS, 4, {0, 32}, "int32", "i4", "i32"},
    {"s64", 64, kS, 5, {0, 64}, "int64", "i8", "i64"},
    {"u8", 8, kU, 6, {1, 8}, "uint8", "u1", "ui8"},
    {"u16", 16, kU, 7, {1, 16}, "uint16", "u2", "ui16"},
    {"u32", 32, kU, 8, {1, 32}, "uint32", "u4", "ui32"},
    {"u64", 64, kU, 9, {1, 64}, "uint64", "u8", "ui64"},
    {"f16", 16, kFloat, 10, {2, 16}, "float16", "f2", "f16", {11, 5, 15, kIeee}},
    {"f32", 32, kFloat, 11, {2, 32}, "float32", "f4", "f32", {24, 8, 127, kIeee}},
    {"f64", 64, kFloat, 12, {2, 64}, "float64", "f8", "f64", {53, 11, 1023, kIeee}},
    {"tuple"},
    {"opaque"},
    {"c64", 64, kComplex, 14, {5, 64}, "complex64", "c8", "complex<f32>", {}, XLASHAPE_TYPE_F32},
    {"bf16", 16, kFloat, 13, {4, 16}, "bfloat16", "", "bf16", {8, 8, 127, kIeee}},
    {"token", 0, 0, 23},
    {"c128", 128, kComplex, 15, {5, 128}, "complex128", "c16", "complex<f64>", {}, XLASHAPE_TYPE_F64},
    {"f8e5m2", 8, kF8, 16, {12, 8}, "float8_e5m2", "", "f8E5M2", {3, 5, 15, kIeee}},
    {"f8e4m3fn", 8, kF8, 17, {10, 8}, "float8_e4m3fn", "", "f8E4M3FN", {4, 4, 7, kFn}},
    {"s4", 4, kS | kSub, 21, {0, 4}, "int4", "", "i4"},
    {"u4", 4, kU | kSub, 22, {1, 4}, "uint4", "", "ui4"},
    {"f8e4m3b11fnuz", 8, kF8, 18, {9, 8}, "float8_e4m3b11fnuz", "", "f8E4M3B11FNUZ", {4, 4, 11, kFnuz}},
    {"f8e5m2fnuz", 8, kF8, 19, {13, 8}, "float8_e5m2fnuz", "", "f8E5M2FNUZ", {3, 5, 16, kFnuz}},
    {"f8e4m3fnuz", 8, kF8, 20, {11, 8}, "float8_e4m3fnuz", "", "f8E4M3FNUZ", {4, 4, 8, kFnuz}},
    {"s2", 2, kS | kSub, 24, {0, 2}, "int2", "", "i2"},
    {"u2", 2, kU | kSub, 25, {1, 2}, "uint2", "", "ui2"},
    {"f8e4m3", 8, kF8, 26, {8, 8}, "float8_e4m3", "", "f8E4M3", {4, 4, 7, kIeee}},
    {"f8e3m4", 8, kF8, 27, {7, 8}, "float8_e3m4", "", "f8E3M4", {5, 3, 3, kIeee}},
    {"s1", 1, kS | kSub, 30, {0, 1}, "int1", "", ""},  // i1 is pred
    {"u1", 1, kU | kSub, 31, {1, 1}, "uint1", "", "ui1"},
    {"f4e2m1fn", 4, kFloat | kSub | kMX, 29, {17, 4}, "float4_e2m1fn", "", "f4E2M1FN", {2, 2, 1, kFinite}},
    {"f8e8m0fnu", 8, kF8 | kMX, 28, {14, 8}, "float8_e8m0fnu", "", "f8E8M0FNU", {1, 8, 127, kFnu}},
    {"buffer"},
    {"f6e3m2fn", 8, kF6, 33, {16, 6}, "float6_e3m2fn", "", "f6E3M2FN", {3, 3, 3, kFinite}},
    {"f6e2m3fn", 8, kF6, 32, {15, 6}, "float6_e2m3fn", "", "f6E2M3FN", {4, 2, 1, kFinite}},
};
constexpr int kTypes = static_cast<int>(std::size(kTable));

constexpr bool has_format(const ElementTypeInfo& type) {
  return ((type.classes & XLASHAPE_CLASS_FLOAT) != 0) == (type.format.significand_width != 0);
}
constexpr bool has_component(const ElementTypeInfo& type) {
  const ElementTypeInfo& part = kTable[type.component];
  if ((type.classes & XLASHAPE_CLASS_COMPLEX) == 0) return part.bits == 0;
  return (part.classes & XLASHAPE_CLASS_FLOAT) != 0 && part.bits * 2 == type.bits;
}
constexpr bool all_are(bool (*is_right)(const ElementTypeInfo&)) {
  return std::all_of(std::begin(kTable), std::end(kTable), is_right);
}
static_assert(all_are(has_format), "a float without a format");
static_assert(all_are(has_component), "a complex type whose parts are not floats of half its bits");

void store(uint64_t value, int bytes, uint8_t* out) {
  for (int i = 0; i < bytes; ++i) out[i] = static_cast<uint8_t>(value >> (8 * i));
}

}  // namespace

const ElementTypeInfo& element_type_info(xlashape_element_type type) noexcept {
  return kTable[type > 0 && type < kTypes ? type : 0];
}

std::span<const ElementTypeInfo> element_types() noexcept { return kTable; }

xlashape_element_type element_type_from_name(std::string_view name) noexcept {
  return find_element_type([&](const ElementTypeInfo& info) { return name == info.text; });
}

xlashape_element_type complex_component(xlashape_element_type type) noexcept {
  return element_type_info(type).component;
}

xlashape_element_type complex_of(xlashape_element_type type) noexcept {
  if (type == XLASHAPE_TYPE_INVALID) return XLASHAPE_TYPE_INVALID;
  return find_element_type([&](const ElementTypeInfo& info) { return info.component == type; });
}

xlashape_element_type integral_of(int32_t bits, bool is_signed) noexcept {
  const uint32_t wanted =
      XLASHAPE_CLASS_INTEGRAL | (is_signed ? XLASHAPE_CLASS_SIGNED : XLASHAPE_CLASS_UNSIGNED) | kArray;
  return find_element_type(
      [&](const ElementTypeInfo& info) { return info.bits == bits && (info.classes & wanted) == wanted; });
}

// NOLINTNEXTLINE(misc-no-recursion): of a complex number once, for its parts
int padding_element(xlashape_element_type type, xlashape_padding_value value, uint8_t (&bytes)[16]) noexcept {
  std::memset(bytes, 0, sizeof bytes);
  const ElementTypeInfo& info = element_type_info(type);
  if ((info.classes & kArray) == 0 || value < XLASHAPE_PAD_INVALID || value > XLASHAPE_PAD_UNKNOWN) return 0;
  const int width = info.storage_bits / 8;
  if (value == XLASHAPE_PAD_INVALID || value == XLASHAPE_PAD_ZERO || value == XLASHAPE_PAD_UNKNOWN) return width;

  if (info.classes & XLASHAPE_CLASS_COMPLEX) {
    uint8_t part[16];
    const int half = padding_element(info.component, value, part);
    std::memcpy(bytes, part, half);
    if (value != XLASHAPE_PAD_ONE) std::memcpy(bytes + half, part, half);
    return width;
  }
  if (info.classes & XLASHAPE_CLASS_FLOAT) {
    const FloatFormat& format = info.format;
    store(value == XLASHAPE_PAD_ONE      ? format.one()
          : value == XLASHAPE_PAD_LOWEST ? format.lowest()
                                         : format.highest(),
          width, bytes);
    return width;
  }
  const int bits = info.bits;  // pred counts as a one-bit unsigned number
  const uint64_t ones = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  const bool is_signed = (info.classes & XLASHAPE_CLASS_SIGNED) != 0;
  const uint64_t lowest = is_signed ? ones - (ones >> 1) : 0;
  const uint64_t highest = is_signed ? ones >> 1 : ones;
  // s1 holds 0 and -1 only: its ONE is the bit pattern 1.
  store(value == XLASHAPE_PAD_ONE ? 1 : value == XLASHAPE_PAD_LOWEST ? lowest : highest, width, bytes);
  return width;
}

}  // namespace xlashape::core
