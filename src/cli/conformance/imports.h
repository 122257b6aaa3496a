// What a shared object calls that a backend must not call while it executes: allocation, threads, processes. Its own table
// of imported functions is changed, so only its calls are seen, and only in this process.
#pragma once
#include <cstdint>

namespace xlashape::cli {

// `address`: of anything in the object. False where its format is not known here; then no call is seen.
bool watch_imports(const void* address);

// From here to the end of the scope this thread must call none of them.
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
