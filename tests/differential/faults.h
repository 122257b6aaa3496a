/* SPDX-License-Identifier: Apache-2.0 */
// A wrong access ends the process: what was running then is the last thing it says.
#pragma once
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include "backends/common/sanitizer.h"

#if XLASHAPE_ADDRESS_SANITIZER || XLASHAPE_THREAD_SANITIZER
extern "C" void __sanitizer_set_death_callback(void (*callback)());
#endif

namespace xlashape::core::testing {

class Faults {
 public:
  // From here on; where there is a sanitizer, it says more itself, and this besides.
  static void watch() {
#if XLASHAPE_ADDRESS_SANITIZER || XLASHAPE_THREAD_SANITIZER
    __sanitizer_set_death_callback([] { write_text(); });
#else
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
  static bool write_text() { return write(STDERR_FILENO, text_, size_) >= 0; }
  [[maybe_unused]] static void say(int signal) {
    write_text();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  static inline char text_[4000];
  static inline size_t size_ = 0;
};

}  // namespace xlashape::core::testing
