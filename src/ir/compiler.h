/* SPDX-License-Identifier: Apache-2.0 */
// Compilers' builtins and nonstandard attributes, which no other file uses. Those of GCC and Clang are tested, those of
// MSVC are not.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ir/int128.h"

#if defined(__GNUC__) || defined(__clang__)
#define XLASHAPE_NOINLINE [[gnu::noinline]]
#define XLASHAPE_ALWAYS_INLINE [[gnu::always_inline]] inline
#define XLASHAPE_COLD [[gnu::cold]]
// Memory on the stack until the function returns, at a multiple of 64. Only in a function that is not inlined.
#define XLASHAPE_ON_STACK(bytes) static_cast<char*>(__builtin_alloca_with_align(static_cast<std::size_t>(bytes), 512))
// Parameter number `text` is a printf format, and number `first` the first that it formats. A method's object counts.
#define XLASHAPE_PRINTF(text, first) [[gnu::format(printf, text, first)]]
#elif defined(_MSC_VER)
#include <intrin.h>

#include <atomic>
#define XLASHAPE_NOINLINE __declspec(noinline)
#define XLASHAPE_ALWAYS_INLINE __forceinline
#define XLASHAPE_COLD
#define XLASHAPE_ON_STACK(bytes) \
  (reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(_alloca((bytes) + 64)) + 63) / 64 * 64))
#define XLASHAPE_PRINTF(text, first)
#else
#include <atomic>
#define XLASHAPE_NOINLINE
#define XLASHAPE_ALWAYS_INLINE inline
#define XLASHAPE_COLD
#define XLASHAPE_PRINTF(text, first)
#endif

namespace xlashape::ir {

// The same functions without builtins.
namespace portable {

[[nodiscard]] constexpr bool add_overflows(int64_t a, int64_t b, int64_t* out) {
  *out = static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  return b < 0 ? *out >= a : *out < a;
}
[[nodiscard]] constexpr bool sub_overflows(int64_t a, int64_t b, int64_t* out) {
  *out = static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  return b < 0 ? *out <= a : *out > a;
}
[[nodiscard]] constexpr bool mul_overflows(int64_t a, int64_t b, int64_t* out) {
  const auto size = [](int64_t x) { return x < 0 ? 0 - static_cast<uint64_t>(x) : static_cast<uint64_t>(x); };
  const bool negative = (a < 0) != (b < 0);
  const TwoWords wide = TwoWords::product(size(a), size(b));
  *out = static_cast<int64_t>(negative ? 0 - wide.low() : wide.low());
  return wide > TwoWords(static_cast<uint64_t>(INT64_MAX) + negative);
}

}  // namespace portable

// std::bit_cast, which the library of some compilers lacks.
template <class To, class From>
[[nodiscard]] inline To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// Each returns true, and leaves *out unspecified, when the exact result does not fit.
#if defined(__GNUC__) || defined(__clang__)
[[nodiscard]] inline bool add_overflows(int64_t a, int64_t b, int64_t* out) {
  return __builtin_add_overflow(a, b, out);
}
[[nodiscard]] inline bool sub_overflows(int64_t a, int64_t b, int64_t* out) {
  return __builtin_sub_overflow(a, b, out);
}
[[nodiscard]] inline bool mul_overflows(int64_t a, int64_t b, int64_t* out) {
  return __builtin_mul_overflow(a, b, out);
}
#else
using portable::add_overflows, portable::mul_overflows, portable::sub_overflows;
#endif

// Prefetches the cache line of `p`, for reading or for writing. kNear: 3 for the nearest cache, 2 for the next level.
template <int kNear>
XLASHAPE_ALWAYS_INLINE void prefetch([[maybe_unused]] const void* p) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(p, 0, kNear);
#elif defined(_M_X64) || defined(_M_IX86)
  _mm_prefetch(static_cast<const char*>(p), kNear == 3 ? _MM_HINT_T0 : _MM_HINT_T1);
#endif
}
template <int kNear>
XLASHAPE_ALWAYS_INLINE void prefetch_to_write([[maybe_unused]] const void* p) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(p, 1, kNear);
#elif defined(_M_X64) || defined(_M_IX86)
  _mm_prefetch(static_cast<const char*>(p), kNear == 3 ? _MM_HINT_T0 : _MM_HINT_T1);
#endif
}

// Copies by rep movsb, where the processor has that.
#if defined(__x86_64__) || defined(_M_X64)
inline constexpr bool kHasStringCopy = true;
#else
inline constexpr bool kHasStringCopy = false;
#endif
XLASHAPE_ALWAYS_INLINE void copy_string(char* to, const char* from, std::size_t bytes) {
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
#elif defined(_M_X64)
  __movsb(reinterpret_cast<unsigned char*>(to), reinterpret_cast<const unsigned char*>(from), bytes);
#else
  std::memcpy(to, from, bytes);
#endif
}

// Reads a caller's flag that another thread may set: what that thread wrote before is then seen. (libc++ has no
// std::atomic_ref before its version 19.)
XLASHAPE_ALWAYS_INLINE int32_t load_flag(const int32_t* flag) {
#if defined(__GNUC__) || defined(__clang__)
  return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
#else
  return std::atomic_ref<int32_t>(*const_cast<int32_t*>(flag)).load(std::memory_order_acquire);
#endif
}

// Gives the bits of `mask` in a byte the values in `bits`, which has no others. Meanwhile other threads may do the same
// with other bits; those of the mask are this thread's alone, so that it need not change them at once. (By one
// exclusive or memcheck would take a byte for uninitialised of which all bits are written, but not together.)
inline void set_bits(unsigned char* byte, int mask, int bits) {
#if defined(__GNUC__) || defined(__clang__)
#if __GCC_ATOMIC_CHAR_LOCK_FREE == 2
  __atomic_fetch_and(byte, static_cast<unsigned char>(~mask), __ATOMIC_RELAXED);
  __atomic_fetch_or(byte, static_cast<unsigned char>(bits), __ATOMIC_RELAXED);
#else  // riscv64: by the word, which is within the same page
  using Word [[gnu::may_alias]] = uint32_t;
  const auto at = reinterpret_cast<uintptr_t>(byte) & 3;
  auto* const word = reinterpret_cast<Word*>(byte - at);
  __atomic_fetch_and(word, ~(static_cast<Word>(mask) << (8 * at)), __ATOMIC_RELAXED);
  __atomic_fetch_or(word, static_cast<Word>(bits) << (8 * at), __ATOMIC_RELAXED);
#endif
#else
  _InterlockedAnd8(reinterpret_cast<char*>(byte), static_cast<char>(~mask));
  _InterlockedOr8(reinterpret_cast<char*>(byte), static_cast<char>(bits));
#endif
}

// Reads a byte whose other bits another thread may set meanwhile.
XLASHAPE_ALWAYS_INLINE unsigned char load_byte(const unsigned char* byte) {
#if defined(__GNUC__) || defined(__clang__)
  return __atomic_load_n(byte, __ATOMIC_RELAXED);
#else
  return *static_cast<const volatile unsigned char*>(byte);
#endif
}

}  // namespace xlashape::ir
