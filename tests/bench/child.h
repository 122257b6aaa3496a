/* SPDX-License-Identifier: Apache-2.0 */
// The peers that live in Python, in a process of their own: it is told over pipes to run one sample at a time, and
// shares its arrays with us.
#pragma once
#include <cstdio>
#include <string>
#include <vector>

#include "memory.h"
#include "peers.h"

namespace bench {

class Child {
 public:
  // Starts `script`. Without Python there are no peers, and missing() says so.
  Child(const std::string& script, int threads);
  ~Child();
  Child(const Child&) = delete;
  const std::vector<std::string>& peers() const { return peers_; }
  const Missing& missing() const { return missing_; }

  // Makes a case's arrays, the source being a copy of `src`. Which peers can do it.
  std::vector<std::string> prepare(const Problem& problem);
  // Runs it once; the result is at result() until anything else runs.
  bool run(const std::string& peer);
  const char* result() const { return dst_.data() + dst_offset_; }
  void poison();
  double sample(const std::string& peer);

 private:
  std::string ask(const std::string& request);

  FILE* to_ = nullptr;
  FILE* from_ = nullptr;
  int process_ = -1;
  std::vector<std::string> peers_;
  Missing missing_;
  Buffer src_, dst_;
  int64_t dst_offset_ = 0;
};

}  // namespace bench
