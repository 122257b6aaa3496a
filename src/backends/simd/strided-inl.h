// Included once per target: moves tiles of a few short units, each unit in all planes.
#if defined(XLASHAPE_SIMD_STRIDED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_STRIDED_INL_H_
#undef XLASHAPE_SIMD_STRIDED_INL_H_
#else
#define XLASHAPE_SIMD_STRIDED_INL_H_
#endif

#include "backends/simd/units-inl.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

// A tile costs as much as some thirty units. So where tiles have fewer, those of one loop are moved together, and the
// processor only adds strides from one unit to the next.
HWY_NOINLINE void Strided(const Tile* tiles, TileParams& params) {
  const Tile& tile = tiles[0];
  for (int64_t c = 0; c < tile.columns; ++c)
    for (int64_t r = 0; r < tile.rows; ++r)
      CopyUnits(Spaced{tile.dst + params.column[c] + r * tile.unit, params.plane_dst},
                Rows{tile.src + params.row[r] + c * tile.unit, params.plane_src}, tile.unit, tile.planes);
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
