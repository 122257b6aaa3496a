// The pool of `threads` > 1: threads of our own that run tasks together with the thread that asks.
#pragma once
#include <pthread.h>

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "base/status.h"

namespace xlashape {

// Any number of threads may run tasks at once, also from within tasks: the pool's threads go from one run to the next.
// Nobody waits for a thread that has not begun: what nobody came to share the caller does alone. After a fork there are
// no threads in the child, and the caller works alone.
class Pool {
 public:
  using Task = void (*)(void* opaque, int64_t index, uint32_t worker);

  // Starts threads until there are `wanted` workers, the caller being one of them. Fewer are no failure. Throws bad_alloc
  // before anything is started.
  explicit Pool(uint32_t wanted);
  ~Pool();  // waits for the threads
  Pool(const Pool&) = delete;

  // How many there are.
  uint32_t workers() const { return static_cast<uint32_t>(threads_.size()) + 1; }
  // "4 of 64 asked for: ", and why; without a reason where all came.
  std::string describe() const;

  // Calls task(opaque, i, worker) once for each i in [0, count), and returns when all are done. worker < workers(), and
  // no two threads have the same one at once; the calling thread's is 0. False where a task threw: then some were not
  // called.
  bool run(int64_t count, void* opaque, Task task);

 private:
  struct Thread {
    Pool* pool;
    uint32_t worker;
    pthread_t id;
  };
  // A ring of the runs that more threads may join.
  struct Links {
    Links *before = this, *after = this;
    void enter(Links& end);
    void leave();
  };
  struct Run;
  class Helping;
  class Opened;

  void start(uint32_t workers);
  void serve(uint32_t worker);
  Run* join();
  void wake(int64_t left);

  const int64_t process_;
  const uint32_t wanted_;
  int error_ = 0;  // of the thread that could not be started
  std::vector<Thread> threads_;

  std::mutex mutex_;  // for what follows; never held while a task runs
  Links open_;
  bool stop_ = false;
  // Changed while the mutex is held, waited for while it is not.
  std::atomic<uint32_t> opened_{0};    // runs so far, and the end
  std::atomic<uint32_t> finished_{0};  // how often a run's last helper left it
};

}  // namespace xlashape
