/* SPDX-License-Identifier: Apache-2.0 */
// Finds the runs of destination positions that hold no element, in memory order.
#pragma once
#include <algorithm>
#include <cstdint>

#include "backends/common/guarded_loops.h"
#include "backends/common/limits.h"
#include "xlashape_backend.h"

namespace xlashape::backends {

// Calls fill(begin, end) for every run of padding, in the units of the fill loops' strides. The loops are all factors
// of the destination, most major first, so all that is below one factor is contiguous.
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
  void walk(int32_t loop, int64_t offset, int32_t open, LoopRange range) {
    if (open == 0 || loop == loops_.loop_count) return;
    const int64_t stride = loops_.dst_stride[loop];
    const int32_t guard = loops_.guard[loop];
    if (guard < 0) {
      for (int64_t i = range.begin; i < range.end; ++i) descend(loop, offset + i * stride, open);
      return;
    }
    // By this guard, blocks before `full` hold only elements and blocks from `dead` on hold none.
    const int64_t step = loops_.step[loop], value = value_[guard], left = loops_.high[guard] - value;
    const int64_t full = std::clamp<int64_t>(left > 0 ? left / step : 0, range.begin, range.end);
    const int64_t dead = std::clamp<int64_t>(left > 0 ? (left + step - 1) / step : 0, range.begin, range.end);
    if (open > 1)
      for (int64_t i = range.begin; i < full; ++i) descend(loop, offset + i * stride, open - 1, guard);
    if (full < dead) {
      value_[guard] = value + full * step;
      descend(loop, offset + full * stride, open);
      value_[guard] = value;
    }
    if (dead < range.end) fill_(offset + dead * stride, offset + range.end * stride);
  }

  // `settled`: a guard that holds everywhere below, so that its loops there count as unguarded.
  void descend(int32_t loop, int64_t offset, int32_t open, int32_t settled = -1) {
    if (open == 0) return;
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
    if (guard >= 0 && value_[guard] < 0) {
      for (int64_t i = 0; i < all.end; ++i) {
        if (loop + 1 < loops_.loop_count) walk_settled(loop + 1, offset + i * loops_.dst_stride[loop], open);
      }
    } else {
      walk(loop, offset, open, all);
    }
  }

  const xlashape_loops& loops_;
  Fill& fill_;
  int64_t value_[kMaxGuards] = {};  // per guard: the sum of the loops outside
};

template <class Fill>
void walk_fill(const xlashape_loops& loops, LoopRange outermost, Fill&& fill) {
  FillWalker<Fill>(loops, fill).run(outermost);
}

}  // namespace xlashape::backends
