/* SPDX-License-Identifier: Apache-2.0 */
// Random rectangles for schedules: any number of axes, up to 2^60 elements, sizes around every limit. No two elements
// go to one place; what is read may overlap, run backwards, or be one element many times.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "backends/simd/schedule.h"

namespace xlashape::core::testing {

struct Space {
  std::vector<simd::StridedAxis> axes;  // by falling destination stride
  int64_t width = 1;
};

// `next()` gives 64 random bits.
template <class Next>
Space random_space(Next&& next, bool packed) {
  const auto below = [&](int64_t limit) { return static_cast<int64_t>(next() % static_cast<uint64_t>(limit)); };
  const auto chance = [&](int64_t percent) { return below(100) < percent; };
  Space space;
  space.width = packed ? 1 : int64_t{1} << below(5);
  constexpr int64_t kLimitCount = static_cast<int64_t>(std::size(simd::kLimits));
  const bool huge = chance(20);
  int64_t room = (huge ? int64_t{1} << 60 : int64_t{1} << 36) / space.width;
  int64_t axes = 1 + below(chance(10) ? simd::kMaxSimdLoops : 7);
  for (; axes > 0 && room > 1; --axes) {
    int64_t count;
    if (chance(30)) {
      count = simd::kLimits[below(kLimitCount)] / (int64_t{1} << below(5)) + below(3) - 1;
    } else if (huge && chance(30)) {
      count = int64_t{1} << below(40);
    } else {
      count = 1 + below(chance(50) ? 9 : chance(50) ? 130 : 5000);
    }
    count = std::clamp<int64_t>(count, 1, room);
    room /= count;
    space.axes.push_back({count, 0, 0});
  }
  // The order of each side, innermost first, with gaps now and then.
  std::vector<size_t> order(space.axes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto shuffle = [&] {
    for (size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[static_cast<size_t>(below(static_cast<int64_t>(i)))]);
  };
  const auto strides = [&](int64_t simd::StridedAxis::*stride, bool source) {
    int64_t reach = space.width, left = 1;  // elements of this axis and those outside it
    for (const simd::StridedAxis& axis : space.axes) left *= axis.count;
    for (const size_t a : order) {
      const int64_t gap = space.width * (1 + below(chance(50) ? 3 : 200)), count = space.axes[a].count;
      if (chance(12) && reach + gap < (int64_t{1} << 61) / left) reach += gap;
      left /= count;
      space.axes[a].*stride = source && chance(4) ? 0 : chance(4) ? -reach : reach;
      if (source && chance(3)) continue;  // the next one reads what this one reads
      reach *= count;
    }
  };
  shuffle();
  strides(&simd::StridedAxis::dst, false);
  const int64_t same = below(100);
  if (same >= 30) shuffle();
  if (same < 50 && same >= 30 && order.size() > 1) std::swap(order[0], order[1]);
  strides(&simd::StridedAxis::src, true);
  std::sort(space.axes.begin(), space.axes.end(),
            [](const simd::StridedAxis& a, const simd::StridedAxis& b) { return std::abs(a.dst) > std::abs(b.dst); });
  return space;
}

}  // namespace xlashape::core::testing
