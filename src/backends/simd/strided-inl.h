/* SPDX-License-Identifier: Apache-2.0 */
// Included once per target: moves tiles of short units, each unit by itself.
#if defined(XLASHAPE_SIMD_STRIDED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_STRIDED_INL_H_
#undef XLASHAPE_SIMD_STRIDED_INL_H_
#else
#define XLASHAPE_SIMD_STRIDED_INL_H_
#endif

#include "backends/simd/lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

// Copies a unit of one word, or of two that may overlap: the second one begins `second` bytes after the first.
template <int64_t kWord, bool kTwo>
struct Unit {
  char word[kTwo ? 2 : 1][kWord];
  HWY_INLINE void load(const char* from, int64_t second) {
    std::memcpy(word[0], from, kWord);
    if constexpr (kTwo) std::memcpy(word[1], from + second, kWord);
  }
  HWY_INLINE void store(char* to, int64_t second) const {
    std::memcpy(to, word[0], kWord);
    if constexpr (kTwo) std::memcpy(to + second, word[1], kWord);
  }
};

// The listed units of several planes. What a unit costs is one store, and the reading of its place: that is shared by
// the planes. Four planes take 0.29 ns a unit, one takes 0.48 (Zen 4).
template <int64_t kWord, bool kTwo, int64_t kPlanes>
HWY_INLINE void MovePlanes(const char* src, char* dst, const TileParams& params, int64_t second) {
  const UnitMove* const units = params.units;
  const int64_t count = params.unit_count, plane_src = params.plane_src, plane_dst = params.plane_dst;
  const char* from[kPlanes];
  char* to[kPlanes];
  HWY_UNROLL(4)
  for (int64_t k = 0; k < kPlanes; ++k) from[k] = src + k * plane_src, to[k] = dst + k * plane_dst;
  for (int64_t i = 0; i < count; ++i) {
    const UnitMove at = units[i];
    Unit<kWord, kTwo> unit[kPlanes];
    HWY_UNROLL(4)
    for (int64_t k = 0; k < kPlanes; ++k) unit[k].load(from[k] + at.src, second);
    HWY_UNROLL(4)
    for (int64_t k = 0; k < kPlanes; ++k) unit[k].store(to[k] + at.dst, second);
  }
}

// One unit in several planes, with all that is left of them.
template <int64_t kWord, bool kTwo>
HWY_INLINE void MoveInPlanes(const char* src, char* dst, int64_t plane_src, int64_t plane_dst, int64_t planes,
                             int64_t second) {
  Unit<kWord, kTwo> unit[4];
  for (; planes >= 4; planes -= 4, src += 4 * plane_src, dst += 4 * plane_dst) {
    HWY_UNROLL(4)
    for (int64_t k = 0; k < 4; ++k) unit[k].load(src + k * plane_src, second);
    HWY_UNROLL(4)
    for (int64_t k = 0; k < 4; ++k) unit[k].store(dst + k * plane_dst, second);
  }
  for (; planes > 0; --planes, src += plane_src, dst += plane_dst) {
    unit[0].load(src, second);
    unit[0].store(dst, second);
  }
}

template <int64_t kWord, bool kTwo>
HWY_NOINLINE void MoveUnits(const Tile& tile, const TileParams& params) {
  const int64_t second = tile.unit - kWord;
  const char* src = tile.src;
  char* dst = tile.dst;
  int64_t left = tile.planes;
  // Few units in many planes: the loop over the planes is the longer one.
  if (params.unit_count < left / 4) {
    for (int64_t i = 0; i < params.unit_count; ++i)
      MoveInPlanes<kWord, kTwo>(src + params.units[i].src, dst + params.units[i].dst, params.plane_src,
                                params.plane_dst, left, second);
    return;
  }
  for (; left >= 4; left -= 4, src += 4 * params.plane_src, dst += 4 * params.plane_dst)
    MovePlanes<kWord, kTwo, 4>(src, dst, params, second);
  if (left == 3) MovePlanes<kWord, kTwo, 3>(src, dst, params, second);
  if (left == 2) MovePlanes<kWord, kTwo, 2>(src, dst, params, second);
  if (left == 1) MovePlanes<kWord, kTwo, 1>(src, dst, params, second);
}

// Units of 1 to 64 bytes.
HWY_NOINLINE void Strided(const Tile* tiles, TileParams& params) {
  const Tile& tile = tiles[0];
  const int64_t unit = tile.unit;
  if (unit > 32) return MoveUnits<32, true>(tile, params);
  if (unit == 32) return MoveUnits<32, false>(tile, params);
  if (unit > 16) return MoveUnits<16, true>(tile, params);
  if (unit == 16) return MoveUnits<16, false>(tile, params);
  if (unit > 8) return MoveUnits<8, true>(tile, params);
  if (unit == 8) return MoveUnits<8, false>(tile, params);
  if (unit > 4) return MoveUnits<4, true>(tile, params);
  if (unit == 4) return MoveUnits<4, false>(tile, params);
  if (unit == 3) return MoveUnits<2, true>(tile, params);
  if (unit == 2) return MoveUnits<2, false>(tile, params);
  MoveUnits<1, false>(tile, params);
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
