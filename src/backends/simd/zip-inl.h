/* SPDX-License-Identifier: Apache-2.0 */
// Included once per target: zips 2 to 8 rows of elements into one, or unzips one into as many.
#if defined(XLASHAPE_SIMD_ZIP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_ZIP_INL_H_
#undef XLASHAPE_SIMD_ZIP_INL_H_
#else
#define XLASHAPE_SIMD_ZIP_INL_H_
#endif

#include "backends/simd/squares-inl.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

// For 5, 6 and 7 rows there are no interleaving instructions: each block that is written takes its bytes from all
// vectors that are read.
template <size_t kWidth, int kCount, bool kUnzips>
struct ZipTable {
  static constexpr int kNone = 0x80;
  alignas(16) uint8_t from[kCount][kCount][16] = {};  // [written][read]: where in the block each byte is, or kNone
  bool any[kCount][kCount] = {};
  constexpr ZipTable() {
    for (int out = 0; out < kCount; ++out)
      for (int in = 0; in < kCount; ++in)
        for (int byte = 0; byte < 16; ++byte) {
          const int at = out * 16 + byte, element = at / static_cast<int>(kWidth);
          constexpr int kEach = 16 / static_cast<int>(kWidth);  // elements of a row within a block
          const int source =
              kUnzips ? element % kEach * kCount + element / kEach : element % kCount * kEach + element / kCount;
          const int place = source * static_cast<int>(kWidth) + at % static_cast<int>(kWidth);
          from[out][in][byte] = static_cast<uint8_t>(place / 16 == in ? place % 16 : kNone);
          any[out][in] |= place / 16 == in;
        }
  }
};
template <size_t kWidth, int kCount, bool kUnzips>
inline constexpr ZipTable<kWidth, kCount, kUnzips> kZipTable{};

// Block k of the vector goes to out + k * distance.
template <size_t kBlocks, class V>
HWY_INLINE void StoreBlocks(V v, char* out, int64_t distance) {
  if constexpr (kBlocks == 1) {
    hn::StoreU(v, Bytes16Tag(), U8(out));
  } else {
    const Blocks<kBlocks / 2> half;
    StoreBlocks<kBlocks / 2>(hn::LowerHalf(half, v), out, distance);
    StoreBlocks<kBlocks / 2>(hn::UpperHalf(half, v), out + distance * static_cast<int64_t>(kBlocks / 2), distance);
  }
}

template <size_t kWidth, int kCount, bool kUnzips, size_t kBlocks>
HWY_INLINE void ZipByTable(const char* const* from, char* const* to, int64_t vectors) {
  constexpr int64_t kBytes = static_cast<int64_t>(16 * kBlocks);
  constexpr const auto& kTable = kZipTable<kWidth, kCount, kUnzips>;
  const Blocks<kBlocks> d;
  for (int64_t v = 0; v < vectors; ++v) {
    hn::Vec<decltype(d)> a[kCount];
    HWY_UNROLL(8)
    for (int i = 0; i < kCount; ++i) {
      if constexpr (kUnzips) {
        a[i] = LoadBlocks<kBlocks, uint8_t>(EvenRows{from[0] + v * kBytes * kCount, 16}, i, kCount);
      } else {
        a[i] = hn::LoadU(d, U8(from[i] + v * kBytes));
      }
    }
    HWY_UNROLL(8)
    for (int j = 0; j < kCount; ++j) {
      auto sum = hn::Zero(d);
      HWY_UNROLL(8)
      for (int i = 0; i < kCount; ++i)
        if (kTable.any[j][i]) sum = hn::Or(sum, hn::TableLookupBytesOr0(a[i], hn::LoadDup128(d, kTable.from[j][i])));
      if constexpr (kUnzips) {
        hn::StoreU(sum, d, U8(to[j] + v * kBytes));
      } else {
        StoreBlocks<kBlocks>(sum, to[0] + v * kBytes * kCount + 16 * j, 16 * kCount);
      }
    }
  }
}

template <size_t kWidth, int kCount, bool kUnzips, size_t kBlocks>
HWY_INLINE void ZipByNetwork(const char* const* from, char* const* to, int64_t vectors) {
  using T = typename WordOf<kWidth>::Type;
  constexpr int64_t kBytes = static_cast<int64_t>(16 * kBlocks);
  const hn::FixedTag<T, kBytes / sizeof(T)> d;
  using V = hn::Vec<decltype(d)>;
  for (int64_t v = 0; v < vectors; ++v) {
    const T* const in = reinterpret_cast<const T*>(from[0] + v * kBytes * kCount);
    T* const out = reinterpret_cast<T*>(to[0] + v * kBytes * kCount);
    V a[kCount];
    if constexpr (!kUnzips) {
      HWY_UNROLL(8)
      for (int i = 0; i < kCount; ++i) a[i] = hn::LoadU(d, reinterpret_cast<const T*>(from[i] + v * kBytes));
    }
    if constexpr (kCount == 2) {
      if constexpr (kUnzips) {
        hn::LoadInterleaved2(d, in, a[0], a[1]);
      } else {
        hn::StoreInterleaved2(a[0], a[1], d, out);
      }
    } else if constexpr (kCount == 3) {
      if constexpr (kUnzips) {
        hn::LoadInterleaved3(d, in, a[0], a[1], a[2]);
      } else {
        hn::StoreInterleaved3(a[0], a[1], a[2], d, out);
      }
    } else if constexpr (kCount == 4) {
      if constexpr (kUnzips) {
        hn::LoadInterleaved4(d, in, a[0], a[1], a[2], a[3]);
      } else {
        hn::StoreInterleaved4(a[0], a[1], a[2], a[3], d, out);
      }
    } else {
      // The same network of interleavings rotates the bits of each place in one direction or the other.
      constexpr int kRounds = !kUnzips ? 3 : kWidth == 1 ? 4 : kWidth == 2 ? 3 : kWidth == 4 ? 2 : 1;
      if constexpr (kUnzips) {
        HWY_UNROLL(8)
        for (int i = 0; i < kCount; ++i) a[i] = hn::LoadU(d, in + i * static_cast<int>(16 / kWidth));
      }
      Interleave<kCount, kRounds>(d, a);
      if constexpr (!kUnzips) {
        HWY_UNROLL(8)
        for (int i = 0; i < kCount; ++i) hn::StoreU(a[i], d, out + i * static_cast<int>(16 / kWidth));
      }
    }
    if constexpr (kUnzips) {
      HWY_UNROLL(8)
      for (int i = 0; i < kCount; ++i) hn::StoreU(a[i], d, reinterpret_cast<T*>(to[i] + v * kBytes));
    }
  }
}

// Takes 16 * kBlocks bytes of each row at a time. `kUnzips`: from[0] becomes to[0 ... kCount - 1]; else the reverse.
template <size_t kWidth, int kCount, bool kUnzips, size_t kBlocks>
HWY_INLINE void ZipVectors(const char* const* from, char* const* to, int64_t vectors) {
  // Local copies: the compiler then knows that no store through a pointer to bytes changes them.
  const char* in[kCount];
  char* out[kCount];
  HWY_UNROLL(8)
  for (int i = 0; i < kCount; ++i) in[i] = from[kUnzips ? 0 : i], out[i] = to[kUnzips ? i : 0];
  if constexpr (kCount >= 5 && kCount <= 7) {
    ZipByTable<kWidth, kCount, kUnzips, kBlocks>(in, out, vectors);
  } else {
    ZipByNetwork<kWidth, kCount, kUnzips, kBlocks>(in, out, vectors);
  }
}

// How many blocks of each row are zipped at a time.
template <int kCount>
inline constexpr size_t kZipBlocks = kCount == 8 ? 1 : kMaxBlocks;

// Less than a vector of each row: copied into and out of whole vectors.
template <size_t kWidth, int kCount, bool kUnzips>
HWY_NOINLINE void ZipShort(const char* const* from, char* const* to, int64_t bytes) {
  constexpr int kIn = kUnzips ? 1 : kCount, kOut = kUnzips ? kCount : 1;
  constexpr int64_t kBytes = 16, kInStep = kUnzips ? kCount : 1, kOutStep = kUnzips ? 1 : kCount;
  alignas(64) char read[kCount * kBytes], written[kCount * kBytes];
  const char* in[kIn];
  char* out[kOut];
  for (int i = 0; i < kIn; ++i) {
    in[i] = read + i * kBytes;
    std::memcpy(read + i * kBytes, from[i], static_cast<size_t>(bytes * kInStep));
  }
  for (int i = 0; i < kOut; ++i) out[i] = written + i * kBytes;
  ZipVectors<kWidth, kCount, kUnzips, 1>(in, out, 1);
  for (int i = 0; i < kOut; ++i) std::memcpy(to[i], written + i * kBytes, static_cast<size_t>(bytes * kOutStep));
}

// Zips exactly `bytes` of each row: the rest after whole vectors is moved again together with bytes before it.
template <size_t kWidth, int kCount, bool kUnzips, size_t kBlocks = kZipBlocks<kCount>>
HWY_INLINE void ZipRows(const char* const* from, char* const* to, int64_t bytes) {
  constexpr int64_t kBytes = static_cast<int64_t>(16 * kBlocks);
  constexpr int kIn = kUnzips ? 1 : kCount, kOut = kUnzips ? kCount : 1;
  constexpr int64_t kInStep = kUnzips ? kCount : 1, kOutStep = kUnzips ? 1 : kCount;  // bytes for one of each row
  if (bytes >= kBytes) {
    const char* in[kIn];
    char* out[kOut];
    ZipVectors<kWidth, kCount, kUnzips, kBlocks>(from, to, bytes / kBytes);
    if (bytes % kBytes == 0) return;
    for (int i = 0; i < kIn; ++i) in[i] = from[i] + (bytes - kBytes) * kInStep;
    for (int i = 0; i < kOut; ++i) out[i] = to[i] + (bytes - kBytes) * kOutStep;
    ZipVectors<kWidth, kCount, kUnzips, kBlocks>(in, out, 1);
  } else if constexpr (kBlocks > 1) {
    ZipRows<kWidth, kCount, kUnzips, 1>(from, to, bytes);
  } else if (bytes > 0) {
    ZipShort<kWidth, kCount, kUnzips>(from, to, bytes);
  }
}

template <size_t kWidth, bool kUnzips>
HWY_NOINLINE void Zip(int64_t count, const char* const* from, char* const* to, int64_t bytes) {
  if (count == 2) return ZipRows<kWidth, 2, kUnzips>(from, to, bytes);
  if (count == 3) return ZipRows<kWidth, 3, kUnzips>(from, to, bytes);
  if (count == 4) return ZipRows<kWidth, 4, kUnzips>(from, to, bytes);
  if constexpr (kWidth < 8) {
    if (count == 5) return ZipRows<kWidth, 5, kUnzips>(from, to, bytes);
    if (count == 6) return ZipRows<kWidth, 6, kUnzips>(from, to, bytes);
    if (count == 7) return ZipRows<kWidth, 7, kUnzips>(from, to, bytes);
    if (count == 8) return ZipRows<kWidth, 8, kUnzips>(from, to, bytes);
  }
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
