/* SPDX-License-Identifier: Apache-2.0 */
// Included once per target: moves tiles whose units are whole runs of bytes.
#if defined(XLASHAPE_SIMD_MOVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_MOVE_INL_H_
#undef XLASHAPE_SIMD_MOVE_INL_H_
#else
#define XLASHAPE_SIMD_MOVE_INL_H_
#endif

#include "backends/simd/fetch-inl.h"
#include "backends/simd/units-inl.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

// One destination run: the units of one column, from all rows. Units that are not whole lines go through the stage.
HWY_INLINE void MoveStaged(const Tile& tile, const TileParams& params, const char* src, char* dst) {
  const int64_t unit = tile.unit, most = kOutBytes / unit;
  char* const out = params.stage->out;
  for (int64_t r = 0; r < tile.rows; r += most) {
    const int64_t count = HWY_MIN(most, tile.rows - r);
    CopyUnits(EvenColumns{out, unit}, RowTable{src, params.row + r}, unit, count);
    CopyStream(dst + r * unit, out, count * unit);
  }
}

// Whole lines. Where rows are far apart in the source they are read side by side (`Fetch` says why), which writes each
// destination run from its beginning to its end. Otherwise they are read in the order of the source.
HWY_INLINE void MoveLines(const Tile* tiles, const TileParams& params) {
  const Tile& tile = tiles[0];
  const int64_t unit = tile.unit, lines = unit / kLine + 1, pitch = params.row_pitch != 0 ? params.row_pitch : unit;
  const auto move = [&](int64_t r, int64_t c) HWY_ATTR {
    CopyStream(tile.dst + params.column[c] + r * pitch, tile.src + params.row[r] + c * unit, unit);
  };
  if (params.row_run > 1 || tile.rows == 1) {
    Fetch fetch(tiles[1], params, params.row_run);
    for (int64_t r = 0; r < tile.rows; ++r)
      for (int64_t c = 0; c < tile.columns; ++c) fetch.some(lines), move(r, c);
    return;
  }
  Fetch fetch(tiles[1], params, 1);
  for (int64_t first = 0; first < tile.rows; first += kFetchRows) {
    const int64_t end = HWY_MIN(first + kFetchRows, tile.rows);
    for (int64_t c = 0; c < tile.columns; ++c)
      for (int64_t r = first; r < end; ++r) fetch.some(lines), move(r, c);
  }
}

HWY_NOINLINE void Move(const Tile* tiles, TileParams& params) {
  const Tile& tile = tiles[0];
  const int64_t unit = tile.unit, pitch = params.row_pitch != 0 ? params.row_pitch : unit;
  // Units of a few bytes with gaps between them in the destination.
  if (unit < 16 && tile.rows == 1 && params.even_columns >= tile.columns && params.column_distance > unit)
    return CopyUnits(EvenColumns{tile.dst, params.column_distance}, EvenRows{tile.src, unit}, unit, tile.columns);
  if (unit < 16 && tile.columns == 1 && params.even_rows >= tile.rows && pitch > unit)
    return CopyUnits(EvenColumns{tile.dst, pitch}, EvenRows{tile.src, params.row_distance}, unit, tile.rows);
  if (params.store == Store::kStream) {
    uintptr_t odd = reinterpret_cast<uintptr_t>(tile.dst) | static_cast<uintptr_t>(unit);
    for (int64_t c = 0; c < tile.columns; ++c) odd |= static_cast<uintptr_t>(params.column[c]);
    if (unit >= 1024 || odd % 64 == 0 || pitch != unit) return MoveLines(tiles, params);
    for (int64_t c = 0; c < tile.columns; ++c)
      MoveStaged(tile, params, tile.src + c * unit, tile.dst + params.column[c]);
  } else if (tile.columns > tile.rows) {
    for (int64_t r = 0; r < tile.rows; ++r)
      CopyUnits(ColumnTable{tile.dst + r * pitch, params.column}, EvenRows{tile.src + params.row[r], unit}, unit,
                tile.columns);
  } else {
    for (int64_t c = 0; c < tile.columns; ++c)
      CopyUnits(EvenColumns{tile.dst + params.column[c], pitch}, RowTable{tile.src + c * unit, params.row}, unit,
                tile.rows);
  }
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
