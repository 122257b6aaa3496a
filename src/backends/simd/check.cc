// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/check.h"

#include <algorithm>

#include "backends/common/guarded_loops.h"

namespace xlashape::simd {
namespace {

class CornerRandom {
 public:
  explicit CornerRandom(uint64_t seed) : state_(seed) {}
  int64_t below(int64_t limit) {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<int64_t>((z ^ (z >> 31)) % static_cast<uint64_t>(limit));
  }
  // The first number, the last, or any.
  int64_t corner(int64_t limit) {
    const int64_t which = below(4);
    return which == 0 ? 0 : which == 1 ? limit - 1 : below(limit);
  }

 private:
  uint64_t state_;
};

// Returns how many bytes of the given axes are one run on both sides, and marks the axes of that run.
int64_t run_of(const StridedAxis* axes, int count, int64_t width, bool* used) {
  int64_t run = width;
  for (int i = 0; i < count; ++i)
    if (!used[i] && axes[i].count > 1 && axes[i].src == run && axes[i].dst == run) {
      used[i] = true;
      run *= axes[i].count;
      i = -1;
    }
  return run;
}

// Checks that the schedule's space is what was given: each of its axes is made of successive given axes.
const char* fault_of_space(const StridedAxis* axes, int count, int64_t width, const Schedule& schedule) {
  bool used[kMaxSimdLoops] = {};
  const int64_t run = run_of(axes, count, width, used);
  int last = schedule.axes;
  int64_t own = schedule.element;
  if (last > 0 && schedule.axis[last - 1].src == own && schedule.axis[last - 1].dst == own)
    own *= schedule.axis[--last].count;
  if (own != run) return "runs are of another length than in the nest";
  for (int a = 0; a < last; ++a) {
    const StridedAxis& axis = schedule.axis[a];
    int64_t times = 1;
    for (int i = 0; i < count && times < axis.count; ++i) {
      if (used[i] || axes[i].count == 1 || axes[i].src != axis.src * times || axes[i].dst != axis.dst * times) continue;
      used[i] = true;
      times *= axes[i].count;
      i = -1;
    }
    if (times != axis.count) return "an axis is not in the nest";
  }
  for (int i = 0; i < count; ++i)
    if (!used[i] && axes[i].count > 1) return "a loop of the nest is missing";
  return nullptr;
}

const char* fault_of_chain(const Schedule& schedule, const Chain& chain, int64_t StridedAxis::*stride) {
  int64_t elements = 1;
  for (int i = 0; i < chain.count; ++i) {
    const int a = chain.axis[i];
    for (int j = 0; j < i; ++j)
      if (chain.axis[j] == a) return "an axis is in a chain twice";
    if (stride != nullptr && schedule.axis[a].*stride != schedule.element * elements) return "a chain has a gap";
    if (stride != nullptr && i + 1 < chain.count && schedule.chunk[a] != schedule.axis[a].count)
      return "a chain continues after a part";
    elements *= schedule.chunk[a];
  }
  return elements == chain.elements ? nullptr : "a chain's elements are miscounted";
}

const char* fault_of_cut(const Schedule& schedule) {
  bool loop[kMaxAxes] = {};
  for (int i = 0; i < schedule.loops; ++i) {
    if (loop[schedule.loop[i]]) return "an axis has two loops";
    loop[schedule.loop[i]] = true;
  }
  for (int a = 0; a < schedule.axes; ++a) {
    const int64_t count = schedule.axis[a].count, chunk = schedule.chunk[a];
    if (chunk < 1 || chunk > count) return "a chunk is longer than its axis, or empty";
    if (loop[a] != (chunk < count)) return "the loops are not those of the axes that are cut";
    if (!schedule.is_taken(a) && chunk != 1) return "a chunk is in no chain";
    if (schedule.strided.has(a) && (schedule.source.has(a) || schedule.destination.has(a)))
      return "an axis is a plane and in a chain";
  }
  if (const char* fault = fault_of_chain(schedule, schedule.source, &StridedAxis::src)) return fault;
  if (const char* fault = fault_of_chain(schedule, schedule.destination, &StridedAxis::dst)) return fault;
  return fault_of_chain(schedule, schedule.strided, nullptr);
}

// One tile, computed from the axes alone. `shift`: how many indices of the last axis that is contiguous in the
// destination alone the first tile has less than others.
class TileModel {
 public:
  TileModel(const Schedule& schedule, int64_t shift, int64_t number) : schedule_(schedule) {
    std::fill_n(first_, schedule.axes, 0);
    std::copy_n(schedule.chunk, schedule.axes, size_);
    for (int i = schedule.loops; i-- > 0;) {
      const int a = schedule.loop[i];
      const int64_t chunk = schedule.chunk[a], ahead = a == schedule.destination.last() ? shift : 0;
      const int64_t parts = parts_of(schedule, a, ahead), part = number % parts;
      first_[a] = std::max<int64_t>(part * chunk - ahead, 0);
      size_[a] = std::min(part == 0 ? chunk - ahead : chunk, schedule.axis[a].count - first_[a]);
      number /= parts;
    }
  }
  static int64_t parts_of(const Schedule& schedule, int a, int64_t ahead) {
    return backends::divide_up(schedule.axis[a].count + ahead, schedule.chunk[a]);
  }
  int64_t offset(int64_t StridedAxis::*stride) const {
    int64_t at = 0;
    for (int a = 0; a < schedule_.axes; ++a) at += first_[a] * schedule_.axis[a].*stride;
    return at;
  }
  // The product of the tile's indices over the axes that are in exactly the given chains.
  int64_t product(bool in_source, bool in_destination) const {
    int64_t all = 1;
    for (int a = 0; a < schedule_.axes; ++a)
      if (schedule_.source.has(a) == in_source && schedule_.destination.has(a) == in_destination) all *= size_[a];
    return all;
  }
  int64_t size(int a) const { return size_[a]; }

 private:
  const Schedule& schedule_;
  int64_t first_[kMaxAxes], size_[kMaxAxes];
};

// An element of a tile: its indices within the tile.
struct Element {
  int64_t at[kMaxAxes];
  int64_t offset(const Schedule& schedule, int64_t StridedAxis::*stride) const {
    int64_t sum = 0;
    for (int a = 0; a < schedule.axes; ++a) sum += at[a] * schedule.axis[a].*stride;
    return sum;
  }
  // Its number among the elements of a chain; and, for the other axes, among a side's factors.
  int64_t in_chain(const TileModel& tile, const Chain& chain) const {
    int64_t number = 0;
    for (int i = chain.count; i-- > 0;) number = number * tile.size(chain.axis[i]) + at[chain.axis[i]];
    return number;
  }
};

// The row of an element in a permuted tile is its number among the factors that are not in the source, in their order;
// its column is its number among the factors that are not in the destination, in the order that they have there.
int64_t row_of(const TileFactors& factors, const TileModel& tile, const Element& element) {
  int64_t number = 0;
  for (int i = factors.count; i-- > 0;)
    if (const TileFactor& factor = factors.factor[i]; !factor.in_source)
      number = number * tile.size(factor.axis) + element.at[factor.axis];
  return number;
}
int64_t column_of(const TileFactors& factors, const TileModel& tile, const Element& element) {
  int64_t number = 0;
  for (int place = factors.count; place-- > 0;)
    for (int i = 0; i < factors.count; ++i)
      if (const TileFactor& factor = factors.factor[i]; factor.to == place && !factor.in_destination)
        number = number * tile.size(factor.axis) + element.at[factor.axis];
  return number;
}

// For permuted tiles: where the passes bring an element of the gathered pieces.
int64_t through_passes(const Tiling& tiling, const TileModel& tile, int64_t number) {
  int64_t counts[kMaxFactors];
  for (int i = 0; i < tiling.factors->count; ++i) counts[i] = tile.size(tiling.factors->factor[i].axis);
  Passes passes;
  plan_passes(*tiling.factors, counts, tiling.element, &passes);
  for (int i = 0; i < passes.count; ++i) {
    const Pass& pass = passes.pass[i];
    const int64_t plane = pass.rows * pass.columns, in_plane = number % plane;
    number += (in_plane % pass.columns) * pass.rows + in_plane / pass.columns - in_plane;
  }
  return number;
}

const char* fault_in_tile(const Schedule& schedule, const Tiling& tiling, const TileModel& tile, const TilePlace& place,
                          CornerRandom& random) {
  int64_t row[kMaxSide], column[kMaxSide];
  fill_table(tiling.rows, &StridedAxis::src, row);
  fill_table(tiling.columns, &StridedAxis::dst, column);
  for (int i = 0; i < 6; ++i) {
    Element element;
    for (int a = 0; a < schedule.axes; ++a) element.at[a] = random.corner(tile.size(a));
    const int64_t src = element.offset(schedule, &StridedAxis::src), dst = element.offset(schedule, &StridedAxis::dst);
    int64_t from = element.in_chain(tile, schedule.source) * schedule.element,
            to = element.in_chain(tile, schedule.destination) * schedule.element;
    int64_t plane_src = 0, plane_dst = 0;
    for (int k = 0; k < schedule.strided.count; ++k) {
      const int a = schedule.strided.axis[k];
      plane_src += element.at[a] * schedule.axis[a].src;
      plane_dst += element.at[a] * schedule.axis[a].dst;
    }
    int64_t plane_from = 0, plane_to = 0;
    for (int k = 0; k < tiling.planes_axes; ++k) {
      const int64_t p = element.at[schedule.strided.axis[k]];
      plane_from += p * tiling.plane[k].src;
      plane_to += p * tiling.plane[k].dst;
    }
    if (plane_src != plane_from || plane_dst != plane_to) return "a plane is elsewhere";
    const int64_t piece = place.columns * place.unit, run = place.rows * place.unit;
    if (from >= piece || to >= run) return "an element is outside its piece or its run";
    int64_t r = to / place.unit, c = from / place.unit;
    if (tiling.permutes()) {
      r = row_of(*tiling.factors, tile, element);
      c = column_of(*tiling.factors, tile, element);
      if (through_passes(tiling, tile, (r * piece + from) / schedule.element) != (c * run + to) / schedule.element)
        return "the passes bring an element elsewhere";
    } else if (from % place.unit != to % place.unit) {
      return "source and destination of a unit disagree";
    }
    if (r >= place.rows || row[r] + from + plane_src != src) return "a row is elsewhere";
    if (c >= place.columns || column[c] + to + plane_dst != dst) return "a column is elsewhere";
  }
  return nullptr;
}

}  // namespace

const char* fault_of(const StridedAxis* axes, int count, int64_t width, const Schedule& schedule, const Tiling& tiling,
                     uint64_t seed) {
  if (const char* fault = fault_of_space(axes, count, width, schedule)) return fault;
  if (const char* fault = fault_of_cut(schedule)) return fault;
  const int row = schedule.destination.last();
  int64_t each = 1;
  if (tiling.shift.rows > 0) each = std::max<int64_t>(tiling.rows.whole / schedule.chunk[std::max(row, 0)], 1);
  const int64_t shift = tiling.shift.rows / each;
  if (shift != 0 && (row < 0 || schedule.source.has(row) || schedule.is_whole(row) || shift >= schedule.chunk[row]))
    return "tiles are shifted along an axis that has no rows, or is not cut";
  int64_t tiles = 1;
  for (int a = 0; a < schedule.axes; ++a) tiles *= TileModel::parts_of(schedule, a, a == row ? shift : 0);
  if (tiles != tiling.tiles) return "the tiles are miscounted";

  CornerRandom random(seed);
  // Tasks: each ends where the next begins.
  const int64_t parts = 1 + random.below(64), part = random.below(parts);
  const backends::LoopRange mine = backends::share(tiles, part, part + 1, parts);
  if (mine.begin < 0 || mine.end < mine.begin || mine.end > tiles || (part == 0 && mine.begin != 0) ||
      (part + 1 == parts ? mine.end != tiles : mine.end != backends::share(tiles, part + 1, part + 2, parts).begin))
    return "tasks share or leave out tiles";

  // Some tiles at corners of the loops, and the tiles that follow them in a walk.
  for (int i = 0; i < 3; ++i) {
    int64_t number = 0;
    for (int l = 0; l < schedule.loops; ++l) {
      const int a = schedule.loop[l];
      const int64_t loop = TileModel::parts_of(schedule, a, a == row ? shift : 0);
      number = number * loop + random.corner(loop);
    }
    const int64_t end = std::min(tiles, number + 3);
    TileWalk walk(tiling, number, end);
    TilePlace place;
    for (; number < end; ++number) {
      walk.next(&place);
      const TileModel tile(schedule, shift, number);
      if (place.src != tile.offset(&StridedAxis::src) || place.dst != tile.offset(&StridedAxis::dst))
        return "a tile is elsewhere";
      if (place.unit != tile.product(true, true) * schedule.element || place.rows != tile.product(false, true) ||
          place.columns != tile.product(true, false))
        return "a tile has another size";
      if (schedule.strided.count > 0 && place.planes != tile.size(schedule.strided.axis[0]))
        return "planes are miscounted";
      if (tiling.rows.whole > kMaxSide || tiling.columns.whole > kMaxSide) continue;  // no kernel takes it
      if (const char* fault = fault_in_tile(schedule, tiling, tile, place, random)) return fault;
    }
    walk.next(&place);
    if (place.rows != 0) return "a walk does not end";
  }
  return nullptr;
}

}  // namespace xlashape::simd
