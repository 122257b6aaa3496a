// Included once per target: transposing tiles of elements of 1, 2, 4, 8 and 16 bytes.
#if defined(XLASHAPE_SIMD_TRANSPOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_TRANSPOSE_INL_H_
#undef XLASHAPE_SIMD_TRANSPOSE_INL_H_
#else
#define XLASHAPE_SIMD_TRANSPOSE_INL_H_
#endif

#include "backends/simd/lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

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

// Where the columns of a tile go: by table, or evenly spaced.
struct ByTable {
  char* base;
  const int64_t* at;
  HWY_INLINE char* operator()(int64_t c) const { return base + at[c]; }
};
struct Spaced {
  char* base;
  int64_t pitch;
  HWY_INLINE char* operator()(int64_t c) const { return base + c * pitch; }
};

// Where the rows of a tile are.
struct RowTable {
  const char* base;
  const int64_t* at;
  HWY_INLINE const char* operator()(int64_t r) const { return base + at[r]; }
  HWY_INLINE RowTable operator+(int64_t bytes) const { return {base + bytes, at}; }
};
struct Rows {
  const char* base;
  int64_t pitch;
  HWY_INLINE const char* operator()(int64_t r) const { return base + r * pitch; }
  HWY_INLINE Rows operator+(int64_t bytes) const { return {base + bytes, pitch}; }
};

// Four rows' 16 bytes each as one vector, or two, or one.
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

// 16 * kBlocks / kWidth rows of 16 bytes become 16 / kWidth columns of 16 * kBlocks bytes. Each 128-bit block is a square of
// its own: interleaving the words of row i with those of row i + half, log2 times, turns it (each round turns the bits of the
// place by one).
template <size_t kWidth, size_t kBlocks, bool kStream, class Row, class Column>
HWY_INLINE void Square(Row row, int64_t r, Column column, int64_t c) {
  using T = typename WordOf<kWidth>::Type;
  constexpr int64_t kSide = static_cast<int64_t>(16 / kWidth);
  const hn::FixedTag<T, 16 * kBlocks / sizeof(T)> d;
  using V = hn::Vec<decltype(d)>;
  V a[kSide], b[kSide];
  HWY_UNROLL(16)
  for (int64_t i = 0; i < kSide; ++i) a[i] = LoadBlocks<kBlocks, T>(row, r + i, kSide);
  HWY_UNROLL(4)
  for (int64_t round = kSide; round > 1; round /= 2) {
    HWY_UNROLL(16)
    for (int64_t i = 0; i < kSide / 2; ++i) {
      b[2 * i] = hn::InterleaveLower(d, a[i], a[i + kSide / 2]);
      b[2 * i + 1] = hn::InterleaveUpper(d, a[i], a[i + kSide / 2]);
    }
    HWY_UNROLL(16)
    for (int64_t i = 0; i < kSide; ++i) a[i] = b[i];
  }
  HWY_UNROLL(16)
  for (int64_t i = 0; i < kSide; ++i) {
    T* to = reinterpret_cast<T*>(column(c + i) + r * static_cast<int64_t>(kWidth));
    if constexpr (kStream) {
      hn::Stream(a[i], d, to);
    } else {
      hn::StoreU(a[i], d, to);
    }
  }
}

// Gathers the source of the next tile while this one is moved: each line read once and whole, to where no two rows meet in a
// cache set (rows a power of two apart would push each other out between one square and the next), and fetched some lines
// before that, since a row's next piece is in no stream that the processor follows. Measured on Zen 5: a gather alone reads 11
// GB/s without fetching ahead and 18 to 26 with 64 to 128 lines, and reading is what limits a relayout there.
inline constexpr int64_t kAheadBytes = 128 * kLine;

struct Feed {
  const char* src = nullptr;
  const char* after = nullptr;  // the source behind it, to be fetched
  const int64_t* row;
  int64_t step;  // so many rows are gathered as one
  char* to;
  int64_t pitch, bytes = 1, rows = 0, ahead, r = 0, due = 0;
  int64_t last_bytes;

  HWY_INLINE void some(int64_t amount) {
    due += amount;
    if (due >= bytes) take();
  }
  HWY_INLINE void rest() {
    due = INT64_MAX;
    take();
  }
  // Out of line: the squares' loops need all registers.
  HWY_NOINLINE void take() {
    for (; due >= bytes && r < rows; due -= bytes, ++r) {
      const int64_t far = r + ahead;
      const char* p = far < rows         ? src + row[far * step]
                      : after == nullptr ? nullptr
                                         : after + row[HWY_MIN(far - rows, rows - 1) * step];
      if (p != nullptr)
        for (int64_t i = 0; i < bytes; i += kLine) hwy::Prefetch(p + i);
      CopyOrdinary(to + r * pitch, src + row[r * step], r + 1 < rows ? bytes : last_bytes);
    }
  }
};

// How a tile's source lies in the stage. Short rows that are contiguous in the source stay so.
template <size_t kWidth>
HWY_INLINE int64_t StagedPitch(const Tile& tile, const Course& course) {
  const int64_t bytes = tile.columns * static_cast<int64_t>(kWidth);
  return course.row_run > 1 ? bytes : (bytes + kLine - 1) / kLine * kLine + kLine;
}

// Gathers `tile`; `after` follows it.
template <size_t kWidth>
HWY_INLINE Feed FeedOf(const Tile& tile, const Tile& after, const Course& course, int half) {
  Feed feed;
  feed.row = course.row;
  feed.step = course.row_step;
  feed.src = tile.src;
  feed.after = after.rows >= tile.rows && after.columns >= tile.columns ? after.src : nullptr;
  const int64_t bytes = tile.columns * static_cast<int64_t>(kWidth);
  feed.bytes = bytes * HWY_MIN(feed.step, tile.rows);
  feed.pitch = StagedPitch<kWidth>(tile, course) * feed.step;
  feed.rows = (tile.rows + feed.step - 1) / feed.step;
  feed.last_bytes = (tile.rows - (feed.rows - 1) * feed.step) * bytes;
  feed.ahead = HWY_MIN(HWY_MAX(kAheadBytes / HWY_MAX(feed.bytes, kLine), 1), feed.rows);
  feed.to = course.stage->in[half];
  return feed;
}

// Fewer rows or columns than a square has: through a padded square of bytes.
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

// All rows x columns, exactly these: where a square does not fit it is moved back over what is there already.
template <size_t kWidth, bool kStream, class Row, class Column>
HWY_NOINLINE void Cover(Row row, int64_t rows, int64_t columns, Column column, Feed& feed) {
  constexpr auto kSide = static_cast<int64_t>(16 / kWidth), kBytes = static_cast<int64_t>(kWidth);
  constexpr int64_t kTall = kSide * static_cast<int64_t>(kMaxBlocks);
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
    for (; r + kTall <= rows; r += kTall) {
      Square<kWidth, kMaxBlocks, kStream>(from, r, column, c);
      feed.some(kTall * static_cast<int64_t>(kWidth) * kSide);
    }
    if (r == rows) continue;
    if constexpr (kMaxBlocks > 1) {
      if (rows >= kTall) {
        Square<kWidth, kMaxBlocks, false>(from, rows - kTall, column, c);
        continue;
      }
    }
    if constexpr (kMaxBlocks > 2) {
      for (; r + 2 * kSide <= rows; r += 2 * kSide) Square<kWidth, 2, false>(from, r, column, c);
    }
    for (; r + kSide <= rows; r += kSide) Square<kWidth, 1, false>(from, r, column, c);
    if (r < rows) Square<kWidth, 1, false>(from, rows - kSide, column, c);
    feed.some(rows % kTall * static_cast<int64_t>(kWidth) * kSide);
  }
}

// Columns that do not count go where nobody looks.
struct Limited {
  char* base;
  int64_t pitch, columns;
  char* nowhere;
  HWY_INLINE char* operator()(int64_t c) const { return c < columns ? base + c * pitch : nowhere; }
};

// Fewer rows or columns than a square has, staged: whole squares all the same. Rows too many are overwritten by the next column
// where columns are contiguous, and lie in the gap between them, or in the slack behind the last.
template <size_t kWidth>
HWY_NOINLINE void CoverSmall(Rows in, int64_t rows, int64_t columns, char* out, int64_t pitch, Feed& feed) {
  constexpr auto kSide = static_cast<int64_t>(16 / kWidth), kBytes = static_cast<int64_t>(kWidth);
  alignas(64) char nowhere[64];
  for (int64_t c = 0; c < columns; c += kSide) {
    const auto square = [&]<size_t kBlocks>(int64_t r) HWY_ATTR {
      Square<kWidth, kBlocks, false>(in + c * kBytes + r * in.pitch, 0,
                                     Limited{out + r * kBytes, pitch, columns, nowhere}, c);
    };
    int64_t r = 0;
    if constexpr (kMaxBlocks == 4) {
      for (; r + 4 * kSide <= rows; r += 4 * kSide) square.template operator()<4>(r);
    }
    for (; r + kSide <= rows; r += kSide) square.template operator()<1>(r);
    if (r < rows) square.template operator()<1>(HWY_MAX(rows - kSide, 0));
    feed.some(HWY_MIN(columns, kSide) * rows * kBytes);
  }
}

// `kCount` streams become one, or one becomes so many: the same network of interleavings turns the bits of each place.
template <size_t kWidth, int kCount, bool kApart>
HWY_INLINE void Zip(const char* const* from, char* const* to, int64_t vectors, Feed& feed) {
  using T = typename WordOf<kWidth>::Type;
  const hn::FixedTag<T, 16 / sizeof(T)> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int kRounds = kApart ? (kWidth == 1   ? 4
                                    : kWidth == 2 ? 3
                                    : kWidth == 4 ? 2
                                                  : 1)
                                 : (kCount == 2   ? 1
                                    : kCount == 4 ? 2
                                                  : 3);
  for (int64_t v = 0; v < vectors; ++v) {
    V a[kCount], b[kCount];
    HWY_UNROLL(8)
    for (int i = 0; i < kCount; ++i)
      a[i] = hn::LoadU(d, reinterpret_cast<const T*>(kApart ? from[0] + (v * kCount + i) * 16 : from[i] + v * 16));
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
    HWY_UNROLL(8)
    for (int i = 0; i < kCount; ++i)
      hn::StoreU(a[i], d, reinterpret_cast<T*>(kApart ? to[i] + v * 16 : to[0] + (v * kCount + i) * 16));
    if (v % 8 == 7) feed.some(8 * 16 * kCount);
  }
}

template <size_t kWidth, bool kApart>
HWY_INLINE void ZipThree(const char* const* from, char* const* to, int64_t vectors, Feed& feed) {
  using T = typename WordOf<kWidth>::Type;
  const hn::FixedTag<T, 16 / sizeof(T)> d;
  hn::Vec<decltype(d)> a, b, c;
  for (int64_t v = 0; v < vectors; ++v) {
    if constexpr (kApart) {
      hn::LoadInterleaved3(d, reinterpret_cast<const T*>(from[0] + v * 48), a, b, c);
      hn::StoreU(a, d, reinterpret_cast<T*>(to[0] + v * 16));
      hn::StoreU(b, d, reinterpret_cast<T*>(to[1] + v * 16));
      hn::StoreU(c, d, reinterpret_cast<T*>(to[2] + v * 16));
    } else {
      a = hn::LoadU(d, reinterpret_cast<const T*>(from[0] + v * 16));
      b = hn::LoadU(d, reinterpret_cast<const T*>(from[1] + v * 16));
      c = hn::LoadU(d, reinterpret_cast<const T*>(from[2] + v * 16));
      hn::StoreInterleaved3(a, b, c, d, reinterpret_cast<T*>(to[0] + v * 48));
    }
    if (v % 8 == 7) feed.some(8 * 48);
  }
}

// `count` is 2, 3, 4 or 8; rounds up to whole vectors, within the slack.
template <size_t kWidth, bool kApart>
HWY_NOINLINE void ZipSome(int64_t count, const char* const* from, char* const* to, int64_t bytes, Feed& feed) {
  const int64_t vectors = (bytes + 15) / 16;
  if (count == 3) return ZipThree<kWidth, kApart>(from, to, vectors, feed);
  if (count == 2) return Zip<kWidth, 2, kApart>(from, to, vectors, feed);
  if (count == 4) return Zip<kWidth, 4, kApart>(from, to, vectors, feed);
  Zip<kWidth, 8, kApart>(from, to, vectors, feed);
}

template <size_t kWidth>
HWY_NOINLINE void Transpose(const Tile* tiles, Course& course) {
  constexpr auto kSide = static_cast<int64_t>(16 / kWidth), kBytes = static_cast<int64_t>(kWidth);
  const Tile& tile = tiles[0];
  const bool small = tile.rows < kSide || tile.columns < kSide || tile.rows * kBytes <= 8;
  Feed feed;
  if (course.store == Store::kOrdinary && (!small || tile.rows * tile.columns < 64)) {
    course.gathered = -1;  // what the tile before staged is not needed
    Cover<kWidth, false>(RowTable{tile.src, course.row}, tile.rows, tile.columns, ByTable{tile.dst, course.column},
                         feed);
    return;
  }
  int half = course.gathered;
  if (half < 0) {
    half = 0;
    FeedOf<kWidth>(tile, tiles[1], course, half).rest();
  }
  const Rows in{course.stage->in[half], StagedPitch<kWidth>(tile, course)};
  course.gathered = -1;
  if (tiles[1].rows > 0) {
    course.gathered = 1 - half;
    feed = FeedOf<kWidth>(tiles[1], tiles[2], course, 1 - half);
  }
  const int64_t height = tile.rows * kBytes;
  const uintptr_t odd = reinterpret_cast<uintptr_t>(tile.dst) | static_cast<uintptr_t>(height | course.column_bits);
  // Lines are written at once by vectors of a line, else by as many vectors as the write buffers hold together.
  if (odd % 64 == 0 && (kMaxBlocks == 4 || kSide <= 4) && !small && course.store == Store::kStream) {
    Cover<kWidth, true>(in, tile.rows, tile.columns, ByTable{tile.dst, course.column}, feed);
    feed.rest();
    return;
  }
  // Otherwise whole lines are put together on the way out, some columns at a time.
  const bool apart = in.pitch == tile.columns * kBytes;  // all columns lie next to each other, row after row
  const auto zips = [](int64_t n) { return n == 2 || n == 3 || n == 4 || n == 8; };
  const bool unzip = apart && zips(tile.columns) && tile.columns * kBytes <= 16 && kWidth < 16;
  const int64_t run = !unzip && height == course.column[tile.columns > 1 ? 1 : 0] ? course.column_run : 1;
  const bool zip = run > 1 && zips(tile.rows) && tile.rows * kBytes <= 16 && kWidth < 16;
  const int64_t pitch = run > 1 ? height : (height + kLine - 1) / kLine * kLine + kLine;
  int64_t part = kOutBytes / pitch;
  if (part >= kSide) part -= part % kSide;
  part = HWY_MAX(part, 1);
  char* const out = course.stage->out;
  for (int64_t c = 0; c < tile.columns; c += part) {
    const int64_t columns = HWY_MIN(part, tile.columns - c);
    if constexpr (kWidth < 16) {
      const char* from[8];
      char* to[8];
      if (zip) {
        for (int64_t r = 0; r < tile.rows; ++r) from[r] = in(r) + c * kBytes;
        to[0] = out;
        ZipSome<kWidth, false>(tile.rows, from, to, columns * kBytes, feed);
      } else if (unzip && part >= tile.columns) {
        from[0] = in.base;
        for (int64_t i = 0; i < columns; ++i) to[i] = out + i * pitch;
        ZipSome<kWidth, true>(columns, from, to, height, feed);
      } else if (small) {
        CoverSmall<kWidth>(in + c * kBytes, tile.rows, columns, out, pitch, feed);
      } else {
        Cover<kWidth, false>(in + c * kBytes, tile.rows, columns, Spaced{out, pitch}, feed);
      }
    } else {
      Cover<kWidth, false>(in + c * kBytes, tile.rows, columns, Spaced{out, pitch}, feed);
    }
    if (course.store == Store::kStream && tiles[1].rows > 0 && run == 1) {
      // Lines at the seams are written in parts, through the cache, and a store that misses holds up all behind it.
      for (int64_t i = 0; i < columns && c + i < tiles[1].columns; ++i) {
        const char* next = tiles[1].dst + course.column[c + i];
        hwy::Prefetch(next);
        hwy::Prefetch(next + height);
      }
    }
    for (int64_t i = 0; i < columns;) {
      const int64_t together = HWY_MIN(run - (c + i) % run, columns - i);
      Copy(tile.dst + course.column[c + i], out + i * pitch, (together - 1) * pitch + height, course.store);
      i += together;
    }
  }
  feed.rest();
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
