// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/tiling.h"

#include <algorithm>

namespace xlashape::simd {
namespace {

class TilingMaker {
 public:
  TilingMaker(const Schedule& schedule, TilingArrays& room, Tiling& tiling)
      : schedule_(schedule), room_(room), tiling_(tiling) {
    tiling.loop = room.loop;
    for (int i = 0; i < schedule.loops; ++i) {
      const int a = schedule.loop[i];
      const StridedAxis& axis = schedule.axis[a];
      const int64_t chunk = schedule.chunk[a];
      tiling.loop[i] = {schedule.parts(a), axis.src * chunk, axis.dst * chunk};
      tiling.tiles *= tiling.loop[i].count;
    }
    tiling.loops = schedule.loops;
    tiling.element = schedule.element;
    tiling.unit = tiling.last_unit = schedule.element;
  }

  void plain() {
    const Chain &source = schedule_.source, &destination = schedule_.destination;
    begin(&tiling_.columns);
    for (int i = 0; i < source.count; ++i) {
      const int a = source.axis[i];
      if (destination.has(a)) {
        add_unit(a);
      } else {
        add(a, &tiling_.columns);
      }
    }
    begin(&tiling_.rows);
    for (int i = 0; i < destination.count; ++i)
      if (!source.has(destination.axis[i])) add(destination.axis[i], &tiling_.rows);
  }

  void permuted() {
    list_factors(schedule_, &room_.factors);
    tiling_.factors = &room_.factors;
    const TileFactors& factors = room_.factors;
    int to[kMaxFactors];  // in the order of the destination, in which the columns' table counts
    for (int i = 0; i < factors.count; ++i) to[factors.factor[i].to] = i;
    begin(&tiling_.columns);
    for (int i = 0; i < factors.count; ++i)
      if (const TileFactor& factor = factors.factor[to[i]]; !factor.in_destination) add(factor.axis, &tiling_.columns);
    begin(&tiling_.rows);
    for (int i = 0; i < factors.count; ++i) {
      const TileFactor& factor = factors.factor[i];
      if (!factor.in_source) add(factor.axis, &tiling_.rows);
      if (factor.in_source && factor.in_destination) add_unit(factor.axis);
    }
  }

  void planes() {
    const Chain& strided = schedule_.strided;
    tiling_.planes_axes = strided.count;
    if (strided.count == 0) return;
    tiling_.plane = room_.plane;
    for (int i = 0; i < strided.count; ++i) {
      const int a = strided.axis[i];
      room_.plane[i] = {schedule_.chunk[a], schedule_.last_chunk(a), schedule_.axis[a].src, schedule_.axis[a].dst,
                        loop_of(a)};
    }
    const PlaneAxis& first = room_.plane[0];
    tiling_.planes = first.count;
    tiling_.last_planes = first.last;
    tiling_.plane_src = first.src;
    tiling_.plane_dst = first.dst;
    tiling_.plane_loop = first.loop;
  }

 private:
  int loop_of(int a) const {
    if (schedule_.is_whole(a)) return -1;
    for (int i = 0; i < schedule_.loops; ++i)
      if (schedule_.loop[i] == a) return i;
    return -1;
  }
  void add_unit(int a) {
    tiling_.last_unit = tiling_.unit * schedule_.last_chunk(a);
    tiling_.unit *= schedule_.chunk[a];
    tiling_.unit_loop = std::max(tiling_.unit_loop, loop_of(a));
  }
  // The factors of a side follow those of the side before.
  void begin(TileDimension* side) { side->factor = room_.factor + tiling_.columns.factors; }
  void add(int a, TileDimension* side) const {
    const int64_t chunk = schedule_.chunk[a];
    side->factor[side->factors++] = {chunk, schedule_.axis[a].src, schedule_.axis[a].dst};
    side->last = side->whole * schedule_.last_chunk(a);
    side->whole *= chunk;
    side->loop = std::max(side->loop, loop_of(a));
  }

  const Schedule& schedule_;
  TilingArrays& room_;
  Tiling& tiling_;
};

}  // namespace

void make_tiling(const Schedule& schedule, TilingArrays* room, Tiling* tiling) {
  *tiling = {};
  TilingMaker maker(schedule, *room, *tiling);
  if (schedule.permutes()) {
    maker.permuted();
  } else {
    maker.plain();
  }
  maker.planes();
}

Tiling shifted(const Tiling& tiling, int64_t indices, StridedAxis* loop) {
  Tiling moved = tiling;
  TileDimension& rows = moved.rows;
  const StridedAxis& factor = rows.factor[rows.factors - 1];
  const int64_t each = rows.whole / factor.count;  // rows of an index
  std::copy_n(tiling.loop, tiling.loops, loop);
  moved.loop = loop;
  int64_t& count = loop[rows.loop].count;
  moved.tiles /= count;
  const int64_t all = (count - 1) * factor.count + rows.last / each + indices;
  count = (all - 1) / factor.count + 1;
  moved.tiles *= count;
  rows.last = (all - (count - 1) * factor.count) * each;
  moved.shift = {indices * each, indices * factor.src, indices * factor.dst};
  return moved;
}

void fill_table(const TileDimension& side, int64_t StridedAxis::*stride, int64_t* table) {
  int64_t count = 1;
  table[0] = 0;
  for (int d = 0; d < side.factors; ++d) {
    const int64_t step = side.factor[d].*stride, times = side.factor[d].count;
    if (count == 1) {
      for (int64_t i = 1, at = step; i < times; ++i, at += step) table[i] = at;
    } else {
      for (int64_t i = 1, at = step; i < times; ++i, at += step) {
        int64_t* __restrict to = table + i * count;
        for (int64_t j = 0; j < count; ++j) to[j] = table[j] + at;
      }
    }
    count *= times;
  }
}

TileWalk::TileWalk(const Tiling& tiling, int64_t begin, int64_t end) : tiling_(tiling), left_(end - begin) {
  for (int i = tiling.loops; i-- > 0;) {
    at_[i] = begin == 0 ? 0 : begin % tiling.loop[i].count;
    if (begin != 0) begin /= tiling.loop[i].count;
    add(i, 0, at_[i]);
  }
  begin_innermost();
}

// Sets the size of the current tile, and how many tiles of the innermost loop follow that differ only in their place.
void TileWalk::begin_innermost() {
  rows_ = at_last(tiling_.rows.loop) ? tiling_.rows.last : tiling_.rows.whole;
  const bool is_first = tiling_.shift.rows > 0 && at_[tiling_.rows.loop] == 0;
  if (is_first) rows_ -= tiling_.shift.rows;
  columns_ = at_last(tiling_.columns.loop) ? tiling_.columns.last : tiling_.columns.whole;
  unit_ = at_last(tiling_.unit_loop) ? tiling_.last_unit : tiling_.unit;
  planes_ = at_last(tiling_.plane_loop) ? tiling_.last_planes : tiling_.planes;
  const int inner = tiling_.loops - 1;
  steps_ = 0;
  if (inner >= 0 && !(is_first && inner == tiling_.rows.loop))
    steps_ = std::max<int64_t>(tiling_.loop[inner].count - 2 - at_[inner], 0);
}

void TileWalk::next(TilePlace* place) {
  place->src = src_;
  place->dst = dst_;
  place->rows = left_ > 0 ? rows_ : 0;
  place->columns = left_ > 0 ? columns_ : 0;
  place->unit = unit_;
  place->planes = planes_;
  if (left_-- <= 0) return;
  if (steps_ > 0) {
    const int inner = tiling_.loops - 1;
    --steps_;
    ++at_[inner];
    src_ += tiling_.loop[inner].src;
    dst_ += tiling_.loop[inner].dst;
    return;
  }
  // A step never goes beyond the last tile, not even temporarily: places of tiles fit 64 bits, places beyond them may
  // not.
  for (int i = tiling_.loops; i-- > 0;) {
    if (at_[i] + 1 < tiling_.loop[i].count) {
      add(i, at_[i], at_[i] + 1);
      ++at_[i];
      break;
    }
    add(i, at_[i], 0);
    at_[i] = 0;
  }
  begin_innermost();
}

}  // namespace xlashape::simd
