/* SPDX-License-Identifier: Apache-2.0 */
// The pool for `threads` > 1: the library's threads, which run tasks together with the calling thread.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"

namespace xlashape::core {

// Any number of threads may call run() at once, also from within tasks: the pool's threads serve all runs. A run never
// waits for a thread that has not joined it: where none joins, the caller does all tasks alone. After a fork the child
// has no threads, and the caller works alone.
class Pool {
 public:
  using Task = void (*)(void* opaque, int64_t index, uint32_t worker);

  // Starts threads until there are `wanted` workers, the caller being one of them. Having fewer is not a failure.
  // Throws bad_alloc before anything is started.
  explicit Pool(uint32_t wanted);
  ~Pool();  // waits for the threads, except the one that it runs on
  Pool(const Pool&) = delete;

  // The number of workers, including the caller.
  uint32_t workers() const;
  // Why it has fewer workers than wanted; "" where it has all.
  std::string shortage() const;

  // Calls task(opaque, i, worker) once for each i in [0, count), and returns when all are done. worker < workers(),
  // different for threads that run at once, and 0 for the calling thread. False where a task threw: then some tasks
  // were not called.
  bool run(int64_t count, void* opaque, Task task);

  // Work that one thread of the pool does once: it calls `run` with it. Where the last thread ends before that, it
  // calls `drop` instead. The poster keeps it and the pool alive until then; both functions may release both.
  struct Posted {
    void (*run)(Posted* self);
    void (*drop)(Posted* self);
    Posted* next = nullptr;
  };
  // False, without doing anything, where there is no thread to do it.
  bool post(Posted* posted);

 private:
  // Outlives the pool where one of the pool's threads destroys it.
  class State;
  const std::shared_ptr<State> state_;
};

}  // namespace xlashape::core
