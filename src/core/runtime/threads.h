// The pool of `threads` > 1: found beside the backends, opened only then.
#pragma once
#include "runtime/search.h"
#include "threads/threads.h"

namespace xlashape {

// A pool, in the process that made it: after a fork its threads are not there, and the caller works alone.
struct Pool {
  xlashape_threads threads{};
  int64_t process = 0;
  std::string path;

  Pool() = default;
  Pool(const Pool&) = delete;
  ~Pool();
};

// Opens threads.so in the first of the places that has it. Refused with the reason of each place.
Status open_pool(const std::vector<Place>& places, int32_t threads, Pool* pool, Error* err);

// The executor that runs on it; `pool` must outlive it.
xlashape_executor executor_of(Pool& pool, int32_t threads);

}  // namespace xlashape
