// Included once per target: tiles with fewer rows or columns than a square: staged, zipped and unzipped.
#if defined(XLASHAPE_SIMD_NARROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_NARROW_INL_H_
#undef XLASHAPE_SIMD_NARROW_INL_H_
#else
#define XLASHAPE_SIMD_NARROW_INL_H_
#endif

#include "backends/simd/squares-inl.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

// Lines at the seams between tiles are written in parts, through the cache, and a store that misses holds up all behind it.
HWY_INLINE void FetchSeams(const Tile& next, const Course& course, int64_t c, int64_t columns, int64_t height) {
  for (int64_t i = c; i < c + columns && i < next.columns && next.rows > 0; ++i) {
    hwy::Prefetch(next.dst + course.column[i]);
    hwy::Prefetch(next.dst + course.column[i] + height);
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
HWY_NOINLINE void TransposeNarrow(const Tile* tiles, Course& course) {
  constexpr auto kSide = static_cast<int64_t>(16 / kWidth), kBytes = static_cast<int64_t>(kWidth);
  const Tile& tile = tiles[0];
  int half = course.gathered;
  if (half < 0) {
    half = 0;
    FeedOf<kWidth>(tile, tiles[1], course, half).rest();
  }
  const Rows in{course.stage->in[half], StagedPitch<kWidth>(tile, course)};
  Feed feed;
  course.gathered = -1;
  if (tiles[1].rows > 0) {
    course.gathered = 1 - half;
    feed = FeedOf<kWidth>(tiles[1], tiles[2], course, 1 - half);
  }
  const int64_t height = tile.rows * kBytes;
  const bool apart = in.pitch == tile.columns * kBytes;  // all columns lie next to each other, row after row
  const auto zips = [](int64_t n) { return n == 2 || n == 3 || n == 4 || n == 8; };
  const bool unzip = apart && zips(tile.columns) && tile.columns * kBytes <= 16;
  const int64_t run = !unzip && height == course.column[tile.columns > 1 ? 1 : 0] ? course.column_run : 1;
  const bool zip = run > 1 && zips(tile.rows) && tile.rows * kBytes <= 16;
  const int64_t pitch = run > 1 ? height : (height + kLine - 1) / kLine * kLine + kLine;
  int64_t part = kOutBytes / pitch;
  if (part >= kSide) part -= part % kSide;
  part = HWY_MAX(part, 1);
  char* const out = course.stage->out;
  for (int64_t c = 0; c < tile.columns; c += part) {
    const int64_t columns = HWY_MIN(part, tile.columns - c);
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
    } else {
      CoverSmall<kWidth>(in + c * kBytes, tile.rows, columns, out, pitch, feed);
    }
    if (course.store == Store::kStream && run == 1) FetchSeams(tiles[1], course, c, columns, height);
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
