// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "peers.h"

namespace bench {
namespace {

template <int kWidth>
void copy(const Rectangle& rectangle, const char* src, char* dst) {
  const auto& loops = rectangle.loops;
  const size_t depth = loops.size();
  if (depth == 0) {
    std::memcpy(dst, src, kWidth);
    return;
  }
  const Loop inner = loops[depth - 1];
  std::vector<int64_t> at(depth);
  while (true) {
    for (int64_t i = 0; i < inner.extent; ++i)
      std::memcpy(dst + i * inner.dst * kWidth, src + i * inner.src * kWidth, kWidth);
    size_t l = depth - 1;
    while (l-- > 0) {
      src += loops[l].src * kWidth;
      dst += loops[l].dst * kWidth;
      if (++at[l] < loops[l].extent) break;
      src -= loops[l].extent * loops[l].src * kWidth;
      dst -= loops[l].extent * loops[l].dst * kWidth;
      at[l] = 0;
    }
    if (l == SIZE_MAX) return;
  }
}

template <int kWidth>
Run prepare(const Problem& problem) {
  return [rectangles = problem.strided.rectangles, src = problem.src, dst = problem.dst] {
    for (const Rectangle& rectangle : rectangles)
      copy<kWidth>(rectangle, src + rectangle.src * kWidth, dst + rectangle.dst * kWidth);
  };
}

}  // namespace

Run naive(const Problem& problem) {
  switch (problem.strided.width) {
    case 1:
      return prepare<1>(problem);
    case 2:
      return prepare<2>(problem);
    case 4:
      return prepare<4>(problem);
    case 8:
      return prepare<8>(problem);
    default:
      return prepare<16>(problem);
  }
}

}  // namespace bench
