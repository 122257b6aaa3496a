// The digits of physical dimensions while tiles are applied.
#pragma once
#include <span>

#include "base/arena.h"

namespace xlashape::core {

// One digit of an index: index[dimension] / divisor % extent. `open`: the most major one of its dimension, whose last
// tile may be partial.
struct PartDigit {
  int32_t dimension;
  int64_t divisor;
  int64_t extent;
  bool open;
};

// Most major first.
using PartDigits = std::span<const PartDigit>;

// Splits the digits of physical dimensions that are merged into those above and below `tile`, if the cut falls between
// digits or divides one of them. False otherwise. `outer_bound` is the size of what is above. The results live in the arena.
bool split_digits(std::span<const PartDigits> merged, int64_t tile, int64_t outer_bound, Arena& arena,
                  PartDigits* outer, PartDigits* inner);

}  // namespace xlashape::core
