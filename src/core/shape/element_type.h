/* SPDX-License-Identifier: Apache-2.0 */
// XLA's element types: the table of names, widths and classes (xla_data.proto, xla/primitive_util.h).
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "xlashape.h"

namespace xlashape::core {

struct ElementTypeInfo {
  char text[16];         // its name
  int16_t bits;          // BitWidth; 0 for a type that is not an array type
  int16_t storage_bits;  // 8 x ByteWidth
  uint32_t classes;      // XLASHAPE_CLASS_*

  const char* name() const { return text[0] != 0 ? text : nullptr; }  // null: no such type
};

// The entry of `type`; for a number that is no type, an entry without a name.
const ElementTypeInfo& element_type_info(xlashape_element_type type) noexcept;

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
