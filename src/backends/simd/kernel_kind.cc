// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/kernel_kind.h"

#include <algorithm>

namespace xlashape::simd {
namespace {

int64_t up(int64_t x, int64_t step) { return (x + step - 1) / step * step; }

// Only interleaving kernels know planes. For streaming stores the planes are assembled in the stage and written as one
// run.
bool fits_planes(const Tiling& tiling, Store store) {
  if (tiling.planes_axes == 0) return true;
  if (tiling.planes_axes > 1 || tiling.plane_loop >= 0) return false;
  if (unzips(tiling))
    return store == Store::kOrdinary ||
           tiling.planes * tiling.columns.whole * up(tiling.rows.whole * tiling.unit, kLineBytes) <= kOutBytes;
  if (!zips(tiling)) return false;
  const int64_t bytes = tiling.column_run() * tiling.rows.whole * tiling.unit;
  return store == Store::kOrdinary || (tiling.plane_dst == bytes && tiling.planes * bytes <= kOutBytes);
}

bool fits_transpose(const Tiling& tiling, Store store) {
  if (!tiling.transposes() || !fits_planes(tiling, store)) return false;
  const int64_t rows = tiling.rows.whole, columns = tiling.columns.whole;
  const bool line = tiling.unit < 16 && (rows == 1 || columns == 1);
  if (line || zips(tiling) || unzips(tiling)) return true;  // in place, or a stage at a time
  if (!is_narrow(tiling)) return rows * kLineBytes <= kGatherBytes;
  // Squares always read 16 rows, even if there are fewer.
  const int64_t bytes = columns * tiling.unit;
  const int64_t pitch = useful_row_run(tiling) > 1 ? bytes : up(bytes, kLineBytes) + kLineBytes;
  return std::max<int64_t>(rows, 16) * pitch <= kGatherBytes &&
         up(rows * tiling.unit, kLineBytes) + kLineBytes <= kOutBytes;
}

bool fits_panel(const Tiling& tiling, Store store) {
  return store == Store::kStream && tiling.planes_axes == 0 && !tiling.permutes() && tiling.unit <= kLineBytes &&
         tiling.unit_loop < 0 && tiling.columns.whole <= kPanelBytes / panel_pitch(tiling);
}

// The units of a tile but for the first axis of its planes. Factors are limited one by one: a product may be large.
int64_t units_in_plane(const Tiling& tiling) {
  int64_t units = tiling.rows.whole * tiling.columns.whole;
  for (int i = 1; i < tiling.planes_axes && units <= kStridedUnits; ++i)
    units *= std::min(tiling.plane[i].count, kStridedUnits + 1);
  return units;
}

bool fits_permute(const Tiling& tiling) {
  return tiling.planes_axes == 0 && tiling.rows.whole * tiling.columns.whole * tiling.unit <= kGatherBytes;
}

}  // namespace

int64_t useful_row_run(const Tiling& tiling) {
  return tiling.columns.whole * tiling.unit <= 256 || !tiling.transposes() ? tiling.row_run() : 1;
}

// One line more than a column has, and an odd number of lines, so that columns do not share sets of a cache.
int64_t panel_pitch(const Tiling& tiling) { return up(tiling.rows.whole * tiling.unit, 2 * kLineBytes) + kLineBytes; }

KernelKind kernel_kind_of(const Tiling& tiling, Store store, bool panels) {
  if (tiling.rows.whole > kMaxSide || tiling.columns.whole > kMaxSide || tiling.planes > kMaxSide)
    return KernelKind::kNone;
  if (panels) return fits_panel(tiling, store) ? KernelKind::kPanel : KernelKind::kNone;
  if (tiling.permutes()) return fits_permute(tiling) ? KernelKind::kPermute : KernelKind::kNone;
  if (tiling.transposes() && fits_transpose(tiling, store)) return KernelKind::kTranspose;
  if (tiling.planes_axes >= 1 && tiling.unit < kLineBytes && units_in_plane(tiling) <= kStridedUnits)
    return KernelKind::kStrided;
  if (tiling.transposes()) return KernelKind::kNone;
  if (tiling.planes_axes == 0) return KernelKind::kMove;
  return tiling.planes_axes == 1 && tiling.rows.whole == 1 && tiling.columns.whole == 1 ? KernelKind::kMovePlanes
                                                                                        : KernelKind::kNone;
}

PackedKernelKind packed_kernel_kind_of(const Tiling& tiling, int64_t strip, int src_bits, int dst_bits) {
  const int64_t rows = tiling.rows.whole;
  if (rows > kMaxSide || tiling.columns.whole > kMaxSide || tiling.planes_axes > 0 || tiling.permutes())
    return PackedKernelKind::kNone;
  if (tiling.unit > 1) return PackedKernelKind::kRuns;
  const int64_t in = strip * src_bits, out = rows * dst_bits;
  const int64_t per_byte = 8 / src_bits, across = up(strip, per_byte), tall = up(rows, 8 / dst_bits);
  const bool whole = out % 8 == 0 && tiling.rows.last * dst_bits % 8 == 0;
  if (src_bits == dst_bits && in >= 128 && (whole || out >= 128))
    return tall * up(across / per_byte, kLineBytes) <= kPackedBytes ? PackedKernelKind::kBytewise
                                                                    : PackedKernelKind::kNone;
  if (src_bits == 8 || (out >= 128 && (in >= 64 || in % 8 == 0)))
    return rows * across / per_byte <= kPackedBytes && across * tall * dst_bits / 8 <= kPackedBytes
               ? PackedKernelKind::kPlanes
               : PackedKernelKind::kNone;
  return rows * strip <= kPackedBytes && strip * tall * dst_bits / 8 <= kPackedBytes ? PackedKernelKind::kUnpacked
                                                                                     : PackedKernelKind::kNone;
}

}  // namespace xlashape::simd
