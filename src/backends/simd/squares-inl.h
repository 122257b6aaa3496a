/* SPDX-License-Identifier: Apache-2.0 */
// Included once per target: squares of elements of 1, 2, 4, 8 and 16 bytes, transposed in registers.
#if defined(XLASHAPE_SIMD_SQUARES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_SQUARES_INL_H_
#undef XLASHAPE_SIMD_SQUARES_INL_H_
#else
#define XLASHAPE_SIMD_SQUARES_INL_H_
#endif

#include "backends/simd/units-inl.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

// Vectors of at most one line, in blocks of 16 bytes.
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
inline constexpr size_t kMaxBlocks = 4;
#elif HWY_TARGET == HWY_AVX2
inline constexpr size_t kMaxBlocks = 2;
#else
inline constexpr size_t kMaxBlocks = 1;
#endif
template <size_t kBlocks>
using Blocks = hn::FixedTag<uint8_t, 16 * kBlocks>;

template <size_t kWidth>
struct WordOf {
  using Type = uint64_t;
};
template <>
struct WordOf<1> {
  using Type = uint8_t;
};
template <>
struct WordOf<2> {
  using Type = uint16_t;
};
template <>
struct WordOf<4> {
  using Type = uint32_t;
};

// Loads 16 bytes each of four rows, two rows or one row as one vector.
template <size_t kBlocks, class T, class Row>
HWY_INLINE auto LoadBlocks(Row row, int64_t r, int64_t distance) {
  const hn::FixedTag<T, 16 / sizeof(T)> d1;
  const auto load = [&](int64_t k) { return hn::LoadU(d1, reinterpret_cast<const T*>(row(r + k * distance))); };
  if constexpr (kBlocks == 1) {
    return load(0);
  } else {
    const hn::FixedTag<T, 32 / sizeof(T)> d2;
    const auto low = hn::Combine(d2, load(1), load(0));
    if constexpr (kBlocks == 2) {
      return low;
    } else {
      const hn::FixedTag<T, 64 / sizeof(T)> d4;
      return hn::Combine(d4, hn::Combine(d2, load(3), load(2)), low);
    }
  }
}

// The network of interleavings that all transpositions are made of: in each round vector i meets the one half of them
// further, which rotates the bits of each element's place by one.
template <int64_t kCount, int kRounds, class D>
HWY_INLINE void Interleave(D d, hn::Vec<D>* a) {
  hn::Vec<D> b[kCount];
  HWY_UNROLL(4)
  for (int round = 0; round < kRounds; ++round) {
    HWY_UNROLL(8)
    for (int64_t i = 0; i < kCount / 2; ++i) {
      b[2 * i] = hn::InterleaveLower(d, a[i], a[i + kCount / 2]);
      b[2 * i + 1] = hn::InterleaveUpper(d, a[i], a[i + kCount / 2]);
    }
    HWY_UNROLL(16)
    for (int64_t i = 0; i < kCount; ++i) a[i] = b[i];
  }
}
constexpr int Log2(int64_t power) { return power > 1 ? 1 + Log2(power / 2) : 0; }

// 16 * kBlocks / kWidth rows of 16 bytes become 16 / kWidth columns of 16 * kBlocks bytes. Each 128-bit block is a
// separate square.
template <size_t kWidth, size_t kBlocks>
struct SquareOf {
  using T = typename WordOf<kWidth>::Type;
  static constexpr auto kSide = static_cast<int64_t>(16 / kWidth);
  using D = hn::FixedTag<T, 16 * kBlocks / sizeof(T)>;
  using V = hn::Vec<D>;

  // `a` receives the columns.
  template <class Row>
  static HWY_INLINE void Take(Row row, int64_t r, V* a) {
    HWY_UNROLL(16)
    for (int64_t i = 0; i < kSide; ++i) a[i] = LoadBlocks<kBlocks, T>(row, r + i, kSide);
    Interleave<kSide, Log2(kSide)>(D(), a);
  }
};

template <size_t kWidth, size_t kBlocks, bool kStream, class Row, class Column>
HWY_INLINE void Square(Row row, int64_t r, Column column, int64_t c) {
  using Of = SquareOf<kWidth, kBlocks>;
  const typename Of::D d;
  typename Of::V a[Of::kSide];
  Of::Take(row, r, a);
  HWY_UNROLL(16)
  for (int64_t i = 0; i < Of::kSide; ++i) {
    auto* to = reinterpret_cast<typename Of::T*>(column(c + i) + r * static_cast<int64_t>(kWidth));
    if constexpr (kStream) {
      StreamVector(a[i], d, to);
    } else {
      hn::StoreU(a[i], d, to);
    }
  }
}

// As many squares, one below the other, as make a line of each column, which is written at once.
template <size_t kWidth, class Row, class Column>
HWY_INLINE void SquaresOfLines(Row row, int64_t r, Column column, int64_t c) {
  using Of = SquareOf<kWidth, kMaxBlocks>;
  constexpr auto kSquares = static_cast<int64_t>(4 / kMaxBlocks);
  typename Of::V a[kSquares][Of::kSide];
  HWY_UNROLL(4)
  for (int64_t k = 0; k < kSquares; ++k) Of::Take(row, r + k * Of::kSide * static_cast<int64_t>(kMaxBlocks), a[k]);
  HWY_UNROLL(16)
  for (int64_t i = 0; i < Of::kSide; ++i) {
    char* const to = column(c + i) + r * static_cast<int64_t>(kWidth);
#if HWY_ARCH_ARM_A64 && !HWY_COMPILER_MSVC
    const hn::FixedTag<uint8_t, 16> d;
    StreamPairs(to, hn::BitCast(d, a[0][i]).raw, hn::BitCast(d, a[1][i]).raw, hn::BitCast(d, a[2][i]).raw,
                hn::BitCast(d, a[3][i]).raw);
#else
    const typename Of::D d;
    HWY_UNROLL(4)
    for (int64_t k = 0; k < kSquares; ++k)
      StreamVector(a[k][i], d, reinterpret_cast<typename Of::T*>(to) + k * static_cast<int64_t>(hn::MaxLanes(d)));
#endif
  }
}

#if HWY_ARCH_X86
// 64 / kWidth rows of a line become as many columns of a line, which are written whole, one after the other. In each
// quarter of the rows, blocks of 16 bytes are transposed by themselves; the four blocks of a column are then in four
// vectors.
template <size_t kWidth, bool kStream>
struct LineSquareOf {
  using T = typename WordOf<kWidth>::Type;
  static constexpr int64_t kWords = kWidth == 16 ? 1 : 16 / kWidth;     // words of a block, rows of a quarter
  static constexpr int64_t kBlocks = kMaxBlocks, kParts = 4 / kBlocks;  // of a vector; vectors of a line
  static constexpr int64_t kLanes = 16 * kBlocks / sizeof(T);
  using D = hn::FixedTag<T, kLanes>;
  using V = hn::Vec<D>;

  // Block j of `a`, `b`, `c`, `d` becomes column first + j * kWords.
  template <class Column>
  static HWY_INLINE void Put(V a, V b, V c, V d, Column column, int64_t first, int64_t bytes) {
    const auto put = [&](int64_t j, auto... vector) HWY_ATTR {
      T* to = reinterpret_cast<T*>(column(first + j * kWords) + bytes);
      const auto store = [&](V v) HWY_ATTR {
        if constexpr (kStream) {
          StreamVector(v, D(), to);
        } else {
          hn::StoreU(v, D(), to);
        }
        to += kLanes;
      };
      (store(vector), ...);
    };
    if constexpr (kMaxBlocks == 1) {
      put(0, a, b, c, d);
    } else if constexpr (kMaxBlocks == 2) {
      put(0, hn::ConcatLowerLower(D(), b, a), hn::ConcatLowerLower(D(), d, c));
      put(1, hn::ConcatUpperUpper(D(), b, a), hn::ConcatUpperUpper(D(), d, c));
    } else {
#if HWY_TARGET <= HWY_AVX3
      // Highway has no operation that exchanges blocks of two vectors.
      const __m512i even_ab = _mm512_shuffle_i32x4(a.raw, b.raw, 0x88),
                    odd_ab = _mm512_shuffle_i32x4(a.raw, b.raw, 0xDD);
      const __m512i even_cd = _mm512_shuffle_i32x4(c.raw, d.raw, 0x88),
                    odd_cd = _mm512_shuffle_i32x4(c.raw, d.raw, 0xDD);
      put(0, V{_mm512_shuffle_i32x4(even_ab, even_cd, 0x88)});
      put(1, V{_mm512_shuffle_i32x4(odd_ab, odd_cd, 0x88)});
      put(2, V{_mm512_shuffle_i32x4(even_ab, even_cd, 0xDD)});
      put(3, V{_mm512_shuffle_i32x4(odd_ab, odd_cd, 0xDD)});
#endif
    }
  }
};

template <size_t kWidth, bool kStream, class Row, class Column>
HWY_INLINE void LineSquare(Row row, int64_t r, Column column, int64_t c) {
  using Of = LineSquareOf<kWidth, kStream>;
  using T = typename Of::T;
  using V = typename Of::V;
  constexpr int64_t kWords = Of::kWords, kParts = Of::kParts;
  const typename Of::D d;
  const int64_t bytes = r * static_cast<int64_t>(kWidth);
  const auto take = [&](int64_t quarter, int64_t part, V* a) HWY_ATTR {
    HWY_UNROLL(16)
    for (int64_t i = 0; i < kWords; ++i)
      a[i] = hn::LoadU(d, reinterpret_cast<const T*>(row(r + quarter * kWords + i)) + part * Of::kLanes);
    Interleave<kWords, Log2(kWords)>(d, a);
  };
  const auto first = [&](int64_t part, int64_t w) HWY_ATTR { return c + (part * Of::kBlocks * kWords + w); };
  if constexpr (kWidth >= 4) {
    HWY_UNROLL(4)
    for (int64_t part = 0; part < kParts; ++part) {
      V a[4][kWords];
      HWY_UNROLL(4)
      for (int64_t quarter = 0; quarter < 4; ++quarter) take(quarter, part, a[quarter]);
      HWY_UNROLL(4)
      for (int64_t w = 0; w < kWords; ++w) Of::Put(a[0][w], a[1][w], a[2][w], a[3][w], column, first(part, w), bytes);
    }
  } else {
    // More vectors than registers: a quarter of the rows at a time.
    alignas(64) T transposed[4][kParts][kWords][Of::kLanes];
    for (int64_t quarter = 0; quarter < 4; ++quarter) {
      HWY_UNROLL(4)
      for (int64_t part = 0; part < kParts; ++part) {
        V a[kWords];
        take(quarter, part, a);
        HWY_UNROLL(16)
        for (int64_t i = 0; i < kWords; ++i) hn::Store(a[i], d, transposed[quarter][part][i]);
      }
    }
    const auto get = [&](int64_t quarter, int64_t part, int64_t w)
                         HWY_ATTR { return hn::Load(d, transposed[quarter][part][w]); };
    for (int64_t part = 0; part < kParts; ++part)
      for (int64_t w = 0; w < kWords; ++w)
        Of::Put(get(0, part, w), get(1, part, w), get(2, part, w), get(3, part, w), column, first(part, w), bytes);
  }
}
#else
template <size_t kWidth, bool kStream, class Row, class Column>
HWY_INLINE void LineSquare(Row, int64_t, Column, int64_t) {}
#endif

// From how many bytes of an element on squares are lines on both sides. With vectors of 16 bytes, single bytes take too
// many of them: u8[4096,4096] takes a fifth longer than by panels (Zen 4, SSE4).
#if HWY_ARCH_X86
inline constexpr size_t kLineSquares = kMaxBlocks > 1 ? 1 : 2;
#else
inline constexpr size_t kLineSquares = 32;
#endif
// From how many on columns are written past the caches in whole lines without a stage: also where few columns are
// written at a time.
inline constexpr size_t kWholeLines = HWY_MIN(kLineSquares, 4);

// Fewer rows or columns than a square has: they go through a padded square of bytes.
template <size_t kWidth, class Row, class Column>
HWY_NOINLINE void Corner(Row row, int64_t r, int64_t rows, int64_t c, int64_t columns, Column column) {
  alignas(16) char in[16 * 16];
  alignas(16) char out[16 * 16];
  const int64_t width = columns * static_cast<int64_t>(kWidth), height = rows * static_cast<int64_t>(kWidth);
  for (int64_t i = 0; i < rows; ++i) CopyShort(in + 16 * i, row(r + i), width);
  Square<kWidth, 1, false>(EvenRows{in, 16}, 0, EvenColumns{out, 16}, 0);
  for (int64_t i = 0; i < columns; ++i)
    CopyShort(column(c + i) + r * static_cast<int64_t>(kWidth), out + 16 * i, height);
}

// Transposes exactly rows x columns: a square that does not fit is moved back over what is written already.
template <size_t kWidth, bool kStream, size_t kBlocks = kMaxBlocks, class Row, class Column>
HWY_NOINLINE void Cover(Row row, int64_t rows, int64_t columns, Column column) {
  constexpr auto kSide = static_cast<int64_t>(16 / kWidth), kBytes = static_cast<int64_t>(kWidth);
  constexpr int64_t kTall = kSide * static_cast<int64_t>(kBlocks);
  if (rows < kSide || columns < kSide) {
    for (int64_t r = 0; r < rows; r += kSide) {
      const int64_t height = HWY_MIN(kSide, rows - r);
      for (int64_t c = 0; c < columns; c += kSide)
        Corner<kWidth>(row + c * kBytes, r, height, c, HWY_MIN(kSide, columns - c), column);
    }
    return;
  }
  for (int64_t c = 0; c < columns; c += kSide) {
    if (c + kSide > columns) c = columns - kSide;
    const Row from = row + c * kBytes;
    int64_t r = 0;
    if constexpr (kStream && kMaxBlocks < 4) {
      for (; r + 4 * kSide <= rows; r += 4 * kSide) SquaresOfLines<kWidth>(from, r, column, c);
    }
    for (; r + kTall <= rows; r += kTall) Square<kWidth, kBlocks, kStream>(from, r, column, c);
    if (r == rows) continue;
    if constexpr (kBlocks > 1) {
      if (rows >= kTall && r + kSide < rows) {
        Square<kWidth, kBlocks, false>(from, rows - kTall, column, c);
        continue;
      }
    }
    if constexpr (kBlocks > 2) {
      for (; r + 2 * kSide <= rows; r += 2 * kSide) Square<kWidth, 2, false>(from, r, column, c);
    }
    for (; r + kSide <= rows; r += kSide) Square<kWidth, 1, false>(from, r, column, c);
    if (r < rows) Square<kWidth, 1, false>(from, rows - kSide, column, c);
  }
}

// Rows that are read several times, 16 bytes each: see `rereads`.
template <size_t kWidth>
HWY_INLINE void CoverNear(EvenRows row, int64_t rows, int64_t columns, EvenColumns column) {
  Cover<kWidth, false, HWY_MIN(kMaxBlocks, 2)>(row, rows, columns, column);
}

// One strip is all rows x at most a line of columns.
template <size_t kWidth, bool kStream, class Row, class Column>
HWY_INLINE void Strip(Row row, int64_t rows, int64_t columns, Column column, int64_t c) {
  constexpr auto kSide = static_cast<int64_t>(64 / kWidth);
  if constexpr (kWidth >= kLineSquares) {
    if (columns == kSide && rows >= kSide) {
      int64_t r = 0;
      for (; r + kSide <= rows; r += kSide) LineSquare<kWidth, kStream>(row, r, column, c);
      if (r < rows) LineSquare<kWidth, false>(row, rows - kSide, column, c);
      return;
    }
  }
  Cover<kWidth, kStream>(row, rows, columns, column + c);
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
