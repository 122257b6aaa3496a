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

// One destination run: the units of one column, from all rows. Short units that are not whole lines go through the
// stage.
HWY_INLINE void MoveStaged(const Tile& tile, const TileParams& params, const char* src, char* dst) {
  const int64_t unit = tile.unit, most = kOutBytes / unit;
  char* const out = params.stage->out;
  for (int64_t r = 0; r < tile.rows; r += most) {
    const int64_t count = HWY_MIN(most, tile.rows - r);
    CopyUnits(EvenColumns{out, unit}, RowTable{src, params.row + r}, unit, count);
    CopyStream(dst + r * unit, out, count * unit);
  }
}

// Whether bytes that a mask leaves out of a load are not read, whatever is there.
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
inline constexpr bool kMasksLoads = true;
#else
inline constexpr bool kMasksLoads = false;
#endif

// The first `count` bytes of a line are 0xFF, the others 0.
struct LineMask {
  uint8_t byte[2 * kLine] = {};
  constexpr LineMask() {
    for (int64_t i = 0; i < kLine; ++i) byte[i] = 0xFF;
  }
  HWY_INLINE const uint8_t* first(int64_t count) const { return byte + kLine - count; }
};
inline constexpr LineMask kLineMask{};

// Two units that follow each other in the destination. `has_room`: a line behind the first one and in front of the
// second may be read, too, which takes half as long as masked loads where two of three lines are shared (Zen 5).
struct Joint {
  const char *before, *from;
  bool has_room;
};

// Writes the line that they share: the last `count` bytes of the one, then the first ones of the other.
HWY_INLINE void StreamJoint(char* dst, const Joint& joint, int64_t unit, int64_t count) {
  const LineTag d;
  const char *const end = joint.before + unit - count, *const begin = joint.from - count;
  if constexpr (kMasksLoads) {
    if (!joint.has_room) {
      const auto first = hn::FirstN(d, static_cast<size_t>(count));
      hn::Stream(hn::Or(hn::MaskedLoad(first, d, U8(end)), hn::MaskedLoad(hn::Not(first), d, U8(begin))), d, U8(dst));
      return;
    }
  }
  alignas(64) char line[kLine];
  for (int64_t i = 0; i < kLine; i += kLanes<LineTag>) {
    const auto v = hn::IfVecThenElse(hn::LoadU(d, kLineMask.first(count) + i), hn::LoadU(d, U8(end + i)),
                                     hn::LoadU(d, U8(begin + i)));
    if constexpr (kStreamsPairs) {
      hn::Store(v, d, U8(line + i));
    } else {
      hn::Stream(v, d, U8(dst + i));
    }
  }
  if constexpr (kStreamsPairs) StreamLine(dst, line);
}

// Moves the unit at joint.from, of a line or more, past the caches. With the one before it, if there is one, it shares
// a line that is written here. `goes_on`: the unit behind it writes the line that these two share.
HWY_INLINE void MoveJoined(char* to, const Joint& joint, int64_t unit, bool goes_on) {
  const char* const from = joint.from;
  const auto begun = static_cast<int64_t>(reinterpret_cast<uintptr_t>(to) & 63);
  int64_t i = -begun & 63;
  if (joint.before == nullptr) {
    CopyShort(to, from, i);
  } else if (begun > 0) {
    StreamJoint(to - begun, joint, unit, begun);
  }
  for (; i + kLine <= unit; i += kLine) StreamLine(to + i, from + i);
  if (!goes_on) CopyShort(to + i, from + i, unit - i);
}

// Whole lines, and long units. Where rows are far apart in the source they are read side by side (`Fetch` says why),
// which writes each destination run from its beginning to its end. Otherwise they are read in the order of the source.
// `joins`: units follow one another in the destination, share lines, and are long enough to be joined in these.
HWY_INLINE void MoveLines(const Tile* tiles, const TileParams& params, bool joins) {
  const Tile& tile = tiles[0];
  const int64_t unit = tile.unit, lines = unit / kLine + 1, pitch = params.row_pitch != 0 ? params.row_pitch : unit;
  const auto move = [&](int64_t r, int64_t c) HWY_ATTR {
    CopyStream(tile.dst + params.column[c] + r * pitch, tile.src + params.row[r] + c * unit, unit);
  };
  if (params.row_run > 1 || tile.rows == 1) {
    Fetch fetch(tiles[1], params, params.row_run);
    if (!joins || tile.rows == 1) {
      for (int64_t r = 0; r < tile.rows; ++r)
        for (int64_t c = 0; c < tile.columns; ++c) fetch.some(lines), move(r, c);
      return;
    }
    // What is before and behind a unit in the source is the tile's: its rows are contiguous there.
    for (int64_t r = 0; r < tile.rows; ++r) {
      const bool follows = r % params.row_run != 0, goes_on = r + 1 < tile.rows && (r + 1) % params.row_run != 0;
      for (int64_t c = 0; c < tile.columns; ++c) {
        const char* const from = tile.src + params.row[r] + c * unit;
        fetch.some(lines);
        MoveJoined(tile.dst + params.column[c] + r * unit, {follows ? from - tile.columns * unit : nullptr, from, true},
                   unit, goes_on);
      }
    }
    return;
  }
  Fetch fetch(tiles[1], params, 1);
  for (int64_t first = 0; first < tile.rows; first += kFetchRows) {
    const int64_t end = HWY_MIN(first + kFetchRows, tile.rows);
    for (int64_t c = 0; c < tile.columns; ++c) {
      // So it is here, but at the tile's edges.
      const bool has_room = c > 0 && c + 1 < tile.columns;
      for (int64_t r = first; r < end; ++r) {
        fetch.some(lines);
        if (joins) {
          const char* const before = r > first ? tile.src + params.row[r - 1] + c * unit : nullptr;
          MoveJoined(tile.dst + params.column[c] + r * unit, {before, tile.src + params.row[r] + c * unit, has_room},
                     unit, r + 1 < end);
        } else {
          move(r, c);
        }
      }
    }
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
    const bool whole = odd % 64 == 0 || pitch != unit;
    const bool joins = !whole && unit >= kLine && (kMasksLoads || params.row_run > 1);
    if (whole || joins || unit >= 1024) return MoveLines(tiles, params, joins);
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
