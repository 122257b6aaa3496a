/* SPDX-License-Identifier: Apache-2.0 */
// Division by a number that is known in advance, without a division instruction. Used on both sides of the IR.
#pragma once
#include <bit>
#include <cstdint>

#include "ir/int128.h"

namespace xlashape::ir {

struct Reciprocal {
  uint64_t magic;
  int32_t shift;
};

// For d >= 1. With l = ceil(log2 d) and m = ceil(2^(63+l) / d): m*d = 2^(63+l) + e with 0 <= e < d <= 2^l, so for
// x < 2^63 x*m / 2^(63+l) = x/d + x*e / (d * 2^(63+l)), and the last term is < 1/d: the floor is exact. m < 2^64 since
// d > 2^(l-1).
inline Reciprocal reciprocal(int64_t d) {
  const auto u = static_cast<uint64_t>(d);
  const int l = static_cast<int>(std::bit_width(u - 1));
  if ((u & (u - 1)) == 0) return {uint64_t{1} << 63, l};
  const UInt128 power = static_cast<UInt128>(1) << (63 + l);
  return {quotient(power - 1, u) + 1, l};
}

// x / d for 0 <= x < 2^63.
inline int64_t divide(int64_t x, uint64_t magic, int32_t shift) {
  return static_cast<int64_t>(mul_high(static_cast<uint64_t>(x) << 1, magic) >> shift);
}

}  // namespace xlashape::ir
