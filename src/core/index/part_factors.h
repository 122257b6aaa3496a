/* SPDX-License-Identifier: Apache-2.0 */
// The factors of physical dimensions while tiles are applied.
#pragma once
#include <span>

#include "base/arena.h"

namespace xlashape::core {

// A factor whose digit of an index is index[dimension] / divisor % extent. `open`: the most major one of its dimension,
// whose last tile may be partial.
struct PartFactor {
  int32_t dimension;
  int64_t divisor;
  int64_t extent;
  bool open;
};

// Most major first.
using PartFactors = std::span<const PartFactor>;

// Splits the factors of physical dimensions that are merged into those above and below `tile`, if the cut falls between
// factors or divides one of them. False otherwise. `outer_bound` is the size of what is above. The results live in the
// arena.
bool split_factors(std::span<const PartFactors> merged, int64_t tile, int64_t outer_bound, Arena& arena,
                   PartFactors* outer, PartFactors* inner);

}  // namespace xlashape::core
