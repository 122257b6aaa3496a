/* SPDX-License-Identifier: Apache-2.0 */
// Other libraries that can do a relayout, asked for it as strided copies. What a library cannot express it declines.
#pragma once
#include <functional>
#include <map>
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

struct Peer {
  std::string name;
  std::function<Run(const Problem& problem)> prepare;
};

// Name -> why it is not here.
using Missing = std::map<std::string, std::string>;

// Of the peers that this program knows, those that are here; the others into `missing`.
std::vector<Peer> known_peers(Missing* missing);
// The peer of a shared object, as peer_library.h defines it. Throws what is wrong with it.
Peer peer_of_library(const std::string& path);

Run naive(const Problem& problem);     // one loop in another, in the destination's order
Run openblas(const Problem& problem);  // ?omatcopy
Run onednn(const Problem& problem);    // reorder
Run eigen(const Problem& problem);     // Tensor::shuffle

// Why it is not here; "": it is. OpenBLAS and oneDNN are loaded when this is first asked.
std::string openblas_missing();
std::string onednn_missing();
std::string eigen_missing();

}  // namespace bench
