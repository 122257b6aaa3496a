/* SPDX-License-Identifier: Apache-2.0 */
// Included once per target: prefetches the next tile while this one is moved.
#if defined(XLASHAPE_SIMD_FETCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_FETCH_INL_H_
#undef XLASHAPE_SIMD_FETCH_INL_H_
#else
#define XLASHAPE_SIMD_FETCH_INL_H_
#endif

#include "backends/simd/lines-inl.h"
#include "ir/compiler.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

// Fetches the source of the next tile into the second cache while this one is moved, 16 rows side by side: the
// processor can follow 16 streams, and DRAM keeps its pages open. Measured on Zen 4, f32[4096,4096]: reading alone then
// takes as long as one stream; it takes 1.5 times as long with 32 rows, and twice as long with 64 rows or one row after
// the other.
inline constexpr int64_t kFetchRows = 16;
inline constexpr int64_t kFollowed = 64;  // lines of a run that the processor follows by itself

class Fetch {
 public:
  // `together`: how many rows follow each other without a gap.
  HWY_INLINE Fetch(const Tile& tile, const TileParams& params, int64_t together, int64_t followed = kFollowed)
      : src_(tile.src),
        row_(params.row),
        step_(together),
        lines_((Skew(tile, params) + tile.columns * tile.unit * together + kLine - 1) / kLine),
        groups_(lines_ > followed || params.near_source ? 0 : (tile.rows + together - 1) / together) {}

  HWY_INLINE void some(int64_t lines) {
    while (lines > 0 && group_ < groups_) {
      const int64_t end = HWY_MIN(group_ + kFetchRows, groups_);
      for (int64_t i = group_; i < end; ++i) ir::prefetch<2>(src_ + row_[i * step_] + line_ * kLine);
      lines -= end - group_;
      if (++line_ == lines_) line_ = 0, group_ = end;
    }
  }
  // Fetches one of `parts` equal parts of the tile.
  HWY_INLINE void part(int64_t parts) { some(groups_ * lines_ / parts + 1); }

 private:
  // How far rows begin after the beginning of a line, at most.
  static HWY_INLINE int64_t Skew(const Tile& tile, const TileParams& params) {
    const bool is_same = params.even_rows >= tile.rows && params.row_distance % kLine == 0;
    return is_same ? static_cast<int64_t>(reinterpret_cast<uintptr_t>(tile.src) % kLine) : kLine - 1;
  }

  const char* src_;
  const int64_t* row_;
  int64_t step_, lines_, groups_;
  int64_t group_ = 0, line_ = 0;
};

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
