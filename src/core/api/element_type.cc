// SPDX-License-Identifier: Apache-2.0
// Entry points: Element types.
#include "shape/element_type.h"

#include "api/answer.h"
#include "base/struct_io.h"
#include "shape/float_format.h"

using namespace xlashape::core;

extern "C" {

const char* xlashape_element_type_name(xlashape_element_type type) { return element_type_info(type).name(); }

xlashape_status xlashape_element_type_from_name(const char* name, int64_t name_len, xlashape_element_type* type,
                                                xlashape_error* err) {
  XLASHAPE_TRY(check_text(name, "name", name_len, err));
  XLASHAPE_TRY(require(type, "type", err));
  const std::string_view text = view(name, name_len);
  const xlashape_element_type found = element_type_from_name(text);
  if (found == XLASHAPE_TYPE_INVALID)
    return fail(err, XLASHAPE_STATUS_NOT_FOUND, "no element type is called '%s'", Quoted(text).c_str());
  *type = found;
  return XLASHAPE_STATUS_OK;
}

int32_t xlashape_element_type_bits(xlashape_element_type type) { return element_type_info(type).bits; }

int32_t xlashape_element_type_storage_bits(xlashape_element_type type) { return element_type_info(type).storage_bits; }

uint32_t xlashape_element_type_classes(xlashape_element_type type) { return element_type_info(type).classes; }

xlashape_status xlashape_element_type_float_format(xlashape_element_type type, xlashape_float_format* format,
                                                   xlashape_error* err) {
  XLASHAPE_TRY(check_out_struct(format, "format", err));
  const FloatFormat* known = float_format(type);
  if (known == nullptr)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "element type %d (%s) is no floating-point type", type,
                element_type_info(type).name() ? element_type_info(type).name() : "unknown");
  write_struct(format, xlashape_float_format{sizeof(xlashape_float_format), known->significand_width,
                                             known->exponent_width, known->exponent_bias, known->underflow_exponent(),
                                             known->overflow_exponent(), known->has.infinity, known->has.nan,
                                             known->has.negative_zero, known->has.positive_zero});
  return XLASHAPE_STATUS_OK;
}

int32_t xlashape_element_type_cast_preserves_values(xlashape_element_type from, xlashape_element_type to) {
  return cast_preserves_values(from, to);
}

xlashape_status xlashape_padding_element(xlashape_element_type type, xlashape_padding_value value, uint8_t* bytes,
                                         int64_t capacity, int64_t* needed, xlashape_error* err) {
  if (value < XLASHAPE_PAD_INVALID || value > XLASHAPE_PAD_UNKNOWN)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "value is %d, it must be 0 to 5", value);
  uint8_t element[16];
  const int width = padding_element(type, value, element);
  if (width == 0)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "element type %d (%s) is not one of an array", type,
                element_type_info(type).name() ? element_type_info(type).name() : "unknown");
  return answer<uint8_t>({element, static_cast<size_t>(width)}, bytes, capacity, needed, err, "bytes");
}

}  // extern "C"
