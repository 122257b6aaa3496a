/* SPDX-License-Identifier: Apache-2.0 */
// int64 arithmetic that reports overflow. Depends on src/ir alone.
#pragma once
#include <cstdint>

#include "ir/compiler.h"
#include "ir/int128.h"

namespace xlashape::core {

// Each returns false, and leaves *out unspecified, when the exact result does not fit.
[[nodiscard]] inline bool checked_mul(int64_t a, int64_t b, int64_t* out) { return !ir::mul_overflows(a, b, out); }
[[nodiscard]] inline bool checked_add(int64_t a, int64_t b, int64_t* out) { return !ir::add_overflows(a, b, out); }
[[nodiscard]] inline bool checked_sub(int64_t a, int64_t b, int64_t* out) { return !ir::sub_overflows(a, b, out); }

inline uint64_t magnitude(int64_t a) { return a < 0 ? -static_cast<uint64_t>(a) : static_cast<uint64_t>(a); }

// ceil(a / b) for a >= 0, b > 0; never overflows. Most layouts divide by 1, which needs no slow division.
inline int64_t ceil_div(int64_t a, int64_t b) { return b == 1 ? a : a / b + (a % b != 0); }

// a rounded up to a multiple of b.
[[nodiscard]] inline bool checked_round_up(int64_t a, int64_t b, int64_t* out) {
  return checked_mul(ceil_div(a, b), b, out);
}

// ceil(count * bits / 8) for count >= 0, bits > 0, whenever the result itself fits.
[[nodiscard]] inline bool checked_bytes(int64_t count, int64_t bits, int64_t* out) {
  const ir::UInt128 wide = ir::product(static_cast<uint64_t>(count), static_cast<uint64_t>(bits)) + 7;
  *out = static_cast<int64_t>(ir::low_word(wide >> 3));
  return ir::high_word(wide) < 4;  // 2^63 bytes are 2^66 bits
}

}  // namespace xlashape::core
