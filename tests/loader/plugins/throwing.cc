// SPDX-License-Identifier: Apache-2.0
// Throws before anybody can ask it anything.
#include <stdexcept>

namespace {
struct Start {
  Start() { throw std::runtime_error("not today"); }
} start;
}  // namespace

extern "C" __attribute__((visibility("default"))) int xlashape_backend_open_throwing(const void*, void*, void*) {
  return 5;
}
