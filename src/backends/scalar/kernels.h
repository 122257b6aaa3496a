/* SPDX-License-Identifier: Apache-2.0 */
// The inner loops of the scalar backend: rows and planes of one container width. They use no vector intrinsics, but
// loops that a compiler vectorizes, and several narrow elements in one machine word.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "backends/scalar/limits.h"
#include "ir/compiler.h"

namespace xlashape::scalar {

struct Word16 {
  uint64_t low, high;
};

template <class T>
inline T load(const char* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

template <class T>
inline void store(char* p, T value) {
  std::memcpy(p, &value, sizeof value);
}

// -- Rows -------------------------------------------------------------------------------------------------------------

// Short rows are copied by a loop that the compiler sees; the others by memcpy.
inline void copy_row(const char* src, char* dst, int64_t bytes) {
  if (bytes >= kShortRow) {
    std::memcpy(dst, src, static_cast<size_t>(bytes));
    return;
  }
  int64_t i = 0;
  for (; i + 64 <= bytes; i += 64) std::memcpy(dst + i, src + i, 64);
  for (; i + 16 <= bytes; i += 16) store(dst + i, load<Word16>(src + i));
  for (; i + 4 <= bytes; i += 4) store(dst + i, load<uint32_t>(src + i));
  for (; i < bytes; ++i) dst[i] = src[i];
}

template <int kBytes>
inline void copy_fixed_rows(const char* src, int64_t src_step, char* dst, int64_t dst_step, int64_t count) {
  for (int64_t i = 0; i < count; ++i) std::memcpy(dst + i * dst_step, src + i * src_step, kBytes);
}

inline void copy_rows(const char* src, int64_t src_step, char* dst, int64_t dst_step, int64_t count, int64_t bytes) {
  switch (bytes) {
    case 4:
      return copy_fixed_rows<4>(src, src_step, dst, dst_step, count);
    case 8:
      return copy_fixed_rows<8>(src, src_step, dst, dst_step, count);
    case 16:
      return copy_fixed_rows<16>(src, src_step, dst, dst_step, count);
    case 32:
      return copy_fixed_rows<32>(src, src_step, dst, dst_step, count);
    case 64:
      return copy_fixed_rows<64>(src, src_step, dst, dst_step, count);
    case 128:
      return copy_fixed_rows<128>(src, src_step, dst, dst_step, count);
    default:
      for (int64_t i = 0; i < count; ++i) copy_row(src + i * src_step, dst + i * dst_step, bytes);
  }
}

// -- Squares in machine words -----------------------------------------------------------------------------------------

// How many elements fill a word, which is also how many words are transposed at once. The shifts below count from the
// low end.
template <class T>
inline constexpr int64_t kSquare = sizeof(T) < 8 && std::endian::native == std::endian::little ? 8 / sizeof(T) : 1;

// Swaps the upper half of each 2 * kBits bits of x with the lower half of y's.
template <int kBits>
inline void exchange(uint64_t& x, uint64_t& y) {
  constexpr uint64_t kLower = ~uint64_t{0} / ((uint64_t{1} << kBits) + 1);  // ones in the lower halves
  const uint64_t swapped = ((x >> kBits) ^ y) & kLower;
  y ^= swapped;
  x ^= swapped << kBits;
}

template <int64_t kCount>
inline void transpose_words(uint64_t* w) {
  if constexpr (kCount >= 2)
    for (int i = 0; i < kCount / 2; ++i) exchange<32>(w[i], w[i + kCount / 2]);
  if constexpr (kCount >= 4)
    for (int i = 0; i < kCount; ++i)
      if ((i & (kCount / 4)) == 0) exchange<16>(w[i], w[i + kCount / 4]);
  if constexpr (kCount == 8)
    for (int i = 0; i < kCount; i += 2) exchange<8>(w[i], w[i + 1]);
}

// -- Planes -----------------------------------------------------------------------------------------------------------
// Along a the destination is contiguous and the source steps by src_step; along b the source is contiguous and the
// destination steps by dst_step.

// A block of at most one cache line in each direction, so that each line of memory is touched once. With kGather its
// source lines are gathered first: for sources outside the caches, and for pitches at which these lines and the
// destination's do not fit the first cache together.
template <class T, bool kGather>
inline void transpose_block(const char* src, int64_t src_step, int64_t count_a, char* dst, int64_t dst_step,
                            int64_t count_b) {
  constexpr int64_t kSize = sizeof(T), n = kSquare<T>;
  alignas(kLineBytes) char gathered[kGather ? kLineBytes / kSize : 1][kLineBytes];
  if constexpr (kGather) {
    if (count_b * kSize == kLineBytes) {
      for (int64_t a = 0; a < count_a; ++a) std::memcpy(gathered[a], src + a * src_step, kLineBytes);
    } else {
      for (int64_t a = 0; a < count_a; ++a) copy_row(src + a * src_step, gathered[a], count_b * kSize);
    }
    src = gathered[0];
    src_step = kLineBytes;
  }
  int64_t b = 0;
  for (; b + n <= count_b; b += n) {
    const char* from = src + b * kSize;
    char* to = dst + b * dst_step;
    int64_t a = 0;
    for (; a + n <= count_a && n > 1; a += n) {
      uint64_t words[n];
      for (int i = 0; i < n; ++i) words[i] = load<uint64_t>(from + (a + i) * src_step);
      transpose_words<n>(words);
      for (int i = 0; i < n; ++i) store(to + i * dst_step + a * kSize, words[i]);
    }
    for (; a < count_a; ++a)
      for (int i = 0; i < n; ++i) store(to + i * dst_step + a * kSize, load<T>(from + a * src_step + i * kSize));
  }
  for (; b < count_b; ++b)
    for (int64_t a = 0; a < count_a; ++a)
      store(dst + b * dst_step + a * kSize, load<T>(src + a * src_step + b * kSize));
}

// Few elements along a, which are contiguous in the destination: kCount rows become one.
template <class T, int kCount>
void interleave(const char* __restrict src, int64_t src_step, char* __restrict dst, int64_t count) {
  constexpr int64_t kSize = sizeof(T);
  for (int64_t i = 0; i < count; ++i)
    for (int a = 0; a < kCount; ++a) store(dst + (i * kCount + a) * kSize, load<T>(src + a * src_step + i * kSize));
}

// Few elements along b, which are contiguous in the source: one row becomes kCount.
template <class T, int kCount>
void deinterleave(const char* __restrict src, int64_t count, char* __restrict dst, int64_t dst_step) {
  constexpr int64_t kSize = sizeof(T);
  if constexpr (kCount == 3) {
    for (int64_t i = 0; i < count; ++i)
      for (int b = 0; b < kCount; ++b) store(dst + b * dst_step + i * kSize, load<T>(src + (i * kCount + b) * kSize));
    return;
  }
  // Row by row, a piece at a time: a compiler can vectorize one row, and cannot know that several do not overlap.
  for (int64_t begin = 0; begin < count; begin += kPieceElements) {
    const int64_t end = std::min(count, begin + kPieceElements);
    for (int b = 0; b < kCount; ++b) {
      char* const row = dst + b * dst_step;
      for (int64_t i = begin; i < end; ++i) store(row + i * kSize, load<T>(src + (i * kCount + b) * kSize));
    }
  }
}

template <class T>
bool transpose_few(const char* src, int64_t src_step, int64_t count_a, char* dst, int64_t dst_step, int64_t count_b) {
  constexpr int64_t kSize = sizeof(T);
  if (dst_step == count_a * kSize) {
    if (count_a == 2) return interleave<T, 2>(src, src_step, dst, count_b), true;
    if (count_a == 3) return interleave<T, 3>(src, src_step, dst, count_b), true;
    if (count_a == 4) return interleave<T, 4>(src, src_step, dst, count_b), true;
  }
  if (src_step == count_b * kSize) {
    if (count_b == 2) return deinterleave<T, 2>(src, count_a, dst, dst_step), true;
    if (count_b == 3) return deinterleave<T, 3>(src, count_a, dst, dst_step), true;
    if (count_b == 4) return deinterleave<T, 4>(src, count_a, dst, dst_step), true;
  }
  return false;
}

// Walks areas of a few lines by many rows, so that the rest of a line or a page is used soon. `is_large`: the arrays
// are not in a cache, so the lines of the block after the next are prefetched; without that the CPU waits for each line
// that is written.
template <class T>
void transpose_plane(const char* src, int64_t src_step, int64_t count_a, char* dst, int64_t dst_step, int64_t count_b,
                     bool is_large) {
  constexpr int64_t kSize = sizeof(T), kBlock = kLineBytes / kSize, kAreaA = 32 * kBlock, kAreaB = 4 * kBlock;
  if (transpose_few<T>(src, src_step, count_a, dst, dst_step, count_b)) return;
  const bool gather = is_large || (src_step % kAlikeBytes == 0 && count_a > kAlikeLines) ||
                      (dst_step % kAlikeBytes == 0 && count_b > kAlikeLines);
  struct BlockPlace {
    int64_t a, b;
  };
  for (int64_t area_b = 0; area_b < count_b; area_b += kAreaB) {
    const int64_t end_b = std::min(count_b, area_b + kAreaB);
    for (int64_t area_a = 0; area_a < count_a; area_a += kAreaA) {
      const int64_t end_a = std::min(count_a, area_a + kAreaA);
      const auto next = [=](BlockPlace at) {
        return at.a + kBlock < end_a ? BlockPlace{at.a + kBlock, at.b} : BlockPlace{area_a, at.b + kBlock};
      };
      BlockPlace ahead = is_large ? next(next({area_a, area_b})) : BlockPlace{0, end_b};
      for (BlockPlace at{area_a, area_b}; at.b < end_b; at = next(at)) {
        if (ahead.b < end_b) {
          const int64_t rows = std::min(kBlock, end_a - ahead.a), columns = std::min(kBlock, end_b - ahead.b);
          // A source row that begins inside a line ends in the next one, which is not prefetched yet.
          const char* from = src + ahead.a * src_step + (ahead.b + columns) * kSize - 1;
          const char* to = dst + ahead.b * dst_step + ahead.a * kSize;
          for (int64_t i = 0; i < rows; ++i) ir::prefetch<3>(from + i * src_step);
          for (int64_t i = 0; i < columns; ++i) ir::prefetch_to_write<3>(to + i * dst_step);
          ahead = next(ahead);
        }
        const auto block = gather ? transpose_block<T, true> : transpose_block<T, false>;
        block(src + at.a * src_step + at.b * kSize, src_step, std::min(kBlock, end_a - at.a),
              dst + at.b * dst_step + at.a * kSize, dst_step, std::min(kBlock, end_b - at.b));
      }
    }
  }
}

// Fills [begin, end) with a pattern of `bytes` bytes (a power of two up to 16).
inline void fill_bytes(char* begin, char* end, const unsigned char* pattern, int bytes) {
  bool same = true;
  for (int i = 1; i < bytes; ++i) same &= pattern[i] == pattern[0];
  const auto size = static_cast<size_t>(end - begin);
  if (same) {
    std::memset(begin, pattern[0], size);
    return;
  }
  for (size_t i = 0; i < size; i += static_cast<size_t>(bytes))
    std::memcpy(begin + i, pattern, static_cast<size_t>(bytes));
}

}  // namespace xlashape::scalar
