// SPDX-License-Identifier: Apache-2.0
#include "shape/float_format.h"

#include "shape/element_type.h"

namespace xlashape::core {
namespace {

// FN: no infinity. UZ: no negative zero. U: no sign and no zero.
constexpr FloatFormat kFormats[] = {
    {XLASHAPE_TYPE_F16, 11, 5, 15, 16, true, true, true, true},
    {XLASHAPE_TYPE_BF16, 8, 8, 127, 128, true, true, true, true},
    {XLASHAPE_TYPE_F32, 24, 8, 127, 128, true, true, true, true},
    {XLASHAPE_TYPE_F64, 53, 11, 1023, 1024, true, true, true, true},
    {XLASHAPE_TYPE_F8E5M2, 3, 5, 15, 16, true, true, true, true},
    {XLASHAPE_TYPE_F8E4M3, 4, 4, 7, 8, true, true, true, true},
    {XLASHAPE_TYPE_F8E3M4, 5, 3, 3, 4, true, true, true, true},
    {XLASHAPE_TYPE_F8E4M3FN, 4, 4, 7, 9, false, true, true, true},
    {XLASHAPE_TYPE_F8E4M3B11FNUZ, 4, 4, 11, 5, false, true, false, true},
    {XLASHAPE_TYPE_F8E5M2FNUZ, 3, 5, 16, 16, false, true, false, true},
    {XLASHAPE_TYPE_F8E4M3FNUZ, 4, 4, 8, 8, false, true, false, true},
    {XLASHAPE_TYPE_F4E2M1FN, 2, 2, 1, 3, false, false, true, true},
    {XLASHAPE_TYPE_F6E3M2FN, 3, 3, 3, 5, false, false, true, true},
    {XLASHAPE_TYPE_F6E2M3FN, 4, 2, 1, 3, false, false, true, true},
    {XLASHAPE_TYPE_F8E8M0FNU, 1, 8, 127, 128, false, true, false, false},
};

bool float_holds_float(const FloatFormat& to, const FloatFormat& from) {
  return from.significand_width <= to.significand_width && from.exponent_width <= to.exponent_width &&
         from.has_infinity <= to.has_infinity && from.has_nan <= to.has_nan &&
         from.has_negative_zero <= to.has_negative_zero && from.has_positive_zero <= to.has_positive_zero &&
         // The smallest subnormal and the largest number, which both depend on the bias.
         from.underflow_exponent() - from.significand_width >= to.underflow_exponent() - to.significand_width &&
         from.overflow_exponent <= to.overflow_exponent;
}

}  // namespace

const FloatFormat* float_format(xlashape_element_type type) noexcept {
  for (const FloatFormat& format : kFormats)
    if (format.type == type) return &format;
  return nullptr;
}

bool cast_preserves_values(xlashape_element_type from, xlashape_element_type to) noexcept {
  if (!is_array_type(from) || !is_array_type(to)) return false;
  if (from == to) return true;
  if (to == XLASHAPE_TYPE_F8E8M0FNU) return false;  // it alone has no zero
  if (from == XLASHAPE_TYPE_PRED) return true;
  if (to == XLASHAPE_TYPE_PRED) return false;
  if (const xlashape_element_type part = complex_component(to)) {
    const xlashape_element_type part_of_from = complex_component(from);
    return cast_preserves_values(part_of_from != XLASHAPE_TYPE_INVALID ? part_of_from : from, part);
  }
  const FloatFormat *float_from = float_format(from), *float_to = float_format(to);
  if (float_from != nullptr && float_to != nullptr) return float_holds_float(*float_to, *float_from);
  const ElementTypeInfo &info_from = element_type_info(from), &info_to = element_type_info(to);
  if ((info_from.classes & XLASHAPE_CLASS_INTEGRAL) == 0) return false;  // fractions, imaginary parts
  const bool is_signed = (info_from.classes & XLASHAPE_CLASS_SIGNED) != 0;
  const int digits = info_from.bits - is_signed;
  // The lowest signed number takes no more digits than the highest, but one more exponent.
  if (float_to != nullptr)
    return digits <= float_to->significand_width && info_from.bits - 1 < float_to->overflow_exponent;
  const bool to_signed = (info_to.classes & XLASHAPE_CLASS_SIGNED) != 0;
  return (to_signed || !is_signed) && digits <= info_to.bits - to_signed;
}

}  // namespace xlashape::core
