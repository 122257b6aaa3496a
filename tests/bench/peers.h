// Other libraries that can do a relayout, asked for it as strided copies. What is not installed is not there; what a
// library cannot express it declines.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "strided.h"

namespace bench {

struct Problem {
  const Case& relayout;
  const Strided& strided;
  const char* src;
  char* dst;
  int threads;
};

// Runs the copies once. Empty: declined.
using Run = std::function<void()>;

Run naive(const Problem& problem);     // one loop in another, in the destination's order
Run openblas(const Problem& problem);  // ?omatcopy; loaded when first asked for
Run onednn(const Problem& problem);    // reorder; loaded when first asked for
Run eigen(const Problem& problem);     // Tensor::shuffle

struct Peer {
  const char* name;
  Run (*prepare)(const Problem& problem);
};
inline constexpr Peer kPeers[] = {{"naive", naive}, {"openblas", openblas}, {"onednn", onednn}, {"eigen", eigen}};

}  // namespace bench
