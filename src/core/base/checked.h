// Arithmetic on int64 that says when it overflows. Depends on nothing.
#pragma once
#include <cstdint>

#include "waist/int128.h"

namespace xlashape {

// Each returns false, and leaves *out unspecified, when the exact result does not fit.
[[nodiscard]] inline bool checked_mul(int64_t a, int64_t b, int64_t* out) { return !__builtin_mul_overflow(a, b, out); }
[[nodiscard]] inline bool checked_add(int64_t a, int64_t b, int64_t* out) { return !__builtin_add_overflow(a, b, out); }
[[nodiscard]] inline bool checked_sub(int64_t a, int64_t b, int64_t* out) { return !__builtin_sub_overflow(a, b, out); }

inline uint64_t magnitude(int64_t a) { return a < 0 ? -static_cast<uint64_t>(a) : static_cast<uint64_t>(a); }

// ceil(a / b) for a >= 0, b > 0; never overflows. A division is dear, and by 1 is what most layouts ask for.
inline int64_t ceil_div(int64_t a, int64_t b) { return b == 1 ? a : a / b + (a % b != 0); }

// a rounded up to a multiple of b.
[[nodiscard]] inline bool checked_round_up(int64_t a, int64_t b, int64_t* out) {
  return checked_mul(ceil_div(a, b), b, out);
}

// ceil(count * bits / 8) for count >= 0, bits > 0, whenever the result itself fits.
[[nodiscard]] inline bool checked_bytes(int64_t count, int64_t bits, int64_t* out) {
  const auto wide = static_cast<UInt128>(count) * static_cast<uint64_t>(bits);
  const auto bytes = (wide + 7) / 8;
  *out = static_cast<int64_t>(bytes);
  return bytes <= static_cast<UInt128>(INT64_MAX);
}

}  // namespace xlashape
