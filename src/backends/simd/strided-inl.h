// Included once per target: moves tiles of a few short units, each unit in all planes.
#if defined(XLASHAPE_SIMD_STRIDED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_STRIDED_INL_H_
#undef XLASHAPE_SIMD_STRIDED_INL_H_
#else
#define XLASHAPE_SIMD_STRIDED_INL_H_
#endif

#include "backends/simd/lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

// kBytes 0: units of any size.
template <int64_t kBytes>
HWY_NOINLINE void StridedUnits(const Tile& tile, const TileParams& params) {
  const int64_t unit = kBytes != 0 ? kBytes : tile.unit;
  for (int64_t c = 0; c < tile.columns; ++c)
    for (int64_t r = 0; r < tile.rows; ++r) {
      char* const dst = tile.dst + params.column[c] + r * unit;
      const char* const src = tile.src + params.row[r] + c * unit;
      if constexpr (kBytes != 0) {
        MoveEven<kBytes>(dst, params.plane_dst, src, params.plane_src, tile.planes);
      } else {
        for (int64_t p = 0; p < tile.planes; ++p)
          CopyShort(dst + p * params.plane_dst, src + p * params.plane_src, unit);
      }
    }
}

// A tile costs as much as some twenty units. So where tiles have fewer, those of one loop are moved together, and the
// processor only adds strides from one unit to the next.
HWY_NOINLINE void Strided(const Tile* tiles, TileParams& params) {
  const Tile& tile = tiles[0];
  switch (tile.unit) {
    case 1:
      return StridedUnits<1>(tile, params);
    case 2:
      return StridedUnits<2>(tile, params);
    case 3:
      return StridedUnits<3>(tile, params);
    case 4:
      return StridedUnits<4>(tile, params);
    case 6:
      return StridedUnits<6>(tile, params);
    case 8:
      return StridedUnits<8>(tile, params);
    case 12:
      return StridedUnits<12>(tile, params);
    case 16:
      return StridedUnits<16>(tile, params);
    case 20:
      return StridedUnits<20>(tile, params);
    case 24:
      return StridedUnits<24>(tile, params);
    case 32:
      return StridedUnits<32>(tile, params);
    case 40:
      return StridedUnits<40>(tile, params);
    case 48:
      return StridedUnits<48>(tile, params);
    case 56:
      return StridedUnits<56>(tile, params);
    default:
      return StridedUnits<0>(tile, params);
  }
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
