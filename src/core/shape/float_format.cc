// SPDX-License-Identifier: Apache-2.0
#include "shape/float_format.h"

#include "shape/element_type.h"

namespace xlashape::core {
namespace {

bool float_holds_float(const FloatFormat& to, const FloatFormat& from) {
  return from.significand_width <= to.significand_width && from.exponent_width <= to.exponent_width &&
         from.has.infinity <= to.has.infinity && from.has.nan <= to.has.nan &&
         from.has.negative_zero <= to.has.negative_zero && from.has.positive_zero <= to.has.positive_zero &&
         // The smallest subnormal and the largest number, which both depend on the bias.
         from.underflow_exponent() - from.significand_width >= to.underflow_exponent() - to.significand_width &&
         from.overflow_exponent() <= to.overflow_exponent();
}

}  // namespace

const FloatFormat* float_format(xlashape_element_type type) noexcept {
  const FloatFormat& format = element_type_info(type).format;
  return format.significand_width != 0 ? &format : nullptr;
}

// NOLINTNEXTLINE(misc-no-recursion): of a complex number once, for its parts
bool cast_preserves_values(xlashape_element_type from, xlashape_element_type to) noexcept {
  if (!is_array_type(from) || !is_array_type(to)) return false;
  if (from == to) return true;
  const FloatFormat *float_from = float_format(from), *float_to = float_format(to);
  if (float_to != nullptr && !float_to->has.positive_zero) return false;
  if (from == XLASHAPE_TYPE_PRED) return true;
  if (to == XLASHAPE_TYPE_PRED) return false;
  if (const xlashape_element_type part = complex_component(to)) {
    const xlashape_element_type part_of_from = complex_component(from);
    return cast_preserves_values(part_of_from != XLASHAPE_TYPE_INVALID ? part_of_from : from, part);
  }
  if (float_from != nullptr && float_to != nullptr) return float_holds_float(*float_to, *float_from);
  const ElementTypeInfo &info_from = element_type_info(from), &info_to = element_type_info(to);
  if ((info_from.classes & XLASHAPE_CLASS_INTEGRAL) == 0) return false;  // fractions, imaginary parts
  const bool is_signed = (info_from.classes & XLASHAPE_CLASS_SIGNED) != 0;
  const int digits = info_from.bits - is_signed;
  // The lowest signed number takes no more digits than the highest, but one more exponent.
  if (float_to != nullptr)
    return digits <= float_to->significand_width && info_from.bits - 1 < float_to->overflow_exponent();
  const bool to_signed = (info_to.classes & XLASHAPE_CLASS_SIGNED) != 0;
  return (to_signed || !is_signed) && digits <= info_to.bits - to_signed;
}

}  // namespace xlashape::core
