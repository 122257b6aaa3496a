// Included once per target: transposing tiles of elements of 1, 2, 4, 8 and 16 bytes.
#if defined(XLASHAPE_SIMD_TRANSPOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_TRANSPOSE_INL_H_
#undef XLASHAPE_SIMD_TRANSPOSE_INL_H_
#else
#define XLASHAPE_SIMD_TRANSPOSE_INL_H_
#endif

#include "backends/simd/narrow-inl.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

// Columns [begin, end) of a tile, a line of the source at a time; `column` counts from begin.
template <size_t kWidth, bool kStream, class Column>
HWY_INLINE void Strips(const Tile& tile, const Course& course, Column column, int64_t begin, int64_t end,
                       Fetch& fetch) {
  constexpr auto kSide = static_cast<int64_t>(64 / kWidth), kBytes = static_cast<int64_t>(kWidth);
  char* const stage = course.stage->in[0];
  for (int64_t c = begin; c < end; c += kSide) {
    if (c + kSide > end) c = HWY_MAX(end - kSide, begin);
    const int64_t columns = HWY_MIN(kSide, end - c);
    const RowTable row{tile.src + c * kBytes, course.row};
    if (kLineSquares || course.store == Store::kOrdinary) {
      Strip<kWidth, kStream>(row, tile.rows, columns, column, c - begin);
    } else {
      // Squares read a line in several parts: from where no two rows meet in a cache set.
      for (int64_t r = 0; r < tile.rows; ++r) CopyOrdinary(stage + r * kLine, row(r), columns * kBytes);
      Strip<kWidth, kStream>(Rows{stage, kLine}, tile.rows, columns, column, c - begin);
    }
    fetch.some(tile.rows);
  }
}

// Elements that lie alone on one side.
template <size_t kWidth>
HWY_NOINLINE void ScatterTile(const Tile& tile, const Course& course) {
  constexpr auto kBytes = static_cast<int64_t>(kWidth);
  for (int64_t c = 0; c < tile.columns; c += course.even_columns)
    MoveEven<kBytes>(tile.dst + course.column[c], course.columns_apart, tile.src + c * kBytes, kBytes,
                     HWY_MIN(course.even_columns, tile.columns - c));
}
template <size_t kWidth>
HWY_NOINLINE void GatherTile(const Tile& tile, const Course& course) {
  constexpr auto kBytes = static_cast<int64_t>(kWidth);
  char* const out = course.stage->out;
  for (int64_t r = 0; r < tile.rows;) {
    const int64_t rows = HWY_MIN(tile.rows - r, kOutBytes / kBytes);
    for (int64_t i = 0; i < rows;) {
      const int64_t even = HWY_MIN(course.even_rows - (r + i) % course.even_rows, rows - i);
      MoveEven<kBytes>(out + i * kBytes, kBytes, tile.src + course.row[r + i], course.rows_apart, even);
      i += even;
    }
    Copy(tile.dst + r * kBytes, out, rows * kBytes, course.store);
    r += rows;
  }
}

template <size_t kWidth>
HWY_NOINLINE void Transpose(const Tile* tiles, Course& course) {
  constexpr auto kSide = static_cast<int64_t>(16 / kWidth), kBytes = static_cast<int64_t>(kWidth);
  const Tile& tile = tiles[0];
  const ByTable column{tile.dst, course.column};
  if constexpr (kWidth < 16) {
    if (tile.rows == 1 || tile.columns == 1) {
      course.gathered = -1;
      return tile.rows == 1 ? ScatterTile<kWidth>(tile, course) : GatherTile<kWidth>(tile, course);
    }
    // All of a block's tiles, small ones too: other kernels stage the next tile, for which these have no room.
    if (course.unzips) return UnzipTile<kWidth>(tiles, course);
    if (course.zips) return ZipTile<kWidth>(tiles, course);
    if (course.narrow && (course.store == Store::kStream || tile.rows * tile.columns >= 64))
      return TransposeNarrow<kWidth>(tiles, course);
    course.gathered = -1;  // what the tile before staged is not needed
    if (tile.rows < kSide || tile.columns < kSide)
      return Cover<kWidth, false>(RowTable{tile.src, course.row}, tile.rows, tile.columns, column);
  }
  const bool even = course.even_rows >= tile.rows && course.even_columns >= tile.columns;
  if (even && course.store == Store::kOrdinary && Rereads<kWidth>(course.rows_apart, tile.rows))
    return CoverNear<kWidth>(Rows{tile.src, course.rows_apart}, tile.rows, tile.columns,
                             Spaced{tile.dst, course.columns_apart});
  Fetch fetch(tiles[1], course, 1);
  if (course.store == Store::kOrdinary) return Strips<kWidth, false>(tile, course, column, 0, tile.columns, fetch);
  const int64_t height = tile.rows * kBytes;
  const uintptr_t odd = reinterpret_cast<uintptr_t>(tile.dst) | static_cast<uintptr_t>(height | course.column_bits);
  // Lines are written at once by vectors of a line, else by as many vectors as the write buffers hold together.
  if (odd % 64 == 0 && (kMaxBlocks == 4 || kSide <= 4))
    return Strips<kWidth, true>(tile, course, column, 0, tile.columns, fetch);
  // Otherwise whole lines are put together on the way out, some columns at a time.
  constexpr int64_t kStrip = static_cast<int64_t>(64 / kWidth);
  const int64_t run = height == course.column[tile.columns > 1 ? 1 : 0] ? course.column_run : 1;
  const int64_t pitch = run > 1 ? height : (height + kLine - 1) / kLine * kLine + kLine;
  int64_t part = kOutBytes / pitch;
  if (part >= kStrip) part -= part % kStrip;
  part = HWY_MAX(part, 1);
  char* const out = course.stage->out;
  for (int64_t c = 0; c < tile.columns; c += part) {
    const int64_t columns = HWY_MIN(part, tile.columns - c);
    Strips<kWidth, false>(tile, course, Spaced{out, pitch}, c, c + columns, fetch);
    if (run == 1) FetchSeams(tiles[1], course, c, columns, height);
    for (int64_t i = 0; i < columns;) {
      const int64_t together = HWY_MIN(run - (c + i) % run, columns - i);
      CopyStream(tile.dst + course.column[c + i], out + i * pitch, (together - 1) * pitch + height);
      i += together;
    }
  }
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
