// A wrong access ends the process: what was running then is the last thing it says.
#pragma once
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

namespace xlashape::testing {

class Faults {
 public:
  // From here on; sanitizers have handlers of their own, which say more.
  static void watch() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE}) std::signal(signal, say);
#endif
  }
  static void begins(const std::string& what) {
    size_ = 0;
    add("\n" + what + "\n");
  }
  static void add(const std::string& more) {
    const size_t count = std::min(more.size(), sizeof text_ - size_);
    std::memcpy(text_ + size_, more.data(), count);
    size_ += count;
  }

 private:
  static void say(int signal) {
    const ssize_t said = write(STDERR_FILENO, text_, size_);
    std::signal(signal, SIG_DFL);
    if (said >= 0) std::raise(signal);
  }
  static inline char text_[4000];
  static inline size_t size_ = 0;
};

}  // namespace xlashape::testing
