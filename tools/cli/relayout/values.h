/* SPDX-License-Identifier: Apache-2.0 */
// What `relayout` is asked to do with values: conversions, scales, the order of bits.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/execution/execution.h"

namespace xlashape::cli {

// The options about values, with the files that they name read.
class Values {
 public:
  explicit Values(const ValueOptions& options);

  // Completes the request of a relayout, whose shapes are set, of `source`: converts where the element types differ.
  void complete(Request* request, const Array& source) const;

 private:
  void scale(Request* request) const;

  const ValueOptions& options_;
  std::vector<float> scale_;
  std::vector<int32_t> zero_point_;
};

// Tells people what no description of OUT says, where elements start in the highest bits.
void warn_of_bits(const std::string& out, const Request& request);

}  // namespace xlashape::cli
