/* SPDX-License-Identifier: Apache-2.0 */
// Threads that work together: the executor that --threads hands to the library, and copies by all of them.
#pragma once
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "xlashape_runtime.h"

namespace bench {

class Team {
 public:
  explicit Team(int threads);
  ~Team();
  int size() const { return static_cast<int>(threads_.size()) + 1; }
  // Calls task(index, worker) once for each index below count, and returns when all are done.
  void run(int64_t count, const std::function<void(int64_t, uint32_t)>& task);
  xlashape_executor executor();
  // copy(dst, src, bytes) in one piece per thread.
  using Copy = void (*)(char* dst, const char* src, size_t bytes);
  void copy(Copy copy, char* dst, const char* src, int64_t bytes);

 private:
  void work(uint32_t worker);
  void drain(uint32_t worker);

  std::vector<std::thread> threads_;
  const std::function<void(int64_t, uint32_t)>* task_ = nullptr;
  int64_t count_ = 0;
  bool stop_ = false;
  alignas(64) std::atomic<int64_t> next_{0};
  alignas(64) std::atomic<uint32_t> generation_{0};
  alignas(64) std::atomic<int> busy_{0};
};

}  // namespace bench
