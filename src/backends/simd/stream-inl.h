/* SPDX-License-Identifier: Apache-2.0 */
// Included once per target: the stores past the caches, of which every line is written whole.
#if defined(XLASHAPE_SIMD_STREAM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_STREAM_INL_H_
#undef XLASHAPE_SIMD_STREAM_INL_H_
#else
#define XLASHAPE_SIMD_STREAM_INL_H_
#endif

#include <atomic>

#include "hwy/cache_control.h"
#include "hwy/highway.h"

#if HWY_ARCH_ARM_A64
#include <arm_neon.h>
#endif

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether a line is stored as two pairs of 16-byte registers, on NEON's table and on SVE's. Highway's Stream for NEON
// is an ordinary store with GCC, and MSVC has no inline assembly.
#if HWY_ARCH_ARM_A64 && !HWY_COMPILER_MSVC
inline constexpr bool kStreamsPairs = true;

// `dst` is the beginning of a line. The two pairs follow each other, so that the core sees stores to a full line.
HWY_INLINE void StreamPairs(char* dst, uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
  asm volatile("stnp %q1, %q2, [%5]\n\tstnp %q3, %q4, [%5, #32]"
               : "=m"(*reinterpret_cast<char(*)[64]>(dst))
               : "w"(a), "w"(b), "w"(c), "w"(d), "r"(dst));
}
HWY_INLINE void StreamLine(char* dst, const char* src) {
  const auto* from = reinterpret_cast<const uint8_t*>(src);
  StreamPairs(dst, vld1q_u8(from), vld1q_u8(from + 16), vld1q_u8(from + 32), vld1q_u8(from + 48));
}
// Writes lines of the 16 bytes at `pattern`, again and again.
HWY_INLINE void StreamPattern(char* dst, int64_t lines, const uint8_t* pattern) {
  const uint8x16_t v = vld1q_u8(pattern);
  for (int64_t i = 0; i < lines; ++i) StreamPairs(dst + i * 64, v, v, v, v);
}
#else
inline constexpr bool kStreamsPairs = false;

// Writes a line from any place.
HWY_INLINE void StreamLine(char* dst, const char* src) {
  const hn::CappedTag<uint8_t, 64> d;
  const size_t step = hn::Lanes(d);
  for (size_t i = 0; i < 64; i += step)
    hn::Stream(hn::LoadU(d, reinterpret_cast<const uint8_t*>(src) + i), d, reinterpret_cast<uint8_t*>(dst) + i);
}
HWY_INLINE void StreamPattern(char* dst, int64_t lines, const uint8_t* pattern) {
  const hn::CappedTag<uint8_t, 64> d;
  const size_t step = hn::Lanes(d);
  const auto v = hn::LoadDup128(d, pattern);
  for (auto* to = reinterpret_cast<uint8_t*>(dst); lines > 0; --lines, to += 64)
    for (size_t i = 0; i < 64; i += step) hn::Stream(v, d, to + i);
}
#endif

// Writes a part of a line; the caller writes the others next. Where pairs are stored, only whole lines are streamed.
template <class D>
HWY_INLINE void StreamVector(hn::Vec<D> v, D d, hn::TFromD<D>* to) {
  if constexpr (kStreamsPairs) {
    hn::StoreU(v, d, to);
  } else {
    hn::Stream(v, d, to);
  }
}

// Orders streamed stores before whatever tells other threads of them. Arm's guide for programmers (DEN0024A,
// "Non-temporal load and store pair") says that such pairs relax the order of memory and wants a barrier:
// the fence is one, dmb ish.
HWY_INLINE void FlushStreams() {
  hwy::FlushStream();
  if constexpr (kStreamsPairs) std::atomic_thread_fence(std::memory_order_release);
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
