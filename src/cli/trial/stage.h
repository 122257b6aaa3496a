// A thread with as little stack as docs/embedding.md promises to be enough, and the reasons of faults: which forbidden memory
// was touched.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace xlashape::cli {

// Runs `work` on a thread with 256 KiB of stack, and forbidden memory below it. What it throws is thrown here.
void on_small_stack(const std::function<void()>& work);

// From now on a fault in this process writes why into `note` before the process dies.
void explain_faults(char* note, int64_t size);
// Where nothing better is known, a fault happened while this was done.
void doing_now(const std::string& what);
// What it means that [begin, end) was touched; `meaning` lives on. Up to 16 at a time; the scope ends it.
class Forbidden {
 public:
  Forbidden(const void* begin, int64_t size, const char* meaning);
  ~Forbidden();
  Forbidden(const Forbidden&) = delete;

 private:
  int slot_;
};

}  // namespace xlashape::cli
