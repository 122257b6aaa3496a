/* SPDX-License-Identifier: Apache-2.0 */
// Included once per target: transposes tiles of elements of 1, 2, 4, 8 and 16 bytes.
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
HWY_INLINE void Strips(const Tile& tile, const TileParams& params, Column column, int64_t begin, int64_t end,
                       Fetch& fetch) {
  constexpr auto kSide = static_cast<int64_t>(64 / kWidth), kBytes = static_cast<int64_t>(kWidth);
  char* const stage = params.stage->in[0];
  // Squares of less than a line read each line in several parts, between which rows a power of two apart evict each
  // other: out of a stage f32[1024,1024] took a third of the time with AVX2, before its squares were lines.
  const bool is_distant =
      params.store == Store::kStream || (params.row_distance & -params.row_distance) * tile.rows > kGatherBytes;
  constexpr bool kLines = kWidth >= kLineSquares;
  // Single bytes in vectors of 32 bytes: u8[1000,2000] takes 1.1 times as long by lines, u8[1024,1024] 0.8 (Zen 4).
  const bool lines = kLines && (is_distant || kWidth > 1 || kMaxBlocks == 4);
  for (int64_t c = begin; c < end; c += kSide) {
    if (c + kSide > end) c = HWY_MAX(end - kSide, begin);
    const int64_t columns = HWY_MIN(kSide, end - c);
    const RowTable row{tile.src + c * kBytes, params.row};
    if (lines) {
      Strip<kWidth, kStream>(row, tile.rows, columns, column, c - begin);
    } else if (kLines || !is_distant) {
      Cover<kWidth, kStream>(row, tile.rows, columns, column + (c - begin));
    } else {
      assert(tile.rows * kLine <= kGatherBytes);
      for (int64_t r = 0; r < tile.rows; ++r) CopyOrdinary(stage + r * kLine, row(r), columns * kBytes);
      Cover<kWidth, kStream>(EvenRows{stage, kLine}, tile.rows, columns, column + (c - begin));
    }
    fetch.some(tile.rows);
  }
}

// Tiles of a single row; and of a single column below.
template <size_t kWidth>
HWY_NOINLINE void ScatterTile(const Tile& tile, const TileParams& params) {
  constexpr auto kBytes = static_cast<int64_t>(kWidth);
  for (int64_t c = 0; c < tile.columns; c += params.even_columns)
    CopyEach<kBytes>(EvenColumns{tile.dst + params.column[c], params.column_distance},
                     EvenRows{tile.src + c * kBytes, kBytes}, HWY_MIN(params.even_columns, tile.columns - c));
}
template <size_t kWidth>
HWY_NOINLINE void GatherTile(const Tile& tile, const TileParams& params) {
  constexpr auto kBytes = static_cast<int64_t>(kWidth);
  char* const out = params.stage->out;
  for (int64_t r = 0; r < tile.rows;) {
    const int64_t rows = HWY_MIN(tile.rows - r, kOutBytes / kBytes);
    for (int64_t i = 0; i < rows;) {
      const int64_t even = HWY_MIN(params.even_rows - (r + i) % params.even_rows, rows - i);
      CopyEach<kBytes>(EvenColumns{out + i * kBytes, kBytes},
                       EvenRows{tile.src + params.row[r + i], params.row_distance}, even);
      i += even;
    }
    Copy(tile.dst + r * kBytes, out, rows * kBytes, params.store);
    r += rows;
  }
}

template <size_t kWidth>
HWY_NOINLINE void Transpose(const Tile* tiles, TileParams& params) {
  constexpr auto kSide = static_cast<int64_t>(16 / kWidth), kBytes = static_cast<int64_t>(kWidth);
  const Tile& tile = tiles[0];
  const ColumnTable column{tile.dst, params.column};
  if constexpr (kWidth < 16) {
    if (params.near)
      return CoverNear<kWidth>(EvenRows{tile.src, params.row_distance}, tile.rows, tile.columns,
                               EvenColumns{tile.dst, params.column_distance});
    if (params.planes == 1 && (tile.rows == 1 || tile.columns == 1)) {
      params.gathered = -1;
      return tile.rows == 1 ? ScatterTile<kWidth>(tile, params) : GatherTile<kWidth>(tile, params);
    }
    // These take all tiles of a plan, small ones too: other kernels stage the next tile, for which these have no room.
    if (params.unzips) return UnzipTile<kWidth>(tiles, params);
    if (params.zips) return ZipTile<kWidth>(tiles, params);
    if (params.narrow && (params.store == Store::kStream || tile.rows * tile.columns >= 64))
      return TransposeNarrow<kWidth>(tiles, params);
    params.gathered = -1;  // what the previous tile staged is not used
    if (tile.rows < kSide || tile.columns < kSide)
      return Cover<kWidth, false>(RowTable{tile.src, params.row}, tile.rows, tile.columns, column);
  }
  Fetch fetch(tiles[1], params, 1);
  if (params.store == Store::kOrdinary) return Strips<kWidth, false>(tile, params, column, 0, tile.columns, fetch);
  const int64_t height = tile.rows * kBytes;
  const uintptr_t odd = reinterpret_cast<uintptr_t>(tile.dst) | static_cast<uintptr_t>(height | params.column_bits);
  if (odd % 64 == 0 && kWidth >= kWholeLines) return Strips<kWidth, true>(tile, params, column, 0, tile.columns, fetch);
  // Otherwise whole lines are assembled in the stage, some columns at a time.
  constexpr int64_t kStrip = static_cast<int64_t>(64 / kWidth);
  const int64_t run = height == params.column[tile.columns > 1 ? 1 : 0] ? params.column_run : 1;
  const int64_t pitch = run > 1 ? height : (height + kLine - 1) / kLine * kLine + kLine;
  int64_t part = kOutBytes / pitch;
  if (part >= kStrip) part -= part % kStrip;
  part = HWY_MAX(part, 1);
  char* const out = params.stage->out;
  for (int64_t c = 0; c < tile.columns; c += part) {
    const int64_t columns = HWY_MIN(part, tile.columns - c);
    Strips<kWidth, false>(tile, params, EvenColumns{out, pitch}, c, c + columns, fetch);
    if (run == 1) FetchSeams(tiles[1], params, c, columns, height);
    for (int64_t i = 0; i < columns;) {
      const int64_t together = HWY_MIN(run - (c + i) % run, columns - i);
      CopyStream(tile.dst + params.column[c + i], out + i * pitch, (together - 1) * pitch + height);
      i += together;
    }
  }
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
