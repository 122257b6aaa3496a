/* SPDX-License-Identifier: Apache-2.0 */
// Included once per target: transposes tiles through a stage of the second cache, which each destination line leaves
// whole.
#if defined(XLASHAPE_SIMD_PANEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_PANEL_INL_H_
#undef XLASHAPE_SIMD_PANEL_INL_H_
#else
#define XLASHAPE_SIMD_PANEL_INL_H_
#endif

#include "backends/simd/narrow-inl.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

// Writes columns [begin, end) of the tile in the stage. A line that the tile before began is in front of its column
// there. `ends`: nothing follows in these columns, so that a line that is not full is written as far as it is.
HWY_INLINE void FlushPanel(Panel& panel, const TileParams& params, int64_t begin, int64_t end, bool ends) {
  end = HWY_MIN(end, panel.columns);
  for (int64_t c = begin; c < end; ++c) {
    char* const to = panel.dst + params.column[c];
    char* const from = panel.stage + c * panel.pitch + kLine;
    int64_t i = -static_cast<int64_t>(reinterpret_cast<uintptr_t>(to) & 63);
    if (panel.first && i < 0) {
      const int64_t head = HWY_MIN(kLine + i, panel.bytes);
      CopyShort(to, from, head);
      i += kLine;
    }
    for (; i + kLine <= panel.bytes; i += kLine) StreamLine(to + i, from + i);
    if (!ends) {
      const LineTag d;
      for (int64_t k = -kLine; k < 0; k += kLanes<LineTag>)
        hn::StoreU(hn::LoadU(d, U8(from + panel.bytes + k)), d, U8(from + k));
    } else if (i < panel.bytes) {
      CopyShort(to + i, from + i, panel.bytes - i);
    }
  }
}

// Columns [c, c + columns) of the tile, at most a line of the source; kWidth 0: units of any size.
template <size_t kWidth>
HWY_INLINE void FillPanel(const Tile& tile, const TileParams& params, int64_t c, int64_t columns) {
  Panel& panel = *params.panel;
  char* const to = panel.stage + c * panel.pitch + kLine;
  const RowTable row{tile.src + c * tile.unit, params.row};
  if constexpr (kWidth == 0) {
    // A few units of each row: too few for a loop that knows their size.
    for (int64_t r = 0; r < tile.rows; ++r)
      for (int64_t i = 0; i < columns; ++i)
        CopyShort(to + i * panel.pitch + r * tile.unit, row(r) + i * tile.unit, tile.unit);
  } else if (kWidth >= kLineSquares || tile.rows * kLine > kGatherBytes) {
    Strip<kWidth, false>(row, tile.rows, columns, EvenColumns{to, panel.pitch}, 0);
  } else {
    // Squares read a line in several parts, so rows are copied to where no two of them share a cache set.
    char* const in = panel.in;
    for (int64_t r = 0; r < tile.rows; ++r) CopyOrdinary(in + r * kLine, row(r), columns * tile.unit);
    Strip<kWidth, false>(EvenRows{in, kLine}, tile.rows, columns, EvenColumns{to, panel.pitch}, 0);
  }
}

// The tile before leaves the stage while this one enters it, some columns after the other: stores past the caches then
// wait while squares are transposed.
template <size_t kWidth>
HWY_NOINLINE void TransposePanel(const Tile* tiles, TileParams& params) {
  const Tile& tile = tiles[0];
  Panel& panel = *params.panel;
  const int64_t bytes = tile.rows * tile.unit;
  const int64_t group = kWidth == 0 ? HWY_MAX(kLine / tile.unit, 1) : static_cast<int64_t>(64 / HWY_MAX(kWidth, 1));
  const bool joins = panel.columns == tile.columns && panel.dst + panel.bytes == tile.dst && panel.bytes >= kLine;
  Fetch fetch(tiles[1], params, 1);
  int64_t flushed = 0;
  for (int64_t c = 0; c < tile.columns; c += group) {
    if (c + group > tile.columns) c = HWY_MAX(tile.columns - group, 0);
    const int64_t columns = HWY_MIN(group, tile.columns - c);
    FlushPanel(panel, params, flushed, c + columns, !joins);
    flushed = c + columns;
    FillPanel<kWidth>(tile, params, c, columns);
    fetch.some(tile.rows);
  }
  FlushPanel(panel, params, flushed, panel.columns, true);
  panel.first = !joins;
  panel.dst = tile.dst;
  panel.bytes = bytes;
  panel.columns = tile.columns;
  if (tiles[1].rows > 0) return;
  FlushPanel(panel, params, 0, panel.columns, true);
  panel.columns = 0;
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
