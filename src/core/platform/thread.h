// Threads of our own: with a stack whose size we know, and without the program's signals.
#pragma once
#include <cstddef>
#include <thread>

namespace xlashape::core {

struct Thread {
  void (*main)(void* opaque);
  void* opaque;
  std::thread::native_handle_type handle;
};

// Calls thread->main on a new thread; *thread stays where it is until that was joined. Allocates nothing itself. 0, or the
// system's number of an error. Signals that a thread raises by what it does itself reach it all the same.
int start_thread(Thread* thread, size_t stack_bytes);
// Waits until it has ended. The calling thread itself is let go instead, and goes on.
void join_thread(const Thread& thread);

// The calling thread cannot be cancelled before this ends.
class Uncancelled {
 public:
  Uncancelled();
  ~Uncancelled();
  Uncancelled(const Uncancelled&) = delete;

 private:
  int state_ = 0;
};

}  // namespace xlashape::core
