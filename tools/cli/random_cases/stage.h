/* SPDX-License-Identifier: Apache-2.0 */
// A thread with the stack that docs/embedding.md promises to be enough, and the reasons of faults: which inaccessible
// memory was touched.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace xlashape::cli {

// Runs `work` on a thread with 256 KiB of stack and inaccessible memory below it. Rethrows its exceptions here.
void on_small_stack(const std::function<void()>& work);

// From now on a fault in this process writes why into `note` before the process dies.
void explain_faults(char* note, int64_t size);
// What was being done, for faults whose reason is unknown.
void doing_now(const std::string& what);
// Declares what a fault in [begin, end) means, within its scope; `meaning` must outlive it. Up to 16 at a time.
class Forbidden {
 public:
  Forbidden(const void* begin, int64_t size, const char* meaning);
  ~Forbidden();
  Forbidden(const Forbidden&) = delete;

 private:
  int slot_ = -1;
};

}  // namespace xlashape::cli
