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

// Runs `work` in a child, and calls `steps_done` here from time to time: the number of its steps so far. A child that
// takes longer than `seconds` for one step is killed; a slow one that goes on is not.
Ended run_in_child(int64_t seconds, const std::function<void()>& work, const std::function<int64_t()>& steps_done);

}  // namespace xlashape::cli
