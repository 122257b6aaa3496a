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
HWY_INLINE auto LoadBlocks(Row row, int64_t r, int64_t apart) {
  const hn::FixedTag<T, 16 / sizeof(T)> d1;
  const auto load = [&](int64_t k) { return hn::LoadU(d1, reinterpret_cast<const T*>(row(r + k * apart))); };
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

// Four squares, one below the other, so that each column of them is a line that is written at once.
#if HWY_ARCH_ARM_A64 && !HWY_COMPILER_MSVC
template <size_t kWidth, class Row, class Column>
HWY_INLINE void FourSquares(Row row, int64_t r, Column column, int64_t c) {
  using Of = SquareOf<kWidth, 1>;
  typename Of::V a[4][Of::kSide];
  HWY_UNROLL(4)
  for (int64_t k = 0; k < 4; ++k) Of::Take(row, r + k * Of::kSide, a[k]);
  const hn::FixedTag<uint8_t, 16> d;
  HWY_UNROLL(16)
  for (int64_t i = 0; i < Of::kSide; ++i)
    StreamPairs(column(c + i) + r * static_cast<int64_t>(kWidth), hn::BitCast(d, a[0][i]).raw,
                hn::BitCast(d, a[1][i]).raw, hn::BitCast(d, a[2][i]).raw, hn::BitCast(d, a[3][i]).raw);
}
#else
template <size_t kWidth, class Row, class Column>
HWY_INLINE void FourSquares(Row, int64_t, Column, int64_t) {}
#endif

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
// 64 / kWidth rows of a line become as many columns of a line, and each line is read once and whole. Each round within
// blocks rotates the upper bits of the place in `a` and the bits within a block by one; rows are loaded in the order
// that this undoes. Then the four blocks of four vectors are exchanged, for which Highway has no operation on two
// vectors.
template <size_t kWidth, bool kStream>
struct LineSquareOf {
  using T = typename WordOf<kWidth>::Type;
  static constexpr int64_t kSide = 64 / kWidth,
                           kWords = kWidth == 16 ? 1 : 16 / kWidth;  // rows of the square; words of a block
  using D = hn::FixedTag<T, 64 / sizeof(T)>;
  using V = hn::Vec<D>;

  // Block j of `a`, `b`, `c`, `d` becomes column first + j * kWords.
  template <class Column>
  static HWY_INLINE void Put(__m512i a, __m512i b, __m512i c, __m512i d, Column column, int64_t first, int64_t bytes) {
    const auto put = [&](int64_t j, __m512i line) HWY_ATTR {
      T* to = reinterpret_cast<T*>(column(first + j * kWords) + bytes);
      if constexpr (kStream) {
        StreamVector(V{line}, D(), to);
      } else {
        hn::StoreU(V{line}, D(), to);
      }
    };
    const __m512i even_ab = _mm512_shuffle_i32x4(a, b, 0x88), odd_ab = _mm512_shuffle_i32x4(a, b, 0xDD);
    const __m512i even_cd = _mm512_shuffle_i32x4(c, d, 0x88), odd_cd = _mm512_shuffle_i32x4(c, d, 0xDD);
    put(0, _mm512_shuffle_i32x4(even_ab, even_cd, 0x88));
    put(1, _mm512_shuffle_i32x4(odd_ab, odd_cd, 0x88));
    put(2, _mm512_shuffle_i32x4(even_ab, even_cd, 0xDD));
    put(3, _mm512_shuffle_i32x4(odd_ab, odd_cd, 0xDD));
  }
};

template <size_t kWidth, bool kStream, class Row, class Column>
HWY_INLINE void LineSquare(Row row, int64_t r, Column column, int64_t c) {
  using Of = LineSquareOf<kWidth, kStream>;
  using T = typename Of::T;
  constexpr int64_t kSide = Of::kSide, kWords = Of::kWords;
  const typename Of::D d;
  const int64_t bytes = r * static_cast<int64_t>(kWidth);
  const auto load = [&](int64_t i) HWY_ATTR { return hn::LoadU(d, reinterpret_cast<const T*>(row(r + i))); };
  if constexpr (kWidth >= 4) {
    typename Of::V a[kSide];
    HWY_UNROLL(16)
    for (int64_t i = 0; i < kSide; ++i) a[i] = load(i % 4 * kWords + i / 4);
    Interleave<kSide, Log2(kWords)>(d, a);
    HWY_UNROLL(4)
    for (int64_t w = 0; w < kWords; ++w)
      Of::Put(a[w].raw, a[kWords + w].raw, a[2 * kWords + w].raw, a[3 * kWords + w].raw, column, c + w, bytes);
  } else {
    // More vectors than registers: a quarter of the rows at a time.
    alignas(64) T transposed[4][kWords][64 / sizeof(T)];
    for (int64_t quarter = 0; quarter < 4; ++quarter) {
      typename Of::V a[kWords];
      HWY_UNROLL(16)
      for (int64_t i = 0; i < kWords; ++i) a[i] = load(quarter * kWords + i);
      Interleave<kWords, Log2(kWords)>(d, a);
      HWY_UNROLL(16)
      for (int64_t i = 0; i < kWords; ++i) hn::Store(a[i], d, transposed[quarter][i]);
    }
    for (int64_t w = 0; w < kWords; ++w)
      Of::Put(hn::Load(d, transposed[0][w]).raw, hn::Load(d, transposed[1][w]).raw, hn::Load(d, transposed[2][w]).raw,
              hn::Load(d, transposed[3][w]).raw, column, c + w, bytes);
  }
}
inline constexpr bool kLineSquares = true;
#else
template <size_t kWidth, bool kStream, class Row, class Column>
HWY_INLINE void LineSquare(Row, int64_t, Column, int64_t) {}
inline constexpr bool kLineSquares = false;
#endif

// Fewer rows or columns than a square has: they go through a padded square of bytes.
template <size_t kWidth, class Row, class Column>
HWY_NOINLINE void Corner(Row row, int64_t r, int64_t rows, int64_t c, int64_t columns, Column column) {
  alignas(16) char in[16 * 16];
  alignas(16) char out[16 * 16];
  const int64_t width = columns * static_cast<int64_t>(kWidth), height = rows * static_cast<int64_t>(kWidth);
  for (int64_t i = 0; i < rows; ++i) CopyShort(in + 16 * i, row(r + i), width);
  Square<kWidth, 1, false>(Rows{in, 16}, 0, Spaced{out, 16}, 0);
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
    if constexpr (kStream && kStreamsPairs) {
      for (; r + 4 * kSide <= rows; r += 4 * kSide) FourSquares<kWidth>(from, r, column, c);
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
HWY_INLINE void CoverNear(Rows row, int64_t rows, int64_t columns, Spaced column) {
  Cover<kWidth, false, HWY_MIN(kMaxBlocks, 2)>(row, rows, columns, column);
}

// One strip is all rows x at most a line of columns.
template <size_t kWidth, bool kStream, class Row, class Column>
HWY_INLINE void Strip(Row row, int64_t rows, int64_t columns, Column column, int64_t c) {
  constexpr auto kSide = static_cast<int64_t>(64 / kWidth);
  if constexpr (kLineSquares) {
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
