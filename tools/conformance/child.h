/* SPDX-License-Identifier: Apache-2.0 */
// A child process for untrusted work: with limits, a timeout, and an end of all processes that it starts.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace xlashape::cli {

inline constexpr int64_t kMostMemory = int64_t{6} << 30;  // bytes that the child may take

struct Ended {
  int status = 0;           // as waitpid gives it
  std::string output;       // the beginning of what was printed
  int64_t left_behind = 0;  // processes that were still running, and have been ended
  bool too_much_memory = false, too_late = false;
};

// Runs `work` in a child, and calls `watching` here from time to time. After `seconds` the child is killed.
Ended run_in_child(int64_t seconds, const std::function<void()>& work, const std::function<void()>& watching);

}  // namespace xlashape::cli
