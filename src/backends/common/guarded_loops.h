/* SPDX-License-Identifier: Apache-2.0 */
// Cuts a loop nest with ragged dimensions into rectangles, separating the interior from the edges, one guard at a time.
// Nothing is stored per combination: the rectangles are produced one after the other.
#pragma once
#include <algorithm>
#include <cstdint>

#include "ir/int128.h"
#include "xlashape_backend.h"

namespace xlashape::backends {

struct LoopRange {
  int64_t begin, end;
  int64_t size() const { return end - begin; }
};

// Calls leaf(const LoopRange*) for every rectangle of `loops` within `ranges` (one per loop, changed on the way and
// restored).
template <class Leaf>
class GuardedLoopSplitter {
 public:
  GuardedLoopSplitter(const xlashape_loops& loops, LoopRange* ranges, Leaf& leaf)
      : loops_(loops), ranges_(ranges), leaf_(leaf) {}
  void run() { split_guard(0); }

 private:
  static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

  void split_guard(int32_t guard) {
    if (guard == loops_.guard_count) {
      leaf_(ranges_);
    } else {
      split_loop(guard, next_loop(guard, 0), 0);
    }
  }

  int32_t next_loop(int32_t guard, int32_t from) const {
    while (from < loops_.loop_count && loops_.guard[from] != guard) ++from;
    return from;
  }

  // `loop` is the next loop of the guard; the guard's loops outside it add up to `value`.
  void split_loop(int32_t guard, int32_t loop, int64_t value) {
    if (loop == loops_.loop_count) return split_guard(guard + 1);
    const LoopRange range = ranges_[loop];
    const int64_t step = loops_.step[loop];
    const int64_t low = loops_.low[guard] - value, high = loops_.high[guard] - value;
    // The indices whose whole block is inside, and the blocks that a bound cuts.
    const int64_t first = floor_div(low, step), last = floor_div(high, step);
    const bool low_cut = low > first * step, high_cut = high > last * step;
    const LoopRange full{std::max(range.begin, first + low_cut), std::min(range.end, last)};
    if (full.begin < full.end) {
      ranges_[loop] = full;
      split_guard(guard + 1);
    }
    const auto edge = [&](int64_t index) {
      if (index < range.begin || index >= range.end) return;
      ranges_[loop] = {index, index + 1};
      split_loop(guard, next_loop(guard, loop + 1), value + index * step);
    };
    if (low_cut) edge(first);
    if (high_cut && !(low_cut && last == first)) edge(last);
    ranges_[loop] = range;
  }

  const xlashape_loops& loops_;
  LoopRange* ranges_;
  Leaf& leaf_;
};

template <class Leaf>
void split_guarded_loops(const xlashape_loops& loops, LoopRange* ranges, Leaf&& leaf) {
  GuardedLoopSplitter<Leaf>(loops, ranges, leaf).run();
}

// x / y, rounded up; y > 0. Nothing overflows.
constexpr int64_t divide_up(int64_t x, int64_t y) { return x / y + (x % y > 0 ? 1 : 0); }

// Part `begin` .. `end` of `count` equal parts of [0, size).
inline LoopRange share(int64_t size, int64_t begin, int64_t end, int64_t count) {
  if (begin == 0 && end == count) return {0, size};  // as usual, and without the divisions
  return {ir::part_begin(size, begin, count), ir::part_begin(size, end, count)};
}

}  // namespace xlashape::backends
