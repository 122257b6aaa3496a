/* SPDX-License-Identifier: Apache-2.0 */
// Finds the runs of destination positions that hold no element, in memory order.
#pragma once
#include <algorithm>
#include <cstdint>

#include "backends/common/guarded_loops.h"
#include "backends/common/limits.h"
#include "xlashape_backend.h"

namespace xlashape::backends {

// Calls fill(begin, end, count, distance) for the runs of padding, in the units of the fill loops' strides: `count`
// runs as long as the first one, so far apart. The loops are all factors of the destination, most major first, so all
// that is below one factor is contiguous.
template <class Fill>
class FillWalker {
 public:
  FillWalker(const xlashape_loops& loops, Fill& fill) : loops_(loops), fill_(fill) {}

  // Runs over `outermost`, a part of the outermost loop's indices.
  void run(LoopRange outermost) {
    if (loops_.loop_count == 0) return;
    walk(0, 0, loops_.guard_count, outermost);
  }

 private:
  // What is found below one index of a loop, where all its indices have the same.
  struct Found {
    int64_t begin = 0, end = 0;
    int runs = 0;  // 2: more than one
  };

  void emit(int64_t begin, int64_t end, int64_t count, int64_t distance) {
    if (found_ == nullptr) return fill_(begin, end, count, distance);
    *found_ = {begin, end, found_->runs > 0 || count > 1 ? 2 : 1};
  }

  void walk(int32_t loop, int64_t offset, int32_t open, LoopRange range) {
    if (open == 0 || loop == loops_.loop_count) return;
    const int64_t stride = loops_.dst_stride[loop];
    const int32_t guard = loops_.guard[loop];
    if (guard < 0) return descend_all(loop, offset, open, range);
    // By this guard, blocks before `full` hold only elements and blocks from `dead` on hold none.
    const int64_t step = loops_.step[loop], value = value_[guard], left = loops_.high[guard] - value;
    const int64_t full = std::clamp<int64_t>(left > 0 ? left / step : 0, range.begin, range.end);
    const int64_t dead = std::clamp<int64_t>(left > 0 ? (left + step - 1) / step : 0, range.begin, range.end);
    if (open > 1) descend_all(loop, offset, open - 1, {range.begin, full}, guard);
    if (full < dead) {
      value_[guard] = value + full * step;
      descend(loop, offset + full * stride, open);
      value_[guard] = value;
    }
    if (dead < range.end) emit(offset + dead * stride, offset + range.end * stride, 1, 0);
  }

  // Indices that all have the same below them. `settled`: a guard that holds everywhere there, so that its loops count
  // as unguarded.
  void descend_all(int32_t loop, int64_t offset, int32_t open, LoopRange range, int32_t settled = -1) {
    const int64_t stride = loops_.dst_stride[loop];
    constexpr int64_t kLeastAlike = 4;  // for fewer it is not worth looking at the first one twice
    if (range.size() >= kLeastAlike) {
      Found found;
      Found* const outer = found_;
      found_ = &found;
      descend(loop, offset + range.begin * stride, open, settled);
      found_ = outer;
      if (found.runs == 0) return;
      if (found.runs == 1) return emit(found.begin, found.end, range.size(), stride);
    }
    for (int64_t i = range.begin; i < range.end; ++i) descend(loop, offset + i * stride, open, settled);
  }

  void descend(int32_t loop, int64_t offset, int32_t open, int32_t settled = -1) {
    if (open == 0 || (found_ != nullptr && found_->runs > 1)) return;
    int64_t saved = 0;
    if (settled >= 0) {
      saved = value_[settled];
      value_[settled] = INT64_MIN / 2;  // far below every bound
    }
    const int32_t next = loop + 1;
    if (next < loops_.loop_count) walk_settled(next, offset, open);
    if (settled >= 0) value_[settled] = saved;
  }

  void walk_settled(int32_t loop, int64_t offset, int32_t open) {
    const int32_t guard = loops_.guard[loop];
    const LoopRange all{0, loops_.extent[loop]};
    if (guard >= 0 && value_[guard] < 0) return descend_all(loop, offset, open, all);
    walk(loop, offset, open, all);
  }

  const xlashape_loops& loops_;
  Fill& fill_;
  Found* found_ = nullptr;          // where runs are noted instead of filled
  int64_t value_[kMaxGuards] = {};  // per guard: the sum of the loops outside
};

template <class Fill>
void walk_fill(const xlashape_loops& loops, LoopRange outermost, Fill&& fill) {
  FillWalker<Fill>(loops, fill).run(outermost);
}

}  // namespace xlashape::backends
