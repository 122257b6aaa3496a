/* SPDX-License-Identifier: Apache-2.0 */
// What becomes of one value where a relayout converts: by the scalar backend, one element at a time, apart from loops,
// tiles and indices.
#pragma once
#include <vector>

#include "execution.h"

namespace xlashape::cli {

class OneValue {
 public:
  // For a request with XLASHAPE_PLAN_CONVERT.
  OneValue(const Runtime& runtime, const Request& request);

  // A container of the source to one of the destination, each in the low bits of its bytes. `channel`: the source's
  // index in scale_dimension, where that has a scale each.
  void convert(const uint8_t (&from)[16], uint8_t (&to)[16], int64_t channel);

 private:
  Runtime runtime_;
  Request whole_, one_;
  std::vector<Plan> plans_;  // one for each scale, made when it is first needed
};

}  // namespace xlashape::cli
