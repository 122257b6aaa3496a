// SPDX-License-Identifier: Apache-2.0
#include "flip.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/base/failure.h"

namespace xlashape::cli {

void flip(const std::vector<int64_t>& dimensions, const Items& items, Request* request) {
  if (dimensions.empty()) return;
  const Shape& src = request->src;
  const int64_t rank = src.rank() - (items.widened ? 1 : 0);
  const Result<Integers> strides = src.try_strides(Unit::kElements);
  if (!strides) fail_data("--flip: {}: {}; move it to row first", src.to_string(), strides.error().message());
  request->src_element_strides = *strides;
  std::vector<bool> flipped(static_cast<size_t>(src.rank()));
  for (const int64_t dimension : dimensions) {
    const int64_t number = dimension < 0 ? dimension + rank : dimension;
    if (number < 0 || number >= rank) fail_usage("--flip: there is no dimension {}, the array has {}", dimension, rank);
    const auto d = static_cast<size_t>(number);
    if (flipped[d]) fail_usage("--flip: dimension {} is named twice", number);
    flipped[d] = true;
    int64_t& stride = request->src_element_strides[d];
    request->src_first_element += std::max<int64_t>(src.dimensions()[d] - 1, 0) * stride;
    stride = -stride;
  }
  if (request->scale.size() > 1 && flipped[static_cast<size_t>(request->scale_dimension)]) {
    std::reverse(request->scale.begin(), request->scale.end());
    std::reverse(request->zero_point.begin(), request->zero_point.end());
  }
}

}  // namespace xlashape::cli
