// The pool of `threads` > 1: threads of our own that run tasks together with the thread that asks.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"

namespace xlashape::core {

// Any number of threads may run tasks at once, also from within tasks: the pool's threads go from one run to the next.
// Nobody waits for a thread that has not begun: what nobody came to share the caller does alone. After a fork there are
// no threads in the child, and the caller works alone.
class Pool {
 public:
  using Task = void (*)(void* opaque, int64_t index, uint32_t worker);

  // Starts threads until there are `wanted` workers, the caller being one of them. Fewer are no failure. Throws bad_alloc
  // before anything is started.
  explicit Pool(uint32_t wanted);
  ~Pool();  // waits for the threads, save the one that it runs on
  Pool(const Pool&) = delete;

  // How many there are.
  uint32_t workers() const;
  // "4 of 64 asked for: ", and why; without a reason where all came.
  std::string describe() const;

  // Calls task(opaque, i, worker) once for each i in [0, count), and returns when all are done. worker < workers(), and
  // no two threads have the same one at once; the calling thread's is 0. False where a task threw: then some were not
  // called.
  bool run(int64_t count, void* opaque, Task task);

  // What a thread of the pool does once, on its own: `run` is called with it. Whoever posts it keeps it until then, and the
  // pool as well; `run` may let go of both.
  struct Posted {
    void (*run)(Posted* self);
    Posted* next = nullptr;
  };
  // False where there is no thread to do it: then nothing was done.
  bool post(Posted* posted);

 private:
  // Outlives the pool where a thread of its own lets go of it.
  class State;
  const std::shared_ptr<State> state_;
};

}  // namespace xlashape::core
