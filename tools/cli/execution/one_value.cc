// SPDX-License-Identifier: Apache-2.0
#include "one_value.h"

#include <algorithm>

namespace xlashape::cli {
namespace {

// An array of one element, in a container as wide as that of `shape`; of whole bytes where it is given by strides.
Shape one_of(const Shape& shape, bool strided) {
  const ElementType type = shape.element_type();
  LayoutSpec spec;
  spec.minor_to_major = {0};
  if (const int64_t bits = container_bits(shape); !strided && bits != storage_bits(type))
    spec.element_size_in_bits = bits;
  return Shape::array(type, {1}, Layout::create(spec));
}

}  // namespace

OneValue::OneValue(const Runtime& runtime, const Request& request)
    : runtime_(runtime), whole_(request), plans_(std::max<size_t>(request.scale.size(), 1)) {
  one_.src = one_of(request.src, !request.src_byte_strides.empty());
  one_.dst = one_of(request.dst, !request.dst_byte_strides.empty());
  one_.flags = request.flags & (XLASHAPE_PLAN_CONVERT | XLASHAPE_PLAN_SATURATE);
  one_.backend = "scalar";
}

void OneValue::convert(const uint8_t (&from)[16], uint8_t (&to)[16], int64_t channel) {
  const auto c = static_cast<size_t>(channel);
  if (!plans_[c]) {
    if (!whole_.scale.empty()) one_.scale = {whole_.scale[c]};
    if (!whole_.zero_point.empty()) one_.zero_point = {whole_.zero_point[c]};
    plans_[c] = make_plan(runtime_, one_);
  }
  plans_[c].execute_at(from, to);
}

}  // namespace xlashape::cli
