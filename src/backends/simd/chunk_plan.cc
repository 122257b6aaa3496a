// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/chunk_plan.h"

#include <algorithm>

namespace xlashape::simd {

void add_pieces(const Rectangle& rectangle, int axes, int64_t width, int64_t at, ChunkPlan& plan) {
  bool taken[kMaxSimdLoops] = {};
  int64_t bytes = width;
  for (int a = axes; a-- > 0;)
    if (!taken[a] && rectangle.axes[a].src == bytes) {
      bytes *= rectangle.axes[a].count;
      taken[a] = true;
      a = axes;
    }
  int64_t index[kMaxSimdLoops] = {};
  for (bool more = true; more && plan.pieces <= kMaxPieces; ++plan.pieces) {
    if (plan.pieces < kMaxPieces) plan.piece[plan.pieces] = at, plan.piece_bytes[plan.pieces] = bytes;
    more = false;
    for (int a = axes; a-- > 0 && !more;) {
      if (taken[a]) continue;
      at += rectangle.axes[a].src;
      more = ++index[a] < rectangle.axes[a].count;
      if (!more) at -= index[a] * rectangle.axes[a].src, index[a] = 0;
    }
  }
}

namespace {

// The padding of a chunk, in memory order.
class HoleFinder {
 public:
  HoleFinder(const xlashape_loops& nest, int64_t width, ChunkPlan& plan) : nest_(nest), width_(width), plan_(plan) {
    std::copy(plan.left, plan.left + nest.guard_count, left_);
  }

  // The `owned` bytes at `at` hold `count` indices of the loop, and nothing else.
  void find(int32_t loop, int64_t count, int64_t at, int64_t owned) {
    if (loop == nest_.loop_count) return add(at + width_, at + owned);
    const int64_t stride = nest_.dst_stride[loop], step = nest_.step[loop];
    const int32_t guard = nest_.guard[loop];
    const int64_t left = guard >= 0 ? left_[guard] : 0;
    const int64_t used = guard >= 0 ? std::min(count, backends::divide_up(left, step)) : count;
    const int64_t full = guard >= 0 ? std::min(count, left / step) : count;
    const int64_t first = is_solid(loop + 1, stride, guard) ? full : 0;
    // Indices before `full` have the same holes. Each begins with an element, so no hole goes on from one to the next.
    const int before = plan_.holes;
    int after = before;
    for (int64_t i = first; i < used && plan_.holes <= kMaxHoles; ++i) {
      if (i > first && i < full) {
        repeat(before, after, i * stride);
        continue;
      }
      if (guard >= 0) left_[guard] = left - i * step;
      find(loop + 1, loop + 1 < nest_.loop_count ? nest_.extent[loop + 1] : 1, at + i * stride, stride);
      if (i == first) after = plan_.holes;
    }
    if (guard >= 0) left_[guard] = left;
    add(at + used * stride, at + owned);
  }

 private:
  // Whether the loops from this one on leave no hole in `owned` bytes if the guard `full` cuts nothing.
  bool is_solid(int32_t loop, int64_t owned, int32_t full) const {
    for (; loop < nest_.loop_count; owned = nest_.dst_stride[loop++]) {
      const int32_t guard = nest_.guard[loop];
      if (nest_.extent[loop] * nest_.dst_stride[loop] != owned) return false;
      if (guard >= 0 && guard != full && left_[guard] < nest_.extent[loop] * nest_.step[loop]) return false;
    }
    return owned == width_;
  }
  void add(int64_t begin, int64_t end) {
    if (begin >= end || plan_.holes > kMaxHoles) return;
    if (plan_.holes > 0 && last().at + last().bytes == begin) {
      last().bytes += end - begin;
    } else if (plan_.holes++ < kMaxHoles) {
      last() = {begin, end - begin};
    }
  }
  // Adds the holes from one number to another again, further on.
  void repeat(int begin, int end, int64_t distance) {
    for (int h = begin; h < std::min(end, kMaxHoles); ++h)
      add(plan_.hole[h].at + distance, plan_.hole[h].at + plan_.hole[h].bytes + distance);
  }
  Hole& last() { return plan_.hole[plan_.holes - 1]; }

  const xlashape_loops& nest_;
  const int64_t width_;
  ChunkPlan& plan_;
  int64_t left_[kMaxFilledGuards];
};

}  // namespace

void find_holes(const xlashape_loops& nest, int32_t loop, int64_t count, int64_t owned, int64_t width,
                ChunkPlan& plan) {
  HoleFinder(nest, width, plan).find(loop, count, 0, owned);
}

}  // namespace xlashape::simd
