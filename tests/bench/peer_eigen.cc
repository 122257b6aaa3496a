// SPDX-License-Identifier: Apache-2.0
// Built with everything that the machine has: this file alone.
#include "peers.h"

#if __has_include(<eigen3/unsupported/Eigen/CXX11/Tensor>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wclass-memaccess"
#include <eigen3/unsupported/Eigen/CXX11/Tensor>
#pragma GCC diagnostic pop

#include <algorithm>
#include <complex>

namespace bench {
namespace {

template <class T, int kRank>
Run shuffle(const Problem& problem, const std::vector<Loop>& loops) {
  Eigen::array<Eigen::Index, kRank> from, to, order;
  std::vector<int> by_source(loops.size());
  for (int i = 0; i < kRank; ++i) by_source[static_cast<size_t>(i)] = i;
  std::sort(by_source.begin(), by_source.end(),
            [&](int a, int b) { return loops[static_cast<size_t>(a)].src > loops[static_cast<size_t>(b)].src; });
  for (int i = 0; i < kRank; ++i) {
    const int loop = by_source[static_cast<size_t>(i)];
    from[static_cast<size_t>(i)] = loops[static_cast<size_t>(loop)].extent;
    to[static_cast<size_t>(i)] = loops[static_cast<size_t>(i)].extent;
    order[static_cast<size_t>(loop)] = i;
  }
  using In = Eigen::TensorMap<Eigen::Tensor<const T, kRank, Eigen::RowMajor>>;
  using Out = Eigen::TensorMap<Eigen::Tensor<T, kRank, Eigen::RowMajor>>;
  return [=, src = reinterpret_cast<const T*>(problem.src), dst = reinterpret_cast<T*>(problem.dst)] {
    Out(dst, to) = In(src, from).shuffle(order);
  };
}

// Dense on both sides: each stride is the product of the extents inside it.
bool dense(std::vector<Loop> loops, int64_t Loop::*stride) {
  std::sort(loops.begin(), loops.end(), [=](const Loop& a, const Loop& b) { return a.*stride < b.*stride; });
  int64_t inside = 1;
  for (const Loop& loop : loops) {
    if (loop.*stride != inside) return false;
    inside *= loop.extent;
  }
  return true;
}

template <class T>
Run of_type(const Problem& problem, const std::vector<Loop>& loops) {
  switch (loops.size()) {
    case 2:
      return shuffle<T, 2>(problem, loops);
    case 3:
      return shuffle<T, 3>(problem, loops);
    case 4:
      return shuffle<T, 4>(problem, loops);
    case 5:
      return shuffle<T, 5>(problem, loops);
    case 6:
      return shuffle<T, 6>(problem, loops);
    case 7:
      return shuffle<T, 7>(problem, loops);
    case 8:
      return shuffle<T, 8>(problem, loops);
    default:
      return {};
  }
}

}  // namespace

Run eigen(const Problem& problem) {
  if (problem.strided.rectangles.size() != 1) return {};
  const auto& loops = problem.strided.rectangles[0].loops;
  if (!dense(loops, &Loop::src) || !dense(loops, &Loop::dst)) return {};
  switch (problem.strided.width) {
    case 1:
      return of_type<uint8_t>(problem, loops);
    case 2:
      return of_type<uint16_t>(problem, loops);
    case 4:
      return of_type<float>(problem, loops);
    case 8:
      return of_type<double>(problem, loops);
    default:
      return of_type<std::complex<double>>(problem, loops);
  }
}

std::string eigen_missing() { return ""; }

}  // namespace bench
#else
namespace bench {
Run eigen(const Problem&) { return {}; }
std::string eigen_missing() { return "the bench was built without its headers (libeigen3-dev)"; }
}  // namespace bench
#endif
