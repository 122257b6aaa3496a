// A child process that may do what it likes: with limits, a time, and an end for everything that it started itself.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace xlashape::cli {

inline constexpr int64_t kMostMemory = int64_t{6} << 30;  // of the child's own, in bytes

struct Ended {
  int status = 0;           // as waitpid gives it
  std::string output;       // the beginning of what was printed
  int64_t left_behind = 0;  // processes that were still there; they are gone now
  bool too_much_memory = false, too_late = false;
};

// Runs `work` in a child, calling `watching` here now and then. After `seconds` the child is killed.
Ended run_in_child(int64_t seconds, const std::function<void()>& work, const std::function<void()>& watching);

}  // namespace xlashape::cli
