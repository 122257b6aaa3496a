/* SPDX-License-Identifier: Apache-2.0 */
// 128-bit arithmetic: the compiler's __int128 where it has one, else two 64-bit words. No other file uses either.
#pragma once
#include <bit>
#include <compare>
#include <concepts>
#include <cstdint>

namespace xlashape::ir {

// An unsigned 128-bit number without compiler support, with only the operations that are used. In memory its words are
// in the processor's byte order.
class TwoWords {
 public:
  TwoWords() = default;
  template <std::integral T>
  constexpr TwoWords(T value) : TwoWords(value < T{} ? ~uint64_t{0} : 0, static_cast<uint64_t>(value)) {}
  constexpr TwoWords(uint64_t high, uint64_t low) : word_{kBig ? high : low, kBig ? low : high} {}

  constexpr uint64_t high() const { return word_[kBig ? 0 : 1]; }
  constexpr uint64_t low() const { return word_[kBig ? 1 : 0]; }
  template <std::integral T>
  constexpr explicit operator T() const {
    return static_cast<T>(low());
  }
  constexpr explicit operator bool() const { return (high() | low()) != 0; }

  // The full product of two words, computed from their halves.
  static constexpr TwoWords product(uint64_t a, uint64_t b) {
    constexpr uint64_t kHalf = 0xFFFFFFFF;
    const uint64_t low = (a & kHalf) * (b & kHalf);
    const uint64_t first = (a >> 32) * (b & kHalf) + (low >> 32);
    const uint64_t second = (a & kHalf) * (b >> 32) + (first & kHalf);
    return {(a >> 32) * (b >> 32) + (first >> 32) + (second >> 32), second << 32 | (low & kHalf)};
  }
  // The quotient by d, which must be greater than the upper word, so that the quotient fits one word.
  constexpr uint64_t over(uint64_t d) const {
    uint64_t rest = high(), quotient = low();
    for (int i = 0; i < 64; ++i) {
      const bool carry = (rest >> 63) != 0;
      rest = rest << 1 | quotient >> 63;
      quotient <<= 1;
      if (!carry && rest < d) continue;
      rest -= d;
      quotient |= 1;
    }
    return quotient;
  }

  friend constexpr TwoWords operator+(TwoWords a, TwoWords b) {
    const uint64_t low = a.low() + b.low();
    return {a.high() + b.high() + (low < a.low()), low};
  }
  friend constexpr TwoWords operator-(TwoWords a, TwoWords b) {
    return {a.high() - b.high() - (a.low() < b.low()), a.low() - b.low()};
  }
  friend constexpr TwoWords operator&(TwoWords a, TwoWords b) { return {a.high() & b.high(), a.low() & b.low()}; }
  friend constexpr TwoWords operator|(TwoWords a, TwoWords b) { return {a.high() | b.high(), a.low() | b.low()}; }
  friend constexpr TwoWords operator~(TwoWords a) { return {~a.high(), ~a.low()}; }
  friend constexpr TwoWords operator<<(TwoWords a, int bits) {  // 0 <= bits < 128
    if (bits >= 64) return {a.low() << (bits - 64), 0};
    return bits == 0 ? a : TwoWords(a.high() << bits | a.low() >> (64 - bits), a.low() << bits);
  }
  friend constexpr TwoWords operator>>(TwoWords a, int bits) {
    if (bits >= 64) return {0, a.high() >> (bits - 64)};
    return bits == 0 ? a : TwoWords(a.high() >> bits, a.high() << (64 - bits) | a.low() >> bits);
  }
  constexpr TwoWords& operator+=(TwoWords b) { return *this = *this + b; }
  constexpr TwoWords& operator&=(TwoWords b) { return *this = *this & b; }
  constexpr TwoWords& operator|=(TwoWords b) { return *this = *this | b; }
  friend constexpr bool operator==(TwoWords a, TwoWords b) { return a.high() == b.high() && a.low() == b.low(); }
  friend constexpr auto operator<=>(TwoWords a, TwoWords b) {
    return a.high() != b.high() ? a.high() <=> b.high() : a.low() <=> b.low();
  }

 private:
  static constexpr bool kBig = std::endian::native == std::endian::big;
  uint64_t word_[2];
};

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 UInt128;
inline UInt128 product(uint64_t a, uint64_t b) { return static_cast<UInt128>(a) * b; }
// For x / d < 2^64.
inline uint64_t quotient(UInt128 x, uint64_t d) { return static_cast<uint64_t>(x / d); }
#else
using UInt128 = TwoWords;
inline UInt128 product(uint64_t a, uint64_t b) { return TwoWords::product(a, b); }
inline uint64_t quotient(UInt128 x, uint64_t d) { return x.over(d); }
#endif

inline uint64_t high_word(UInt128 x) { return static_cast<uint64_t>(x >> 64); }
inline uint64_t low_word(UInt128 x) { return static_cast<uint64_t>(x); }
inline uint64_t mul_high(uint64_t a, uint64_t b) { return high_word(product(a, b)); }

// Where part `part` of `count` begins in [0, size), for 0 <= part <= count and count > 0: size * part / count.
inline int64_t part_begin(int64_t size, int64_t part, int64_t count) {
  if (part == 0 || part == count) return part == 0 ? 0 : size;
  return static_cast<int64_t>(
      quotient(product(static_cast<uint64_t>(size), static_cast<uint64_t>(part)), static_cast<uint64_t>(count)));
}

// The byte that holds the first bit of a position, where each position takes `bits` bits. Positions may be negative;
// the result must fit.
inline int64_t byte_of(int64_t position, int64_t bits) { return (position >> 3) * bits + ((position & 7) * bits >> 3); }

}  // namespace xlashape::ir
