/* SPDX-License-Identifier: Apache-2.0 */
// Included once per target: copies many units of the same size, each to a place of its own.
#if defined(XLASHAPE_SIMD_UNITS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_UNITS_INL_H_
#undef XLASHAPE_SIMD_UNITS_INL_H_
#else
#define XLASHAPE_SIMD_UNITS_INL_H_
#endif

#include "backends/simd/lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

// Where the columns of a tile go: given by a table, or evenly spaced.
struct ColumnTable {
  char* base;
  const int64_t* at;
  HWY_INLINE char* operator()(int64_t c) const { return base + at[c]; }
  HWY_INLINE ColumnTable operator+(int64_t c) const { return {base, at + c}; }
};
struct EvenColumns {
  char* base;
  int64_t pitch;
  HWY_INLINE char* operator()(int64_t c) const { return base + c * pitch; }
  HWY_INLINE EvenColumns operator+(int64_t c) const { return {base + c * pitch, pitch}; }
};

// Where the rows of a tile are.
struct RowTable {
  const char* base;
  const int64_t* at;
  HWY_INLINE const char* operator()(int64_t r) const { return base + at[r]; }
  HWY_INLINE RowTable operator+(int64_t bytes) const { return {base + bytes, at}; }
};
struct EvenRows {
  const char* base;
  int64_t pitch;
  HWY_INLINE const char* operator()(int64_t r) const { return base + r * pitch; }
  HWY_INLINE EvenRows operator+(int64_t bytes) const { return {base + bytes, pitch}; }
};

// Copies `count` units of kBytes bytes. Where a side is contiguous, its pitch should be passed as a constant.
template <int64_t kBytes, class To, class From>
HWY_INLINE void CopyEach(To to, From from, int64_t count) {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    char unit[4][kBytes];
    HWY_UNROLL(4)
    for (int64_t k = 0; k < 4; ++k) std::memcpy(unit[k], from(i + k), kBytes);
    HWY_UNROLL(4)
    for (int64_t k = 0; k < 4; ++k) std::memcpy(to(i + k), unit[k], kBytes);
  }
  for (; i < count; ++i) {
    char unit[kBytes];
    std::memcpy(unit, from(i), kBytes);
    std::memcpy(to(i), unit, kBytes);
  }
}

// The same for any number of bytes. Sizes that are not known when this is compiled take three times as long.
template <class To, class From>
HWY_NOINLINE void CopyUnits(To to, From from, int64_t bytes, int64_t count) {
  switch (bytes) {
    case 1:
      return CopyEach<1>(to, from, count);
    case 2:
      return CopyEach<2>(to, from, count);
    case 3:
      return CopyEach<3>(to, from, count);
    case 4:
      return CopyEach<4>(to, from, count);
    case 5:
      return CopyEach<5>(to, from, count);
    case 6:
      return CopyEach<6>(to, from, count);
    case 7:
      return CopyEach<7>(to, from, count);
    case 8:
      return CopyEach<8>(to, from, count);
    case 10:
      return CopyEach<10>(to, from, count);
    case 12:
      return CopyEach<12>(to, from, count);
    case 14:
      return CopyEach<14>(to, from, count);
    case 16:
      return CopyEach<16>(to, from, count);
    case 20:
      return CopyEach<20>(to, from, count);
    case 24:
      return CopyEach<24>(to, from, count);
    case 28:
      return CopyEach<28>(to, from, count);
    case 32:
      return CopyEach<32>(to, from, count);
    case 36:
      return CopyEach<36>(to, from, count);
    case 40:
      return CopyEach<40>(to, from, count);
    case 48:
      return CopyEach<48>(to, from, count);
    case 56:
      return CopyEach<56>(to, from, count);
    case 64:
      return CopyEach<64>(to, from, count);
    case 80:
      return CopyEach<80>(to, from, count);
    case 96:
      return CopyEach<96>(to, from, count);
    default:
      for (int64_t i = 0; i < count; ++i) CopyOrdinary(to(i), from(i), bytes);
  }
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
