// SPDX-License-Identifier: Apache-2.0
#include "plan/values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shape/element_type.h"

namespace xlashape::core {
namespace {

bool is_float(const xlashape_number& n) { return n.kind == XLASHAPE_NUMBER_FLOAT; }
bool is_integer(const xlashape_number& n) {
  return n.kind == XLASHAPE_NUMBER_SIGNED || n.kind == XLASHAPE_NUMBER_UNSIGNED;
}

// False for a type whose values are not single numbers.
bool number_of(xlashape_element_type type, int32_t container_bits, xlashape_number* number) {
  const ElementTypeInfo& info = element_type_info(type);
  *number = {};
  number->type = type;
  number->bits = info.bits;
  if (type == XLASHAPE_TYPE_PRED) {
    number->kind = XLASHAPE_NUMBER_BOOL;
    number->bits = std::min(container_bits, 8);
  } else if (info.classes & XLASHAPE_CLASS_INTEGRAL) {
    number->kind = (info.classes & XLASHAPE_CLASS_SIGNED) ? XLASHAPE_NUMBER_SIGNED : XLASHAPE_NUMBER_UNSIGNED;
  } else if (const FloatFormat* format = float_format(type)) {
    number->kind = XLASHAPE_NUMBER_FLOAT;
    number->fraction_bits = format->significand_width - 1;
    // Not the type's width: those of 6 bits take a byte.
    number->bits = number->fraction_bits + format->exponent_width + (format->has.positive_zero ? 1 : 0);
    number->exponent_bias = format->exponent_bias;
    number->specials = (format->has.infinity ? XLASHAPE_FLOAT_INFINITY : 0) |
                       (format->has.nan ? XLASHAPE_FLOAT_NAN : 0) |
                       (format->has.negative_zero ? XLASHAPE_FLOAT_NEGATIVE_ZERO : 0) |
                       (format->has.positive_zero ? XLASHAPE_FLOAT_ZERO : 0);
  }
  return number->kind != 0;
}

class ValueBuilder {
 public:
  ValueBuilder(const RelayoutRequest& request, const xlashape_relayout_ir& ir, Error* err)
      : request_(request.values), src_(*request.src.array), dst_(*request.dst.array), ir_(ir), err_(err) {}

  Status run(Arena& arena, xlashape_value_ir** values) {
    XLASHAPE_TRY(
        set_order("source", src_, ir_.src_container_bits, request_.src_high_first, XLASHAPE_VALUES_SRC_HIGH_FIRST));
    XLASHAPE_TRY(set_order("destination", dst_, ir_.dst_container_bits, request_.dst_high_first,
                           XLASHAPE_VALUES_DST_HIGH_FIRST));
    XLASHAPE_TRY(set_conversion());
    XLASHAPE_TRY(set_scale(arena));
    *values = nullptr;
    if (step_.flags == 0) return XLASHAPE_STATUS_OK;
    step_.struct_size = sizeof step_;
    *values = arena.make<xlashape_value_ir>(1);
    **values = step_;
    return XLASHAPE_STATUS_OK;
  }

 private:
  Status set_order(const char* side, const Shape& array, int32_t bits, bool high_first, uint32_t flag) {
    if (!high_first) return XLASHAPE_STATUS_OK;
    if (bits >= 8)
      return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT,
                  "the %s keeps each %s in %d bits: elements start in the highest bits of a byte only where several "
                  "share one, as with E(%d) in the layout",
                  side, element_type_info(array.element_type).name(), bits,
                  element_type_info(array.element_type).bits < 8 ? element_type_info(array.element_type).bits : 4);
    step_.flags |= flag;
    return XLASHAPE_STATUS_OK;
  }

  Status set_conversion() {
    if (!request_.convert) {
      if (request_.saturate)
        return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT,
                    "the relayout is to saturate values that it does not convert");
      return XLASHAPE_STATUS_OK;
    }
    const bool same = src_.element_type == dst_.element_type;
    if (same && request_.scale_count == 0) return XLASHAPE_STATUS_OK;
    for (const auto& [array, bits, number] :
         {Converted{src_, ir_.src_container_bits, step_.src}, Converted{dst_, ir_.dst_container_bits, step_.dst}})
      if (!number_of(array.element_type, bits, &number))
        return fail(err_, XLASHAPE_STATUS_UNSUPPORTED,
                    "values of %s are not converted into %s: only pred, integers and floats are",
                    element_type_info(src_.element_type).name(), element_type_info(dst_.element_type).name());
    step_.flags |= XLASHAPE_VALUES_CONVERT | (request_.saturate ? XLASHAPE_VALUES_SATURATE : 0);
    return XLASHAPE_STATUS_OK;
  }

  struct Converted {
    const Shape& array;
    int32_t bits;
    xlashape_number& number;
  };

  Status set_scale(Arena& arena) {
    const int64_t count = request_.scale_count;
    if (count == 0) {
      // A dimension of no indices has no scales.
      const int64_t d = request_.scale_dimension;
      const bool is_empty = d >= 0 && d < src_.rank() && src_.dimensions[static_cast<size_t>(d)] == 0;
      if ((request_.scale != nullptr || request_.zero_point != nullptr) && !is_empty)
        return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT,
                    "a scale or a zero point is given with scale_count 0: it must be 1, or the size of a dimension");
      return XLASHAPE_STATUS_OK;
    }
    if (!request_.convert)
      return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT, "scales are given to a relayout that converts no values");
    XLASHAPE_TRY(check_scale_count(count));
    XLASHAPE_TRY(set_direction());
    for (int64_t i = 0; i < count; ++i) {
      const float scale = request_.scale[i];
      if (!std::isfinite(scale) || (scale == 0 && (step_.flags & XLASHAPE_VALUES_QUANTIZE) != 0))
        return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT, "scale[%lld] is %g: %s", ll(i), static_cast<double>(scale),
                    scale == 0 ? "reals are divided by it" : "a scale is finite");
    }
    const bool floats = is_float(step_.src) && is_float(step_.dst);
    for (int64_t i = 0; request_.zero_point != nullptr && i < count && floats; ++i)
      if (request_.zero_point[i] != 0)
        return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT, "zero_point[%lld] is %d: between floats it must be 0",
                    ll(i), request_.zero_point[i]);
    const auto room = static_cast<size_t>(count);
    step_.scale_count = static_cast<int32_t>(count);
    step_.scale = arena.copy(request_.scale, room);
    step_.zero_point =
        request_.zero_point != nullptr ? arena.copy(request_.zero_point, room) : arena.zeroed<int32_t>(room);
    step_.scale_dimension = count > 1 ? static_cast<int32_t>(request_.scale_dimension) : 0;
    return XLASHAPE_STATUS_OK;
  }

  Status check_scale_count(int64_t count) {
    if (count < 0 || count > std::numeric_limits<int32_t>::max())
      return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT, "scale_count is %lld, it must be 0 to 2147483647", ll(count));
    if (request_.scale == nullptr)
      return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT, "scale_count is %lld and scale is NULL", ll(count));
    if (count == 1) return XLASHAPE_STATUS_OK;
    const int64_t d = request_.scale_dimension;
    if (d < 0 || d >= src_.rank())
      return fail(err_, XLASHAPE_STATUS_OUT_OF_RANGE, "scale_dimension is %lld, the source has rank %lld", ll(d),
                  ll(src_.rank()));
    const int64_t size = src_.dimensions[static_cast<size_t>(d)];
    if (size != count)
      return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT,
                  "scale_count is %lld: it must be 1, or %lld, the source's size in dimension %lld", ll(count),
                  ll(size), ll(d));
    return XLASHAPE_STATUS_OK;
  }

  // The integer stands for the float, or the narrower float for the wider one.
  Status set_direction() {
    const xlashape_number &src = step_.src, &dst = step_.dst;
    const bool quantizes = is_float(src) && (is_integer(dst) || (is_float(dst) && dst.bits < src.bits));
    const bool dequantizes = is_float(dst) && (is_integer(src) || (is_float(src) && src.bits < dst.bits));
    const xlashape_number& quantized = quantizes ? dst : src;
    if (!quantizes && !dequantizes)
      return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT,
                  "scales are given between %s and %s: of two types one is an integer and the other a float, or the "
                  "wider of two floats",
                  element_type_info(src_.element_type).name(), element_type_info(dst_.element_type).name());
    if (is_integer(quantized) && quantized.bits > 32)
      return fail(err_, XLASHAPE_STATUS_UNSUPPORTED, "quantized values of %s: integers of at most 32 bits have scales",
                  element_type_info(quantized.type).name());
    step_.flags |= quantizes ? XLASHAPE_VALUES_QUANTIZE : XLASHAPE_VALUES_DEQUANTIZE;
    return XLASHAPE_STATUS_OK;
  }

  const ValueRequest& request_;
  const Shape& src_;
  const Shape& dst_;
  const xlashape_relayout_ir& ir_;
  Error* err_;
  xlashape_value_ir step_{};
};

}  // namespace

Status build_values(const RelayoutRequest& request, const xlashape_relayout_ir& ir, xlashape_value_ir** values,
                    Arena& arena, Error* err) {
  const ValueRequest& v = request.values;
  *values = nullptr;
  if (!v.convert && !v.saturate && !v.src_high_first && !v.dst_high_first && v.scale_count == 0 && v.scale == nullptr &&
      v.zero_point == nullptr) [[likely]]
    return XLASHAPE_STATUS_OK;
  return ValueBuilder(request, ir, err).run(arena, values);
}

}  // namespace xlashape::core
