/* SPDX-License-Identifier: Apache-2.0 */
// Where containers of at most a byte are within the bytes of memory.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

namespace xlashape::simd {

struct Containers {
  int bits;
  int log_per_byte;

  explicit Containers(int width) : bits(width), log_per_byte(3 - std::countr_zero(static_cast<unsigned>(width))) {}
  int64_t per_byte() const { return int64_t{1} << log_per_byte; }
  int64_t byte(int64_t at) const { return at >> log_per_byte; }
  int64_t bytes(int64_t count) const { return (count + per_byte() - 1) >> log_per_byte; }
  int bit(int64_t at) const { return static_cast<int>(at & (per_byte() - 1)) * bits; }
  // How many of the `count` elements from `at` on are before the first whole byte.
  int64_t head(int64_t at, int64_t count) const { return std::min(count, -at & (per_byte() - 1)); }
  // How many are after the last whole byte, if `head` are before the first.
  int64_t tail(int64_t count, int64_t head) const { return (count - head) & (per_byte() - 1); }

  int load(const char* base, int64_t at) const {
    return (static_cast<unsigned char>(base[byte(at)]) >> bit(at)) & ((1 << bits) - 1);
  }
  // `value` has no bits beyond the container (why that matters: common/element.h).
  void store(char* base, int64_t at, int value) const {
    const int mask = ((1 << bits) - 1) << bit(at);
    auto& into = reinterpret_cast<unsigned char&>(base[byte(at)]);
    into = static_cast<unsigned char>((into & ~mask) | (value << bit(at)));
  }
};

}  // namespace xlashape::simd
