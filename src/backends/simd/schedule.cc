// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/schedule.h"

#include <algorithm>
#include <cstdlib>

namespace xlashape::simd {
namespace {

// Returns how many elements are contiguous on both sides, and leaves out their axis.
int64_t fuse(const StridedAxis* axes, int count, int64_t width, Schedule* schedule) {
  StridedAxis* const to = schedule->axis;
  int used = 0;
  for (int i = 0; i < count; ++i) {
    const StridedAxis& axis = axes[i];
    if (axis.count == 1) continue;
    if (used > 0 && to[used - 1].src == axis.src * axis.count && to[used - 1].dst == axis.dst * axis.count) {
      to[used - 1] = {to[used - 1].count * axis.count, axis.src, axis.dst};
    } else {
      to[used++] = axis;
    }
  }
  int64_t together = 1;
  for (int i = 0; i < used; ++i) {
    if (to[i].src != width || to[i].dst != width) continue;
    together = to[i].count;
    std::copy(to + i + 1, to + used--, to + i);
    break;
  }
  schedule->axes = used;
  return together;
}

// The step by which loops are ordered. By default a loop with a small step on either side comes innermost, where the
// translations of that side's pages are still cached. If ordered by the larger stride, or by the destination's alone,
// 5-D reversals of 400 MB take twice as long (measured with 4 KiB pages).
int64_t step(const Schedule& schedule, int a, LoopOrder order) {
  const int64_t src = std::abs(schedule.axis[a].src), dst = std::abs(schedule.axis[a].dst);
  const int64_t stride = order == LoopOrder::kSource        ? src
                         : order == LoopOrder::kDestination ? dst
                                                            : std::min(src, dst);
  return stride * schedule.chunk[a];
}

}  // namespace

void set_space(const StridedAxis* axes, int count, int64_t width, Schedule* schedule) {
  const int64_t unit = fuse(axes, count, width, schedule) * width;
  schedule->element = std::min<int64_t>(unit & -unit, 16);
  if (unit > schedule->element)
    schedule->axis[schedule->axes++] = {unit / schedule->element, schedule->element, schedule->element};
  schedule->clear();
}

void set_packed_space(const StridedAxis* axes, int count, Schedule* schedule) {
  const int64_t unit = fuse(axes, count, 1, schedule);
  schedule->element = 1;
  if (unit > 1) schedule->axis[schedule->axes++] = {unit, 1, 1};
  schedule->clear();
}

void Schedule::clear() {
  std::fill_n(chunk, axes, 1);
  for (Chain* chain : {&source, &destination, &strided}) {
    chain->count = 0;
    chain->elements = 1;
  }
  loops = 0;
}

bool Schedule::may_take(int a, int64_t indices) const { return a < axes && indices >= 1 && indices <= axis[a].count; }

bool Schedule::join(Chain& chain, int64_t StridedAxis::*stride, int a, int64_t indices) {
  if (!may_take(a, indices) || chain.has(a) || strided.has(a)) return false;
  if (is_taken(a) && chunk[a] != indices) return false;
  if (axis[a].*stride != element * chain.elements) return false;
  if (chain.last() >= 0 && !is_whole(chain.last())) return false;
  chain.axis[chain.count++] = static_cast<int8_t>(a);
  chain.elements *= indices;
  chunk[a] = indices;
  return true;
}

bool Schedule::take_unit(int a, int64_t indices) {
  if (is_taken(a) || !join_source(a, indices)) return false;
  if (join_destination(a, indices)) return true;
  --source.count;
  source.elements /= indices;
  chunk[a] = 1;
  return false;
}

bool Schedule::take_column(int a, int64_t indices) { return !is_taken(a) && join_source(a, indices); }
bool Schedule::take_row(int a, int64_t indices) { return !is_taken(a) && join_destination(a, indices); }

bool Schedule::take_plane(int a, int64_t indices) {
  if (is_taken(a) || !may_take(a, indices)) return false;
  strided.axis[strided.count++] = static_cast<int8_t>(a);
  strided.elements *= indices;
  chunk[a] = indices;
  return true;
}

bool Schedule::rechunk(int a, int64_t indices) {
  if (!is_taken(a) || !may_take(a, indices)) return false;
  for (Chain* chain : {&source, &destination})
    if (chain->has(a) && chain->last() != a && indices != axis[a].count) return false;
  for (Chain* chain : {&source, &destination, &strided})
    if (chain->has(a)) chain->elements = chain->elements / chunk[a] * indices;
  chunk[a] = indices;
  return true;
}

void Schedule::order_loops(int inner, LoopOrder order) {
  loops = 0;
  // Innermost first; reversed at the end.
  if (inner >= 0) add_loop(inner);
  const int first = loops;
  if (const int row = destination.last(); row >= 0 && row != inner) add_loop(row);
  if (const int column = source.last(); column >= 0 && column != inner && column != destination.last())
    add_loop(column);
  for (int a = axes; a-- > 0;)
    if (a != inner && a != destination.last() && a != source.last()) add_loop(a);
  for (int i = first + 1; i < loops; ++i)
    for (int j = i; j > first && step(*this, loop[j], order) < step(*this, loop[j - 1], order); --j)
      std::swap(loop[j], loop[j - 1]);
  std::reverse(loop, loop + loops);
}

void Schedule::order_loops_as_given() {
  loops = 0;
  for (int a = 0; a < axes; ++a) add_loop(a);
}

int64_t Schedule::tiles() const {
  int64_t count = 1;
  for (int i = 0; i < loops; ++i) count *= parts(loop[i]);
  return count;
}

bool Schedule::permutes() const {
  int common = 0;
  for (int i = 0; i < source.count; ++i) common += destination.has(source.axis[i]);
  for (int i = 0; i < common; ++i)
    if (source.axis[i] != destination.axis[i]) return true;
  return false;
}

}  // namespace xlashape::simd
