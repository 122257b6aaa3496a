// Included once per target: 2, 3, 4 or 8 rows of elements zipped into one, or one unzipped into so many.
#if defined(XLASHAPE_SIMD_ZIP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_ZIP_INL_H_
#undef XLASHAPE_SIMD_ZIP_INL_H_
#else
#define XLASHAPE_SIMD_ZIP_INL_H_
#endif

#include "backends/simd/squares-inl.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

// How many bytes of each row go through at a time. Rows are read and written in whole multiples of this.
template <int kCount>
inline constexpr int64_t kZipBytes = kCount == 8 ? 16 : static_cast<int64_t>(16 * kMaxBlocks);

// `kApart`: from[0] becomes to[0 ... kCount - 1]; else the reverse.
template <size_t kWidth, int kCount, bool kApart>
HWY_INLINE void ZipVectors(const char* const* from, char* const* to, int64_t vectors) {
  using T = typename WordOf<kWidth>::Type;
  constexpr int64_t kBytes = kZipBytes<kCount>;
  const hn::FixedTag<T, kBytes / sizeof(T)> d;
  using V = hn::Vec<decltype(d)>;
  for (int64_t v = 0; v < vectors; ++v) {
    const T* const in = reinterpret_cast<const T*>(from[0] + v * kBytes * kCount);
    T* const out = reinterpret_cast<T*>(to[0] + v * kBytes * kCount);
    V a[kCount];
    if constexpr (!kApart) {
      HWY_UNROLL(8)
      for (int i = 0; i < kCount; ++i) a[i] = hn::LoadU(d, reinterpret_cast<const T*>(from[i] + v * kBytes));
    }
    if constexpr (kCount == 2) {
      if constexpr (kApart) {
        hn::LoadInterleaved2(d, in, a[0], a[1]);
      } else {
        hn::StoreInterleaved2(a[0], a[1], d, out);
      }
    } else if constexpr (kCount == 3) {
      if constexpr (kApart) {
        hn::LoadInterleaved3(d, in, a[0], a[1], a[2]);
      } else {
        hn::StoreInterleaved3(a[0], a[1], a[2], d, out);
      }
    } else if constexpr (kCount == 4) {
      if constexpr (kApart) {
        hn::LoadInterleaved4(d, in, a[0], a[1], a[2], a[3]);
      } else {
        hn::StoreInterleaved4(a[0], a[1], a[2], a[3], d, out);
      }
    } else {
      // The same network of interleavings turns the bits of each place one way or the other.
      constexpr int kRounds = !kApart ? 3 : kWidth == 1 ? 4 : kWidth == 2 ? 3 : kWidth == 4 ? 2 : 1;
      V b[kCount];
      if constexpr (kApart) {
        HWY_UNROLL(8)
        for (int i = 0; i < kCount; ++i) a[i] = hn::LoadU(d, in + i * static_cast<int>(16 / kWidth));
      }
      HWY_UNROLL(4)
      for (int round = 0; round < kRounds; ++round) {
        HWY_UNROLL(4)
        for (int i = 0; i < kCount / 2; ++i) {
          b[2 * i] = hn::InterleaveLower(d, a[i], a[i + kCount / 2]);
          b[2 * i + 1] = hn::InterleaveUpper(d, a[i], a[i + kCount / 2]);
        }
        HWY_UNROLL(8)
        for (int i = 0; i < kCount; ++i) a[i] = b[i];
      }
      if constexpr (!kApart) {
        HWY_UNROLL(8)
        for (int i = 0; i < kCount; ++i) hn::StoreU(a[i], d, out + i * static_cast<int>(16 / kWidth));
      }
    }
    if constexpr (kApart) {
      HWY_UNROLL(8)
      for (int i = 0; i < kCount; ++i) hn::StoreU(a[i], d, reinterpret_cast<T*>(to[i] + v * kBytes));
    }
  }
}

// `bytes` of each row. Reads exactly these; writes up to a vector more of each row (of `to[0]`, so many of all rows).
template <size_t kWidth, int kCount, bool kApart>
HWY_INLINE void ZipRows(const char* const* from, char* const* to, int64_t bytes) {
  constexpr int64_t kBytes = kZipBytes<kCount>;
  const int64_t vectors = bytes / kBytes, done = vectors * kBytes, rest = bytes - done;
  ZipVectors<kWidth, kCount, kApart>(from, to, vectors);
  if (rest <= 0) return;
  constexpr int kIn = kApart ? 1 : kCount, kOut = kApart ? kCount : 1;
  alignas(64) char last[kCount * kBytes];
  const char* in[kIn];
  char* out[kOut];
  for (int i = 0; i < kIn; ++i) {
    in[i] = last + i * kBytes;
    CopyOrdinary(last + i * kBytes, from[i] + done * (kApart ? kCount : 1), rest * (kApart ? kCount : 1));
  }
  for (int i = 0; i < kOut; ++i) out[i] = to[i] + done * (kApart ? 1 : kCount);
  ZipVectors<kWidth, kCount, kApart>(in, out, 1);
}

template <size_t kWidth, bool kApart>
HWY_NOINLINE void Zip(int64_t count, const char* const* from, char* const* to, int64_t bytes) {
  if (count == 2) return ZipRows<kWidth, 2, kApart>(from, to, bytes);
  if (count == 3) return ZipRows<kWidth, 3, kApart>(from, to, bytes);
  if (count == 4) return ZipRows<kWidth, 4, kApart>(from, to, bytes);
  if constexpr (kWidth < 8) ZipRows<kWidth, 8, kApart>(from, to, bytes);
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
