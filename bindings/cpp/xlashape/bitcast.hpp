// SPDX-License-Identifier: Apache-2.0
// Decomposes a bitcast: one memory that is viewed as two arrays.
#ifndef XLASHAPE_BITCAST_HPP_
#define XLASHAPE_BITCAST_HPP_

#include <xlashape_xla.h>

#include "shape.hpp"

namespace xlashape {

enum class BitcastKind : std::int32_t {
  // members: BITCAST_KIND_(\w+) as k{Name} = {C},
  kReshape = XLASHAPE_BITCAST_KIND_RESHAPE,
  kTranspose = XLASHAPE_BITCAST_KIND_TRANSPOSE,
  kTrt = XLASHAPE_BITCAST_KIND_TRT,  // transpose, reshape, transpose
  // end of members
};

// The first array transposed by transpose1 is reshape_from, that reshaped is reshape_to, and that transposed by
// transpose2 is the second array. No step moves anything; all are set whatever the kind is.
struct BitcastSteps {
  BitcastKind kind = BitcastKind::kReshape;
  std::vector<std::int64_t> transpose1;
  Shape reshape_from, reshape_to;
  std::vector<std::int64_t> transpose2;
};

// kNotFound if there is no decomposition; flags: XLASHAPE_BITCAST_*, both of them for XLA's own answer.
inline Result<BitcastSteps> try_decompose_bitcast(const Shape& a, const Shape& b, std::uint32_t flags = 0) {
  Result<BitcastSteps> result;
  BitcastSteps steps;
  steps.transpose1.resize(static_cast<std::size_t>(a.rank()));
  steps.transpose2.resize(static_cast<std::size_t>(b.rank()));
  auto raw = XLASHAPE_INIT(xlashape_bitcast_steps);
  raw.transpose1 = steps.transpose1.data();
  raw.transpose1_capacity = a.rank();
  raw.transpose2 = steps.transpose2.data();
  raw.transpose2_capacity = b.rank();
  if (xlashape_shape_decompose_bitcast(a.get(), b.get(), flags, &raw, result.record()) == XLASHAPE_STATUS_OK) {
    steps.kind = static_cast<BitcastKind>(raw.kind);
    steps.reshape_from = Shape(raw.reshape_from);
    steps.reshape_to = Shape(raw.reshape_to);
    result.emplace(std::move(steps));
  }
  return result;
}
XLASHAPE_THROWS inline BitcastSteps decompose_bitcast(const Shape& a, const Shape& b, std::uint32_t flags = 0) {
  return try_decompose_bitcast(a, b, flags).value();
}

}  // namespace xlashape

#endif  // XLASHAPE_BITCAST_HPP_
