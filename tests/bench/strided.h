/* SPDX-License-Identifier: Apache-2.0 */
// A relayout as strided copies, which is the form that other libraries can be asked for: tiles become more dimensions,
// and ragged edges become copies of their own.
#pragma once
#include <optional>
#include <vector>

#include "case.h"

namespace bench {

struct Loop {
  int64_t extent, src, dst;  // strides in elements
};

struct Rectangle {
  int64_t src = 0, dst = 0;  // where it begins, in elements
  std::vector<Loop> loops;   // falling destination strides; what can be merged is; no loop of one
};

struct Strided {
  int width;  // bytes per element
  std::vector<Rectangle> rectangles;
};

// Nothing where the dimensions do not lie independently of each other, or elements are packed or converted.
std::optional<Strided> strided_form(const Case& c);

}  // namespace bench
