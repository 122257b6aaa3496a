// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/gather.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "backends/common/guarded_loops.h"

namespace xlashape::simd {
namespace {

// How many indices of `bytes_each` bytes make whole lines, a power of two.
int64_t indices_of_lines(int64_t bytes_each) {
  return kLineBytes >> std::countr_zero(static_cast<uint64_t>(bytes_each | kLineBytes));
}

// The nearest number of indices that make whole lines, if there is one up to `most`.
int64_t whole_lines(int64_t indices, int64_t bytes_each, int64_t most) {
  const int64_t grain = bytes_each >= kLineBytes ? 1 : indices_of_lines(bytes_each);
  const int64_t more = (indices + grain - 1) & -grain, fewer = indices & -grain;
  return more <= most ? more : fewer > 0 ? fewer : indices;
}

// Takes axes that follow from `next` without a gap on one side, until there are `bytes`; of the last one possibly only
// a part. `reserved` is left to the other side.
void gather_side(Schedule& schedule, Chain& chain, int64_t StridedAxis::*stride, int next, int reserved,
                 int64_t bytes) {
  const int64_t unit = schedule.element * chain.elements;
  // The indices that there is room for, and the limit with a little more.
  int64_t most = std::clamp<int64_t>(bytes / unit, 1, kMaxSide), limit = std::min(kMaxSide, most + most / 2);
  const auto take = [&](int a, int64_t indices) {
    return stride == &StridedAxis::dst ? schedule.take_row(a, indices) : schedule.take_column(a, indices);
  };
  for (int64_t product = 1; next >= 0 && next != reserved;) {
    const int64_t count = schedule.axis[next].count;
    // Takes the whole axis where it is within the limit.
    if (count > limit) {
      const int64_t parts = backends::divide_up(count, most);
      take(next, whole_lines(backends::divide_up(count, parts), unit * product, limit));
      return;
    }
    if (!take(next, count)) return;
    if (count > most / 2) return;
    product *= count;
    most /= count;
    limit /= count;
    next = schedule.axis_with(stride, unit * product);
  }
}

}  // namespace

int64_t in_equal_parts(int64_t count, int64_t most) {
  const int64_t parts = (count - 1) / most + 1;
  return (count - 1) / parts + 1;
}

void gather(const TileSizes& sizes, Schedule* schedule) {
  schedule->clear();
  const int64_t element = schedule->element;
  const int last = schedule->axes - 1;
  if (last >= 0 && schedule->axis[last].src == element && schedule->axis[last].dst == element) {
    const int64_t count = schedule->axis[last].count;
    schedule->take_unit(last, std::clamp<int64_t>(sizes.unit / element, 1, count));
    if (!schedule->is_whole(last)) return;
  }
  const int64_t unit = element * schedule->source.elements;
  const int row = schedule->axis_with(&StridedAxis::dst, unit), column = schedule->axis_with(&StridedAxis::src, unit);
  if (sizes.row > 0) gather_side(*schedule, schedule->destination, &StridedAxis::dst, row, column, sizes.row);
  if (sizes.column > 0) gather_side(*schedule, schedule->source, &StridedAxis::src, column, -1, sizes.column);
}

void gather_shared(int64_t run, int64_t tile, Schedule* schedule) {
  static_assert(kPermuteBytes <= int64_t{1} << kMaxFactors);  // no factor has fewer than two elements
  schedule->clear();
  const int64_t element = schedule->element, wanted = run / element, most = tile / element;
  int64_t all = 1;
  struct ChainEnd {
    Chain* chain;
    int64_t StridedAxis::*stride;
    bool open;
  };
  ChainEnd ends[2] = {{&schedule->source, &StridedAxis::src, true}, {&schedule->destination, &StridedAxis::dst, true}};
  // The shorter chain is extended.
  for (;;) {
    ChainEnd* end = nullptr;
    for (ChainEnd& e : ends)
      if (e.open && e.chain->elements < wanted && (end == nullptr || e.chain->elements < end->chain->elements))
        end = &e;
    if (end == nullptr) break;
    end->open = false;
    const int next = schedule->axis_with(end->stride, element * end->chain->elements);
    if (next < 0) continue;
    int64_t some = schedule->chunk[next];
    if (!schedule->is_taken(next)) {
      const int64_t room = most / all, needed = backends::divide_up(wanted, end->chain->elements);
      const int64_t count = schedule->axis[next].count;
      some = count <= std::min(room, needed + needed / 2) ? count : std::min(room, needed);
      if (some < 2) continue;
      all *= some;
    }
    const bool joined =
        end->stride == &StridedAxis::src ? schedule->join_source(next, some) : schedule->join_destination(next, some);
    end->open = joined && schedule->is_whole(next);
  }
  // If both chains end in the same axis, its chunk may be as large as there is room for.
  const int last = schedule->source.last();
  if (last < 0 || last != schedule->destination.last() || schedule->is_whole(last)) return;
  const int64_t count = schedule->axis[last].count, part = schedule->chunk[last];
  int64_t more = std::min(most / (all / part), count);
  // Prefers whole lines: lines at the ends of a run are written in parts, through the cache.
  const int64_t step = element * schedule->destination.elements / part, grain = indices_of_lines(step);
  if (more < count && more > grain) more -= more % grain;
  schedule->rechunk(last, more);
}

void gather_units(int64_t run, int64_t most, Schedule* schedule) {
  schedule->clear();
  const int last = schedule->axes - 1;
  if (schedule->has_run()) schedule->take_unit(last, schedule->axis[last].count);
  const int64_t unit = schedule->element * schedule->source.elements;
  int64_t chunk[kMaxAxes], all = 1;  // chunk 1: not taken
  std::fill_n(chunk, schedule->axes, 1);
  struct RunEnd {
    int64_t StridedAxis::*stride;
    int64_t bytes;
    bool open;
  };
  RunEnd ends[2] = {{&StridedAxis::src, unit, true}, {&StridedAxis::dst, unit, true}};
  for (;;) {
    RunEnd* end = nullptr;
    for (RunEnd& e : ends)
      if (e.open && e.bytes < run && (end == nullptr || e.bytes < end->bytes)) end = &e;
    if (end == nullptr) break;
    end->open = false;
    const int next = schedule->axis_with(end->stride, end->bytes);
    if (next < 0 || schedule->is_taken(next)) continue;
    const int64_t count = schedule->axis[next].count;
    if (chunk[next] == 1) {
      const int64_t room = most / all, needed = backends::divide_up(run, end->bytes);
      const int64_t some = count <= std::min(room, needed + needed / 2) ? count : std::min(room, needed);
      if (some < 2) continue;
      chunk[next] = in_equal_parts(count, some);
      all *= chunk[next];
    }
    end->bytes *= chunk[next];
    end->open = chunk[next] == count;
  }
  while (all <= most / 4) {
    int next = -1;
    const auto step = [&](int a) { return std::min(std::abs(schedule->axis[a].src), std::abs(schedule->axis[a].dst)); };
    for (int a = 0; a < schedule->axes; ++a)
      if (chunk[a] == 1 && !schedule->is_taken(a) && (next < 0 || step(a) < step(next))) next = a;
    if (next < 0) break;
    chunk[next] = in_equal_parts(schedule->axis[next].count, most / all);
    all *= chunk[next];
  }
  // The longest axis is the first, the others follow in the order of the destination.
  for (bool first = true;; first = false) {
    int next = -1;
    for (int a = 0; a < schedule->axes; ++a) {
      if (chunk[a] == 1 || schedule->is_taken(a)) continue;
      if (next < 0 ||
          (first ? chunk[a] > chunk[next] : std::abs(schedule->axis[a].dst) < std::abs(schedule->axis[next].dst)))
        next = a;
    }
    if (next < 0) break;
    schedule->take_plane(next, chunk[next]);
  }
}

}  // namespace xlashape::simd
