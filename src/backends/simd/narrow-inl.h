/* SPDX-License-Identifier: Apache-2.0 */
// Included once per target: tiles with fewer rows or columns than a square. They are zipped and unzipped in place, or
// staged.
#if defined(XLASHAPE_SIMD_NARROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_NARROW_INL_H_
#undef XLASHAPE_SIMD_NARROW_INL_H_
#else
#define XLASHAPE_SIMD_NARROW_INL_H_
#endif

#include <cassert>

#include "backends/simd/fetch-inl.h"
#include "backends/simd/units-inl.h"
#include "backends/simd/zip-inl.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

// Lines at the seams between tiles are written in parts, through the cache, and a store that misses delays all later
// ones.
HWY_INLINE void FetchSeams(const Tile& next, const TileParams& params, int64_t c, int64_t columns, int64_t height) {
  for (int64_t i = c; i < c + columns && i < next.columns && next.rows > 0; ++i) {
    hwy::Prefetch(next.dst + params.column[i]);
    hwy::Prefetch(next.dst + params.column[i] + height);
  }
}

// `NextTileGather` gathers the source of the next tile while this one is moved. Each line is read once and whole, into
// a stage where no two rows share a cache set (rows a power of two apart would evict each other between one square and
// the next). It is prefetched some lines earlier, since a row's next piece is not in a stream that the processor
// follows. Measured on Zen 5: a gather alone reads 11 GB/s without prefetching and 18 to 26 with 64 to 128 lines, and
// reading limits a relayout there.
inline constexpr int64_t kPrefetchBytes = 128 * kLine;

struct NextTileGather {
  const char* src = nullptr;
  const char* after = nullptr;  // the source of the tile after it, to be prefetched
  const int64_t* row;
  int64_t step;  // how many rows are gathered as one
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
      const int64_t ahead_row = r + ahead;
      const char* p = ahead_row < rows   ? src + row[ahead_row * step]
                      : after == nullptr ? nullptr
                                         : after + row[HWY_MIN(ahead_row - rows, rows - 1) * step];
      if (p != nullptr)
        for (int64_t i = 0; i < bytes; i += kLine) hwy::Prefetch(p + i);
      CopyOrdinary(to + r * pitch, src + row[r * step], r + 1 < rows ? bytes : last_bytes);
    }
  }
};

// The distance of a tile's rows in the stage. Short rows that are contiguous in the source stay contiguous.
template <size_t kWidth>
HWY_INLINE int64_t StagedPitch(const Tile& tile, const TileParams& params) {
  const int64_t bytes = tile.columns * static_cast<int64_t>(kWidth);
  return params.row_run > 1 ? bytes : (bytes + kLine - 1) / kLine * kLine + kLine;
}

// The feed that gathers `tile`; `after` is the tile that follows it.
template <size_t kWidth>
HWY_INLINE NextTileGather MakeNextTileGather(const Tile& tile, const Tile& after, const TileParams& params, int half) {
  NextTileGather gather;
  gather.row = params.row;
  gather.step = params.row_step;
  gather.src = tile.src;
  gather.after = after.rows >= tile.rows && after.columns >= tile.columns ? after.src : nullptr;
  const int64_t bytes = tile.columns * static_cast<int64_t>(kWidth);
  gather.bytes = bytes * HWY_MIN(gather.step, tile.rows);
  gather.pitch = StagedPitch<kWidth>(tile, params) * gather.step;
  gather.rows = (tile.rows + gather.step - 1) / gather.step;
  gather.last_bytes = (tile.rows - (gather.rows - 1) * gather.step) * bytes;
  gather.ahead = HWY_MIN(HWY_MAX(kPrefetchBytes / HWY_MAX(gather.bytes, kLine), 1), gather.rows);
  gather.to = params.stage->in[half];
  assert(HWY_MAX(tile.rows, 16) * StagedPitch<kWidth>(tile, params) <= kGatherBytes);
  return gather;
}

// Columns beyond `columns` are written to a place that is never read.
struct LimitedColumns {
  char* base;
  int64_t pitch, columns;
  char* nowhere;
  HWY_INLINE char* operator()(int64_t c) const { return c < columns ? base + c * pitch : nowhere; }
};

// Staged tiles with fewer rows or columns than a square; it transposes whole squares nevertheless. The rows beyond the
// tile are overwritten by the next column where columns are contiguous; else they are in the gap between columns, or in
// the slack after the last one.
template <size_t kWidth>
HWY_NOINLINE void CoverSmall(EvenRows in, int64_t rows, int64_t columns, char* out, int64_t pitch,
                             NextTileGather& gather) {
  constexpr auto kSide = static_cast<int64_t>(16 / kWidth), kBytes = static_cast<int64_t>(kWidth);
  alignas(64) char nowhere[64];
  for (int64_t c = 0; c < columns; c += kSide) {
    const auto square = [&]<size_t kBlocks>(int64_t r) HWY_ATTR {
      Square<kWidth, kBlocks, false>(in + c * kBytes + r * in.pitch, 0,
                                     LimitedColumns{out + r * kBytes, pitch, columns, nowhere}, c);
    };
    int64_t r = 0;
    if constexpr (kMaxBlocks == 4) {
      for (; r + 4 * kSide <= rows; r += 4 * kSide) square.template operator()<4>(r);
    }
    for (; r + kSide <= rows; r += kSide) square.template operator()<1>(r);
    if (r < rows) square.template operator()<1>(HWY_MAX(rows - kSide, 0));
    gather.some(HWY_MIN(columns, kSide) * rows * kBytes);
  }
}

// Several interleaves, run by run in the order of the destination. Only pages are prefetched: the processor follows
// these few rows by itself, and prefetching lines gains nothing (bf16 into T(8,128)(2,1) on Zen 4: 36 GB/s, against 19
// for one interleave of whole rows after the other).
template <size_t kWidth, class ZipRun>
HWY_INLINE void ZipPlanes(const Tile& tile, const TileParams& params, ZipRun zip) {
  constexpr auto kBytes = static_cast<int64_t>(kWidth);
  const int64_t run = params.column_run, height = tile.rows * kBytes;
  const bool stream = params.store == Store::kStream;
  for (int64_t c = 0; c < tile.columns; c += run) {
    const int64_t columns = HWY_MIN(run, tile.columns - c), bytes = columns * height;
    char* const dst = tile.dst + params.column[c];
    for (int64_t p = 0; p < params.planes; ++p) {
      const char* from[8];
      for (int64_t r = 0; r < tile.rows; ++r) from[r] = tile.src + params.row[r] + p * params.plane_src + c * kBytes;
      char* const to = stream ? params.stage->out + p * bytes : dst + p * params.plane_dst;
      zip(from, &to, columns * kBytes);
    }
    if (!stream) continue;
    if (columns == run) {
      CopyStream(dst, params.stage->out, params.planes * bytes);
    } else {
      for (int64_t p = 0; p < params.planes; ++p)
        CopyStream(dst + p * params.plane_dst, params.stage->out + p * bytes, bytes);
    }
  }
}

// Two and four rows, the usual counts of tiles, are zipped without a call for each run.
template <size_t kWidth>
HWY_NOINLINE void ZipPlanes(const Tile& tile, const TileParams& params) {
  if (tile.rows == 2)
    return ZipPlanes<kWidth>(tile, params, [](const char* const* from, char* const* to, int64_t bytes) HWY_ATTR {
      ZipRows<kWidth, 2, false>(from, to, bytes);
    });
  if (tile.rows == 4)
    return ZipPlanes<kWidth>(tile, params, [](const char* const* from, char* const* to, int64_t bytes) HWY_ATTR {
      ZipRows<kWidth, 4, false>(from, to, bytes);
    });
  ZipPlanes<kWidth>(tile, params, [&](const char* const* from, char* const* to, int64_t bytes) HWY_ATTR {
    Zip<kWidth, false>(tile.rows, from, to, bytes);
  });
}

// The reverse: the part of a destination row that a tile's interleaves hold is written at once.
template <size_t kWidth, class UnzipRun>
HWY_INLINE void UnzipPlanes(const Tile& tile, const TileParams& params, UnzipRun unzip) {
  constexpr auto kBytes = static_cast<int64_t>(kWidth);
  const int64_t run = params.row_run, bytes = tile.rows * kBytes, pitch = (bytes + kLine - 1) / kLine * kLine;
  const bool stream = params.store == Store::kStream;
  const auto place = [&](int64_t p, int64_t c) HWY_ATTR {
    return stream ? params.stage->out + (p * tile.columns + c) * pitch
                  : tile.dst + params.column[c] + p * params.plane_dst;
  };
  for (int64_t r = 0; r < tile.rows; r += run)
    for (int64_t p = 0; p < params.planes; ++p) {
      const char* const from = tile.src + params.row[r] + p * params.plane_src;
      char* to[8];
      for (int64_t c = 0; c < tile.columns; ++c) to[c] = place(p, c) + r * kBytes;
      unzip(&from, to, HWY_MIN(run, tile.rows - r) * kBytes);
    }
  for (int64_t p = 0; p < params.planes && stream; ++p)
    for (int64_t c = 0; c < tile.columns; ++c)
      CopyStream(tile.dst + params.column[c] + p * params.plane_dst, place(p, c), bytes);
}

template <size_t kWidth>
HWY_NOINLINE void UnzipPlanes(const Tile& tile, const TileParams& params) {
  if (tile.columns == 2)
    return UnzipPlanes<kWidth>(tile, params, [](const char* const* from, char* const* to, int64_t bytes) HWY_ATTR {
      ZipRows<kWidth, 2, true>(from, to, bytes);
    });
  if (tile.columns == 4)
    return UnzipPlanes<kWidth>(tile, params, [](const char* const* from, char* const* to, int64_t bytes) HWY_ATTR {
      ZipRows<kWidth, 4, true>(from, to, bytes);
    });
  UnzipPlanes<kWidth>(tile, params, [&](const char* const* from, char* const* to, int64_t bytes) HWY_ATTR {
    Zip<kWidth, true>(tile.columns, from, to, bytes);
  });
}

// Few columns, and rows of which all or many are contiguous in the source: these are read in place.
template <size_t kWidth>
HWY_NOINLINE void UnzipTile(const Tile* tiles, const TileParams& params) {
  constexpr auto kBytes = static_cast<int64_t>(kWidth);
  const Tile& tile = tiles[0];
  const int64_t run = params.row_run;
  if (params.planes > 1) return UnzipPlanes<kWidth>(tile, params);
  Fetch fetch(tiles[1], params, run);
  int64_t part = tile.rows;
  if ((part * kBytes + 2 * kLine) * tile.columns > kOutBytes)
    part = (kOutBytes / tile.columns - 2 * kLine) / kLine * (kLine / kBytes);
  const bool at_once = params.store == Store::kOrdinary;
  for (int64_t r = 0; r < tile.rows; r += part) {
    const int64_t rows = HWY_MIN(part, tile.rows - r), pitch = (rows * kBytes + kLine - 1) / kLine * kLine + kLine;
    for (int64_t i = 0; i < rows;) {
      const int64_t together = run >= tile.rows ? rows : HWY_MIN(run - (r + i) % run, rows - i);
      const char* const from = tile.src + params.row[r + i];
      char* to[8];
      for (int64_t c = 0; c < tile.columns; ++c)
        to[c] = at_once ? tile.dst + params.column[c] + (r + i) * kBytes : params.stage->out + c * pitch + i * kBytes;
      Zip<kWidth, true>(tile.columns, &from, to, together * kBytes);
      fetch.some(together * tile.columns * kBytes / kLine + 1);
      i += together;
    }
    for (int64_t c = 0; c < tile.columns && !at_once; ++c)
      Copy(tile.dst + params.column[c] + r * kBytes, params.stage->out + c * pitch, rows * kBytes, params.store);
  }
}

// The reverse: few rows, and columns that are contiguous in the destination.
template <size_t kWidth>
HWY_NOINLINE void ZipTile(const Tile* tiles, const TileParams& params) {
  constexpr auto kBytes = static_cast<int64_t>(kWidth);
  const Tile& tile = tiles[0];
  const int64_t run = params.column_run, height = tile.rows * kBytes;
  if (params.planes > 1) return ZipPlanes<kWidth>(tile, params);
  Fetch fetch(tiles[1], params, 1);
  // Divides only where the tile does not fit the stage.
  int64_t part = tile.columns;
  if (part * height > kOutBytes) part = kOutBytes / height / (kLine / kBytes) * (kLine / kBytes);
  const bool one_run = run >= tile.columns, at_once = one_run && params.store == Store::kOrdinary;
  for (int64_t c = 0; c < tile.columns; c += part) {
    const int64_t columns = HWY_MIN(part, tile.columns - c);
    const char* from[8];
    for (int64_t r = 0; r < tile.rows; ++r) from[r] = tile.src + params.row[r] + c * kBytes;
    char* const to = at_once ? tile.dst + params.column[c] : params.stage->out;
    Zip<kWidth, false>(tile.rows, from, &to, columns * kBytes);
    // The processor follows a few rows by itself: prefetching all of them is a seventh slower.
    fetch.some(columns * height / kLine * HWY_MIN(tile.rows, kFetchRows) / kFetchRows + 1);
    for (int64_t i = at_once ? columns : 0; i < columns;) {
      const int64_t together = one_run ? columns : HWY_MIN(run - (c + i) % run, columns - i);
      Copy(tile.dst + params.column[c + i], to + i * height, together * height, params.store);
      i += together;
    }
  }
}

template <size_t kWidth>
HWY_NOINLINE void TransposeNarrow(const Tile* tiles, TileParams& params) {
  constexpr auto kSide = static_cast<int64_t>(16 / kWidth), kBytes = static_cast<int64_t>(kWidth);
  const Tile& tile = tiles[0];
  int half = params.gathered;
  if (half < 0) {
    half = 0;
    MakeNextTileGather<kWidth>(tile, tiles[1], params, half).rest();
  }
  const EvenRows in{params.stage->in[half], StagedPitch<kWidth>(tile, params)};
  NextTileGather gather;
  params.gathered = -1;
  if (tiles[1].rows > 0) {
    params.gathered = 1 - half;
    gather = MakeNextTileGather<kWidth>(tiles[1], tiles[2], params, 1 - half);
  }
  const int64_t height = tile.rows * kBytes;
  const int64_t run = height == params.column[tile.columns > 1 ? 1 : 0] ? params.column_run : 1;
  const int64_t pitch = run > 1 ? height : (height + kLine - 1) / kLine * kLine + kLine;
  int64_t part = kOutBytes / pitch;
  if (part >= kSide) part -= part % kSide;
  part = HWY_MAX(part, 1);
  char* const out = params.stage->out;
  for (int64_t c = 0; c < tile.columns; c += part) {
    const int64_t columns = HWY_MIN(part, tile.columns - c);
    CoverSmall<kWidth>(in + c * kBytes, tile.rows, columns, out, pitch, gather);
    if (params.store == Store::kStream && run == 1) FetchSeams(tiles[1], params, c, columns, height);
    // Short columns with gaps between them: what calls of a copy cost is more than the copies.
    if (params.store == Store::kOrdinary && run == 1 && height < kLine) {
      CopyUnits(ColumnTable{tile.dst, params.column + c}, EvenRows{out, pitch}, height, columns);
      continue;
    }
    for (int64_t i = 0; i < columns;) {
      const int64_t together = HWY_MIN(run - (c + i) % run, columns - i);
      Copy(tile.dst + params.column[c + i], out + i * pitch, (together - 1) * pitch + height, params.store);
      i += together;
    }
  }
  gather.rest();
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
