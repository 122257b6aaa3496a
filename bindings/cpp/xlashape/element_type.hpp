// SPDX-License-Identifier: Apache-2.0
// Element types, and the C++ types of their elements.
#ifndef XLASHAPE_ELEMENT_TYPE_HPP_
#define XLASHAPE_ELEMENT_TYPE_HPP_

#include <complex>
#include <cstddef>

#include "handle.hpp"

namespace xlashape {

// PrimitiveType of xla_data.proto.
enum class ElementType : std::int32_t {
  // members: TYPE_(\w+) as k{Name} = {C},
  kInvalid = XLASHAPE_TYPE_INVALID,
  kPred = XLASHAPE_TYPE_PRED,
  kS1 = XLASHAPE_TYPE_S1,
  kS2 = XLASHAPE_TYPE_S2,
  kS4 = XLASHAPE_TYPE_S4,
  kS8 = XLASHAPE_TYPE_S8,
  kS16 = XLASHAPE_TYPE_S16,
  kS32 = XLASHAPE_TYPE_S32,
  kS64 = XLASHAPE_TYPE_S64,
  kU1 = XLASHAPE_TYPE_U1,
  kU2 = XLASHAPE_TYPE_U2,
  kU4 = XLASHAPE_TYPE_U4,
  kU8 = XLASHAPE_TYPE_U8,
  kU16 = XLASHAPE_TYPE_U16,
  kU32 = XLASHAPE_TYPE_U32,
  kU64 = XLASHAPE_TYPE_U64,
  kF4E2M1FN = XLASHAPE_TYPE_F4E2M1FN,
  kF6E3M2FN = XLASHAPE_TYPE_F6E3M2FN,
  kF6E2M3FN = XLASHAPE_TYPE_F6E2M3FN,
  kF8E3M4 = XLASHAPE_TYPE_F8E3M4,
  kF8E4M3 = XLASHAPE_TYPE_F8E4M3,
  kF8E4M3FN = XLASHAPE_TYPE_F8E4M3FN,
  kF8E4M3B11FNUZ = XLASHAPE_TYPE_F8E4M3B11FNUZ,
  kF8E4M3FNUZ = XLASHAPE_TYPE_F8E4M3FNUZ,
  kF8E5M2 = XLASHAPE_TYPE_F8E5M2,
  kF8E5M2FNUZ = XLASHAPE_TYPE_F8E5M2FNUZ,
  kF8E8M0FNU = XLASHAPE_TYPE_F8E8M0FNU,
  kF16 = XLASHAPE_TYPE_F16,
  kBF16 = XLASHAPE_TYPE_BF16,
  kF32 = XLASHAPE_TYPE_F32,
  kF64 = XLASHAPE_TYPE_F64,
  kC64 = XLASHAPE_TYPE_C64,
  kC128 = XLASHAPE_TYPE_C128,
  kTuple = XLASHAPE_TYPE_TUPLE,
  kOpaque = XLASHAPE_TYPE_OPAQUE,
  kToken = XLASHAPE_TYPE_TOKEN,
  kBuffer = XLASHAPE_TYPE_BUFFER,
  // end of members
};

enum class PaddingValue : std::int32_t {
  // members: PAD_(\w+) as k{Name} = {C},
  kInvalid = XLASHAPE_PAD_INVALID,  // none set: zeros
  kZero = XLASHAPE_PAD_ZERO,
  kOne = XLASHAPE_PAD_ONE,
  kLowest = XLASHAPE_PAD_LOWEST,
  kHighest = XLASHAPE_PAD_HIGHEST,
  kUnknown = XLASHAPE_PAD_UNKNOWN,  // anything
  // end of members
};

// "bf16"; "" for a number without a type.
inline std::string_view name(ElementType type) noexcept {
  const char* text = xlashape_element_type_name(static_cast<std::int32_t>(type));
  return text == nullptr ? std::string_view() : text;
}

inline Result<ElementType> try_element_type(std::string_view name) {
  const auto number = detail::number<std::int32_t>(xlashape_element_type_from_name, name.data(), detail::length(name));
  if (!number) return number.error();
  return static_cast<ElementType>(*number);
}
XLASHAPE_THROWS inline ElementType element_type(std::string_view name) { return try_element_type(name).value(); }

// Bits of a value (pred 1, s4 4), and its bits in memory unless the layout sets them; 0 if it is not an array type.
inline std::int32_t bits(ElementType type) noexcept {
  return xlashape_element_type_bits(static_cast<std::int32_t>(type));
}
inline std::int32_t storage_bits(ElementType type) noexcept {
  return xlashape_element_type_storage_bits(static_cast<std::int32_t>(type));
}
// Any of XLASHAPE_CLASS_*.
inline std::uint32_t classes(ElementType type) noexcept {
  return xlashape_element_type_classes(static_cast<std::int32_t>(type));
}

// Like xlashape_float_format, with the same fields; kUnsupported if it is not a floating-point type.
using FloatFormat = xlashape_float_format;
inline Result<FloatFormat> try_float_format(ElementType type) {
  Result<FloatFormat> result;
  auto format = XLASHAPE_INIT(FloatFormat);
  if (xlashape_element_type_float_format(static_cast<std::int32_t>(type), &format, result.record()) ==
      XLASHAPE_STATUS_OK)
    result.emplace(format);
  return result;
}
// Whether each value of `from` is a value of `to`.
inline bool cast_preserves_values(ElementType from, ElementType to) noexcept {
  return xlashape_element_type_cast_preserves_values(static_cast<std::int32_t>(from), static_cast<std::int32_t>(to)) !=
         0;
}

// One padding element in its natural storage, little-endian.
inline Result<std::vector<std::uint8_t>> try_padding_element(ElementType type, PaddingValue value) {
  return detail::list<std::uint8_t>(xlashape_padding_element, static_cast<std::int32_t>(type),
                                    static_cast<std::int32_t>(value));
}
XLASHAPE_THROWS inline std::vector<std::uint8_t> padding_element(ElementType type, PaddingValue value) {
  return try_padding_element(type, value).value();
}

// The element type of a C++ type. Specialise it for a program's bfloat16 and similar types; kInvalid: not known, so
// that only the width is checked.
template <class T>
inline constexpr ElementType kElementTypeOf = ElementType::kInvalid;
template <>
inline constexpr ElementType kElementTypeOf<bool> = ElementType::kPred;
template <>
inline constexpr ElementType kElementTypeOf<float> = ElementType::kF32;
template <>
inline constexpr ElementType kElementTypeOf<double> = ElementType::kF64;
template <>
inline constexpr ElementType kElementTypeOf<std::complex<float>> = ElementType::kC64;
template <>
inline constexpr ElementType kElementTypeOf<std::complex<double>> = ElementType::kC128;
template <>
inline constexpr ElementType kElementTypeOf<std::int16_t> = ElementType::kS16;
template <>
inline constexpr ElementType kElementTypeOf<std::int32_t> = ElementType::kS32;
template <>
inline constexpr ElementType kElementTypeOf<std::int64_t> = ElementType::kS64;

namespace detail {

// Whether memory of Ts may hold elements of `type` with these storage bits: bytes and unsigned integers of the same
// width always may.
template <class T>
bool holds(ElementType type, std::int32_t bits) noexcept {
  if constexpr (sizeof(T) == 1 && !std::is_same_v<T, bool>) {
    return true;
  } else if constexpr (kElementTypeOf<T> != ElementType::kInvalid) {
    return type == kElementTypeOf<T>;
  } else {
    return bits == static_cast<std::int32_t>(8 * sizeof(T));
  }
}

}  // namespace detail

}  // namespace xlashape

#endif  // XLASHAPE_ELEMENT_TYPE_HPP_
