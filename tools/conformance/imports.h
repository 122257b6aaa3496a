/* SPDX-License-Identifier: Apache-2.0 */
// Detects calls of a shared object that a backend must not make while it executes: allocation, threads, processes. It
// changes the object's table of imported functions, so it sees only that object's calls, and only in this process.
#pragma once
#include <cstdint>

namespace xlashape::cli {

// `address`: any address in the object. False where its format is unknown here; then no call is seen.
bool watch_imports(const void* address);

// In its scope this thread must call none of them.
class NoCalls {
 public:
  NoCalls();
  ~NoCalls();
  NoCalls(const NoCalls&) = delete;
  const char* called() const;  // the first one called, or NULL

 private:
  const char* before_;
};

}  // namespace xlashape::cli
