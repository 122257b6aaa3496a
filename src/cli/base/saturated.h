// Sums and products of sizes that stop at the largest int64_t, where overflow would wrap.
#pragma once
#include <cstdint>
#include <limits>

namespace xlashape::cli {

inline int64_t sum(int64_t a, int64_t b) {
  int64_t out = 0;
  return __builtin_add_overflow(a, b, &out) ? std::numeric_limits<int64_t>::max() : out;
}

inline int64_t product(int64_t a, int64_t b) {
  int64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? std::numeric_limits<int64_t>::max() : out;
}

}  // namespace xlashape::cli
