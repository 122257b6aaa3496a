// This thread's rounding mode and handling of denormals, which a slot must not change.
#pragma once
#include <cfenv>
#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace xlashape::cli {

inline uint64_t float_state() {
#if defined(__x86_64__)
  uint16_t x87 = 0;
  asm volatile("fnstcw %0" : "=m"(x87));
  return (_mm_getcsr() & ~0x3Fu) | static_cast<uint64_t>(x87) << 32;  // without the exception flags
#elif defined(__aarch64__)
  uint64_t control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return control;
#else
  return static_cast<uint64_t>(std::fegetround());
#endif
}

inline void set_float_state(uint64_t state) {
#if defined(__x86_64__)
  const auto x87 = static_cast<uint16_t>(state >> 32);
  asm volatile("fldcw %0" : : "m"(x87));
  _mm_setcsr(static_cast<uint32_t>(state));
#elif defined(__aarch64__)
  asm volatile("msr fpcr, %0" : : "r"(state));
#else
  std::fesetround(static_cast<int>(state));
#endif
}

}  // namespace xlashape::cli
