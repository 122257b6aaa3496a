/* SPDX-License-Identifier: Apache-2.0 */
// XLA's element types (xla_data.proto, xla/primitive_util.h): all that is known of each, also by other projects.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "shape/float_format.h"
#include "xlashape.h"

namespace xlashape::core {

struct DlpackType {
  uint8_t code, bits;
  bool operator==(const DlpackType&) const = default;
};

struct ElementTypeInfo {
  char text[14];            // its name
  int16_t bits = 0;         // BitWidth; 0 for a type that is not an array type
  uint32_t classes = 0;     // XLASHAPE_CLASS_*
  uint8_t pjrt = 0;         // PJRT_Buffer_Type's number, or 0
  DlpackType dlpack = {};   // bits 0: it has none
  char numpy[19] = "";      // the name that NumPy or ml_dtypes gives it
  char typestr[4] = "";     // of NumPy's array interface, behind the byte order; "" for a type of ml_dtypes
  char mlir[14] = "";       // its name in MLIR, or ""
  FloatFormat format = {};  // of a float
  uint8_t component = 0;    // the type of a complex number's parts
  int16_t storage_bits = static_cast<int16_t>((bits + 7) / 8 * 8);  // 8 x ByteWidth

  const char* name() const { return text[0] != 0 ? text : nullptr; }  // null: no such type
};

// The entry of `type`; for a number that is no type, an entry without a name.
const ElementTypeInfo& element_type_info(xlashape_element_type type) noexcept;
// The entries of all types, by their numbers.
std::span<const ElementTypeInfo> element_types() noexcept;

// The first type for whose entry `is` holds, or XLASHAPE_TYPE_INVALID.
template <typename Is>
xlashape_element_type find_element_type(const Is& is) {
  const std::span<const ElementTypeInfo> types = element_types();
  for (size_t type = 1; type < types.size(); ++type)
    if (is(types[type])) return static_cast<xlashape_element_type>(type);
  return XLASHAPE_TYPE_INVALID;
}

inline bool is_array_type(xlashape_element_type type) {
  return (element_type_info(type).classes & XLASHAPE_CLASS_ARRAY) != 0;
}

// The type that XLA calls `name`, or XLASHAPE_TYPE_INVALID.
xlashape_element_type element_type_from_name(std::string_view name) noexcept;

// c64 <-> f32, c128 <-> f64, and the integral type of `bits` bits; XLASHAPE_TYPE_INVALID where there is none.
xlashape_element_type complex_component(xlashape_element_type type) noexcept;
xlashape_element_type complex_of(xlashape_element_type type) noexcept;
xlashape_element_type integral_of(int32_t bits, bool is_signed) noexcept;

// One padding element in natural storage, little-endian; returns its bytes (0: not an array type, or no such value).
int padding_element(xlashape_element_type type, xlashape_padding_value value, uint8_t (&bytes)[16]) noexcept;

}  // namespace xlashape::core
