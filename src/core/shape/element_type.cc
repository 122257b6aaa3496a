// SPDX-License-Identifier: Apache-2.0
#include "shape/element_type.h"

#include <cstring>

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

// Indexed by wire number. The 6-bit floats are 8 bits wide in XLA, hence not sub-byte.
constexpr ElementTypeInfo kTable[] = {
    {"", 0, 0, 0},
    {"pred", 1, 8, kArray},
    {"s8", 8, 8, kS},
    {"s16", 16, 16, kS},
    {"s32", 32, 32, kS},
    {"s64", 64, 64, kS},
    {"u8", 8, 8, kU},
    {"u16", 16, 16, kU},
    {"u32", 32, 32, kU},
    {"u64", 64, 64, kU},
    {"f16", 16, 16, kFloat},
    {"f32", 32, 32, kFloat},
    {"f64", 64, 64, kFloat},
    {"tuple", 0, 0, 0},
    {"opaque", 0, 0, 0},
    {"c64", 64, 64, kComplex},
    {"bf16", 16, 16, kFloat},
    {"token", 0, 0, 0},
    {"c128", 128, 128, kComplex},
    {"f8e5m2", 8, 8, kF8},
    {"f8e4m3fn", 8, 8, kF8},
    {"s4", 4, 8, kS | kSub},
    {"u4", 4, 8, kU | kSub},
    {"f8e4m3b11fnuz", 8, 8, kF8},
    {"f8e5m2fnuz", 8, 8, kF8},
    {"f8e4m3fnuz", 8, 8, kF8},
    {"s2", 2, 8, kS | kSub},
    {"u2", 2, 8, kU | kSub},
    {"f8e4m3", 8, 8, kF8},
    {"f8e3m4", 8, 8, kF8},
    {"s1", 1, 8, kS | kSub},
    {"u1", 1, 8, kU | kSub},
    {"f4e2m1fn", 4, 8, kFloat | kSub | kMX},
    {"f8e8m0fnu", 8, 8, kF8 | kMX},
    {"buffer", 0, 0, 0},
    {"f6e3m2fn", 8, 8, kF6},
    {"f6e2m3fn", 8, 8, kF6},
};
constexpr int kTypes = static_cast<int>(sizeof kTable / sizeof kTable[0]);

// Encodings of 1, the lowest and the highest value of each float type. -inf / +inf where the type has them, else the
// largest finite magnitude; f8e8m0fnu is unsigned and has no zero: its lowest is 2^-127 (00), its highest 2^127 (fe).
struct FloatFacts {
  int type;
  uint64_t one, lowest, highest;
};
constexpr FloatFacts kFloats[] = {
    {XLASHAPE_TYPE_F16, 0x3C00, 0xFC00, 0x7C00},
    {XLASHAPE_TYPE_BF16, 0x3F80, 0xFF80, 0x7F80},
    {XLASHAPE_TYPE_F32, 0x3F800000, 0xFF800000, 0x7F800000},
    {XLASHAPE_TYPE_F64, 0x3FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000},
    {XLASHAPE_TYPE_F8E5M2, 0x3C, 0xFC, 0x7C},
    {XLASHAPE_TYPE_F8E4M3, 0x38, 0xF8, 0x78},
    {XLASHAPE_TYPE_F8E3M4, 0x30, 0xF0, 0x70},
    {XLASHAPE_TYPE_F8E4M3FN, 0x38, 0xFE, 0x7E},
    {XLASHAPE_TYPE_F8E4M3B11FNUZ, 0x58, 0xFF, 0x7F},
    {XLASHAPE_TYPE_F8E5M2FNUZ, 0x40, 0xFF, 0x7F},
    {XLASHAPE_TYPE_F8E4M3FNUZ, 0x40, 0xFF, 0x7F},
    {XLASHAPE_TYPE_F4E2M1FN, 0x2, 0xF, 0x7},
    {XLASHAPE_TYPE_F6E3M2FN, 0x0C, 0x3F, 0x1F},
    {XLASHAPE_TYPE_F6E2M3FN, 0x08, 0x3F, 0x1F},
    {XLASHAPE_TYPE_F8E8M0FNU, 0x7F, 0x00, 0xFE},
};

constexpr bool has_facts(int type) {
  for (const FloatFacts& facts : kFloats)
    if (facts.type == type) return true;
  return false;
}
constexpr bool all_floats_have_facts() {
  for (int type = 0; type < kTypes; ++type)
    if ((kTable[type].classes & XLASHAPE_CLASS_FLOAT) != 0 && !has_facts(type)) return false;
  return true;
}
static_assert(all_floats_have_facts(), "a float without a row in kFloats");

void store(uint64_t value, int bytes, uint8_t* out) {
  for (int i = 0; i < bytes; ++i) out[i] = static_cast<uint8_t>(value >> (8 * i));
}

}  // namespace

const ElementTypeInfo& element_type_info(xlashape_element_type type) noexcept {
  return kTable[type > 0 && type < kTypes ? type : 0];
}

xlashape_element_type element_type_from_name(std::string_view name) noexcept {
  for (int type = 1; type < kTypes; ++type)
    if (name == kTable[type].text) return type;
  return XLASHAPE_TYPE_INVALID;
}

xlashape_element_type complex_component(xlashape_element_type type) noexcept {
  return type == XLASHAPE_TYPE_C64    ? XLASHAPE_TYPE_F32
         : type == XLASHAPE_TYPE_C128 ? XLASHAPE_TYPE_F64
                                      : XLASHAPE_TYPE_INVALID;
}

xlashape_element_type complex_of(xlashape_element_type type) noexcept {
  return type == XLASHAPE_TYPE_F32   ? XLASHAPE_TYPE_C64
         : type == XLASHAPE_TYPE_F64 ? XLASHAPE_TYPE_C128
                                     : XLASHAPE_TYPE_INVALID;
}

xlashape_element_type integral_of(int32_t bits, bool is_signed) noexcept {
  const uint32_t wanted =
      XLASHAPE_CLASS_INTEGRAL | (is_signed ? XLASHAPE_CLASS_SIGNED : XLASHAPE_CLASS_UNSIGNED) | kArray;
  for (int type = 1; type < kTypes; ++type)
    if (kTable[type].bits == bits && (kTable[type].classes & wanted) == wanted) return type;
  return XLASHAPE_TYPE_INVALID;
}

int padding_element(xlashape_element_type type, xlashape_padding_value value, uint8_t (&bytes)[16]) noexcept {
  std::memset(bytes, 0, sizeof bytes);
  const ElementTypeInfo& info = element_type_info(type);
  if ((info.classes & kArray) == 0 || value < XLASHAPE_PAD_INVALID || value > XLASHAPE_PAD_UNKNOWN) return 0;
  const int width = info.storage_bits / 8;
  if (value == XLASHAPE_PAD_INVALID || value == XLASHAPE_PAD_ZERO || value == XLASHAPE_PAD_UNKNOWN) return width;

  if (info.classes & XLASHAPE_CLASS_COMPLEX) {
    uint8_t part[16];
    const int half = padding_element(type == XLASHAPE_TYPE_C64 ? XLASHAPE_TYPE_F32 : XLASHAPE_TYPE_F64, value, part);
    std::memcpy(bytes, part, half);
    if (value != XLASHAPE_PAD_ONE) std::memcpy(bytes + half, part, half);
    return width;
  }
  if (info.classes & XLASHAPE_CLASS_FLOAT) {
    for (const FloatFacts& facts : kFloats)
      if (facts.type == type)
        store(value == XLASHAPE_PAD_ONE      ? facts.one
              : value == XLASHAPE_PAD_LOWEST ? facts.lowest
                                             : facts.highest,
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
