/* SPDX-License-Identifier: Apache-2.0 */
// Included once per target: moves and fills runs of bytes, on request in whole lines past the caches.
#if defined(XLASHAPE_SIMD_LINES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_LINES_INL_H_
#undef XLASHAPE_SIMD_LINES_INL_H_
#else
#define XLASHAPE_SIMD_LINES_INL_H_
#endif

#include <cstring>

#include "backends/simd/kernels.h"
#include "backends/simd/stream-inl.h"
#include "ir/compiler.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr int64_t kLine = 64;

// Vectors of at most one line, and of 16 bytes.
using LineTag = hn::CappedTag<uint8_t, kLine>;
using Bytes32Tag = hn::CappedTag<uint8_t, 32>;
using Bytes16Tag = hn::FixedTag<uint8_t, 16>;

// The number of lanes of a vector, a power of two: a constant, or asked of the processor where vectors have any length.
#if HWY_HAVE_SCALABLE
template <class D>
struct Lanes {
  HWY_INLINE operator int64_t() const { return static_cast<int64_t>(hn::Lanes(D())); }
};
template <class D>
inline constexpr Lanes<D> kLanes;
#else
template <class D>
inline constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(D()));
#endif

HWY_INLINE const uint8_t* U8(const char* p) { return reinterpret_cast<const uint8_t*>(p); }
HWY_INLINE uint8_t* U8(char* p) { return reinterpret_cast<uint8_t*>(p); }

template <class T>
HWY_INLINE void MoveWord(char* dst, const char* src) {
  T word;
  std::memcpy(&word, src, sizeof word);
  std::memcpy(dst, &word, sizeof word);
}

// Copies less than a line. Reads and writes exactly these bytes, some of them twice.
HWY_INLINE void CopyShort(char* dst, const char* src, int64_t bytes) {
  const Bytes16Tag d;
  if (bytes >= 16) {
    const int64_t last = bytes - 16;
    const auto end = hn::LoadU(d, U8(src + last));
    for (int64_t i = 0; i < last; i += 16) hn::StoreU(hn::LoadU(d, U8(src + i)), d, U8(dst + i));
    hn::StoreU(end, d, U8(dst + last));
  } else if (bytes >= 8) {
    uint64_t a, b;
    std::memcpy(&a, src, 8);
    std::memcpy(&b, src + bytes - 8, 8);
    std::memcpy(dst, &a, 8);
    std::memcpy(dst + bytes - 8, &b, 8);
  } else if (bytes >= 4) {
    uint32_t a, b;
    std::memcpy(&a, src, 4);
    std::memcpy(&b, src + bytes - 4, 4);
    std::memcpy(dst, &a, 4);
    std::memcpy(dst + bytes - 4, &b, 4);
  } else {
    if (bytes & 2) MoveWord<uint16_t>(dst, src);
    if (bytes & 1) dst[bytes - 1] = src[bytes - 1];
  }
}

template <class D>
HWY_INLINE void CopyFour(D d, char* dst, const char* src) {
  const int64_t step = kLanes<D>;
  const auto v0 = hn::LoadU(d, U8(src)), v1 = hn::LoadU(d, U8(src + step)), v2 = hn::LoadU(d, U8(src + 2 * step)),
             v3 = hn::LoadU(d, U8(src + 3 * step));
  hn::StoreU(v0, d, U8(dst));
  hn::StoreU(v1, d, U8(dst + step));
  hn::StoreU(v2, d, U8(dst + 2 * step));
  hn::StoreU(v3, d, U8(dst + 3 * step));
}

template <class D>
HWY_INLINE void CopyVectors(D d, char* dst, const char* src, int64_t bytes) {
  const int64_t step = kLanes<D>;
  int64_t i = 0;
  for (; i + 4 * step <= bytes; i += 4 * step) CopyFour(d, dst + i, src + i);
  for (; i + step <= bytes; i += step) hn::StoreU(hn::LoadU(d, U8(src + i)), d, U8(dst + i));
  if (i < bytes) hn::StoreU(hn::LoadU(d, U8(src + bytes - step)), d, U8(dst + bytes - step));
}

// The same for at least one vector, with aligned stores: those that cross a line cost as much as two. Lines of the
// destination are prefetched: where both sides just fill the first cache, 16 KiB take 179 ns, without it 233 (Zen 4).
template <class D>
HWY_INLINE void CopyAligned(D d, char* dst, const char* src, int64_t bytes) {
  constexpr int64_t kAhead = 256;
  const int64_t step = kLanes<D>;
  hn::StoreU(hn::LoadU(d, U8(src)), d, U8(dst));
  int64_t i = step - static_cast<int64_t>(reinterpret_cast<uintptr_t>(dst) & static_cast<uintptr_t>(step - 1));
  for (; i + kAhead + 4 * step <= bytes; i += 4 * step) {
    for (int64_t line = 0; line < 4 * step; line += kLine) ir::prefetch_to_write<3>(dst + i + kAhead + line);
    CopyFour(d, dst + i, src + i);
  }
  CopyVectors(d, dst + i, src + i, bytes - i);
}

// Vectors of half a line, since fewer of these cross a line: short runs are 5 to 9 % faster on Zen 4, longer ones as
// fast. A Skylake server copies 64 MiB at 7.0 GB/s with loads of 64 bytes, at 10.9 with those of 32, and at 12.1 where
// lines of the destination are prefetched to be written. Rows of 4000 bytes take 47 ns with aligned stores, 57 without,
// and 45 where the destination is aligned anyway (Zen 4).
HWY_INLINE void CopyOrdinary(char* dst, const char* src, int64_t bytes) {
  if (bytes < kLanes<Bytes32Tag>) return CopyShort(dst, src, bytes);
  if (bytes >= 1024) return CopyAligned(Bytes32Tag(), dst, src, bytes);
  CopyVectors(Bytes32Tag(), dst, src, bytes);
}

// The partial lines at both ends are written through the cache, where the code that writes their other part finds them.
HWY_INLINE void CopyStream(char* dst, const char* src, int64_t bytes) {
  const int64_t head = static_cast<int64_t>(-reinterpret_cast<uintptr_t>(dst) & 63);
  if (bytes < head + kLine) return CopyOrdinary(dst, src, bytes);
  if (head > 0) CopyShort(dst, src, head);
  int64_t i = head;
  for (; i + 4 * kLine <= bytes; i += 4 * kLine) {
    StreamLine(dst + i, src + i);
    StreamLine(dst + i + kLine, src + i + kLine);
    StreamLine(dst + i + 2 * kLine, src + i + 2 * kLine);
    StreamLine(dst + i + 3 * kLine, src + i + 3 * kLine);
  }
  for (; i + kLine <= bytes; i += kLine) StreamLine(dst + i, src + i);
  if (i < bytes) CopyShort(dst + i, src + i, bytes - i);
}

HWY_NOINLINE void Copy(char* dst, const char* src, int64_t bytes, Store store) {
  if (store == Store::kStream) {
    CopyStream(dst, src, bytes);
  } else {
    CopyOrdinary(dst, src, bytes);
  }
}

// Writes lines of four pages in turns: a processor may then have four pages open in its memory instead of one.
HWY_NOINLINE void CopyPages(char* dst, const char* src, int64_t bytes) {
  constexpr int64_t kPages = 4;
  const int64_t head = static_cast<int64_t>(-reinterpret_cast<uintptr_t>(dst) & 63);
  if (bytes < head + kPages * kPageBytes) return CopyStream(dst, src, bytes);
  if (head > 0) CopyShort(dst, src, head);
  int64_t i = head;
  for (; i + kPages * kPageBytes <= bytes; i += kPages * kPageBytes)
    for (int64_t line = i; line < i + kPageBytes; line += kLine)
      for (int64_t page = 0; page < kPages; ++page)
        StreamLine(dst + line + page * kPageBytes, src + line + page * kPageBytes);
  if (i < bytes) CopyStream(dst + i, src + i, bytes - i);
}

HWY_NOINLINE void Fence() { FlushStreams(); }

// The pattern repeats every 16 bytes of memory, counted from `dst`.
HWY_NOINLINE void Fill(char* dst, int64_t bytes, const unsigned char* pattern, Store store) {
  const Bytes16Tag d1;
  const auto v = hn::LoadU(d1, pattern);
  if (bytes < 16) {
    uint8_t copy[16];
    hn::StoreU(v, d1, copy);
    CopyShort(dst, reinterpret_cast<const char*>(copy), bytes);
    return;
  }
  // The pattern as it is at an aligned place.
  uint8_t repeated[32];
  hn::StoreU(v, d1, repeated);
  hn::StoreU(v, d1, repeated + 16);
  const auto shift = -reinterpret_cast<uintptr_t>(dst) & 15;
  const auto aligned = hn::LoadU(d1, repeated + shift);
  hn::StoreU(v, d1, U8(dst));
  int64_t i = static_cast<int64_t>(shift);
  if (bytes >= (store == Store::kStream ? 2 : 4) * kLine) {
    const LineTag d;
    constexpr auto kStep = kLanes<LineTag>;
    const auto wide = hn::LoadDup128(d, repeated + shift);
    const int64_t head = static_cast<int64_t>(-reinterpret_cast<uintptr_t>(dst) & 63);
    for (; i < head; i += 16) hn::StoreU(aligned, d1, U8(dst + i));
    if (store == Store::kStream) {
      const int64_t lines = (bytes - i) / kLine;
      StreamPattern(dst + i, lines, repeated + shift);
      i += lines * kLine;
    } else {
      for (; i + kLine <= bytes; i += kLine)
        for (int64_t k = 0; k < kLine; k += kStep) hn::StoreU(wide, d, U8(dst + i + k));
    }
  }
  for (; i + 16 <= bytes; i += 16) hn::StoreU(aligned, d1, U8(dst + i));
  if (i < bytes) {
    // The last 16 bytes, with the pattern as it is there.
    const auto phase = static_cast<size_t>(bytes - 16) & 15;
    hn::StoreU(hn::LoadU(d1, repeated + phase), d1, U8(dst + bytes - 16));
  }
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
