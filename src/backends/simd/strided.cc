// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/strided.h"

namespace xlashape::simd {
namespace {

// Where the units of a tile's planes are. The first axis of the planes is left out: the kernel repeats the list along
// it.
class UnitList {
 public:
  explicit UnitList(const Tiling& tiling) : tiling_(tiling) {}

  // Makes the list for the walk's next tile, if the one before was of another size.
  void make(const TileWalk& walk) {
    const auto is_cut = [&](int loop, int64_t whole, int64_t last) {
      return static_cast<uint64_t>(last != whole && walk.at_last(loop));
    };
    uint64_t cut = is_cut(tiling_.rows.loop, tiling_.rows.whole, tiling_.rows.last) |
                   is_cut(tiling_.columns.loop, tiling_.columns.whole, tiling_.columns.last) << 1;
    for (int i = 1; i < tiling_.planes_axes; ++i)
      cut |= is_cut(tiling_.plane[i].loop, tiling_.plane[i].count, tiling_.plane[i].last) << (i + 1);
    if (cut == cut_) return;
    cut_ = cut;
    count_ = 1;
    unit_[0] = {0, 0};
    add(tiling_.rows, (cut & 1) != 0, 0, tiling_.unit);
    add(tiling_.columns, (cut & 2) != 0, tiling_.unit, 0);
    for (int i = 1; i < tiling_.planes_axes; ++i) {
      const PlaneAxis& axis = tiling_.plane[i];
      repeat((cut >> (i + 1) & 1) != 0 ? axis.last : axis.count, axis.src, axis.dst);
    }
  }
  const UnitMove* units() const { return unit_; }
  int64_t count() const { return count_; }

 private:
  // Rows are evenly spaced in the destination, and columns in the source: there is one unit after the other.
  void add(const TileDimension& side, bool cut, int64_t src, int64_t dst) {
    for (int d = 0; d < side.factors; ++d) {
      const StridedAxis& factor = side.factor[d];
      int64_t count = factor.count;
      if (cut && d + 1 == side.factors) count = side.last / (side.whole / factor.count);
      repeat(count, dst != 0 ? factor.src : src, dst != 0 ? dst : factor.dst);
      src *= factor.count;
      dst *= factor.count;
    }
  }
  void repeat(int64_t times, int64_t src, int64_t dst) {
    for (int64_t k = 1, at = count_; k < times; ++k)
      for (int64_t i = 0; i < count_; ++i, ++at) unit_[at] = {unit_[i].src + k * src, unit_[i].dst + k * dst};
    count_ *= times;
  }

  const Tiling& tiling_;
  uint64_t cut_ = ~uint64_t{0};  // a bit for each axis that the tile has less of
  int64_t count_ = 0;
  UnitMove unit_[kStridedUnits];
};

}  // namespace

void run_strided(const Tiling& tiling, TileKernel kernel, const char* src, char* dst, int64_t begin, int64_t end) {
  UnitList list(tiling);
  TileParams params;
  params.plane_src = tiling.plane_src;
  params.plane_dst = tiling.plane_dst;
  TileWalk walk(tiling, begin, end);
  for (int64_t i = begin; i < end; ++i) {
    list.make(walk);
    params.units = list.units();
    params.unit_count = list.count();
    TilePlace place;
    walk.next(&place);
    const Tile tile{src + place.src, dst + place.dst, place.rows, place.columns, place.unit, place.planes};
    kernel(&tile, params);
  }
}

}  // namespace xlashape::simd
