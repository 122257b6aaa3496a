// The library's threads, which have a stack of a given size and do not receive the program's signals.
#pragma once
#include <cstddef>
#include <thread>

namespace xlashape::core {

struct Thread {
  void (*main)(void* opaque);
  void* opaque;
  std::thread::native_handle_type handle;
};

// Calls thread->main on a new thread; *thread must stay where it is until that thread was joined. Allocates nothing
// itself. Returns 0 or the system's error number. The thread does receive signals that it causes itself.
int start_thread(Thread* thread, size_t stack_bytes);
// Waits until the thread has ended. If it is the calling thread, it is detached instead.
void join_thread(const Thread& thread);

// The calling thread cannot be cancelled while this exists.
class Uncancelled {
 public:
  Uncancelled();
  ~Uncancelled();
  Uncancelled(const Uncancelled&) = delete;

 private:
  int state_ = 0;
};

}  // namespace xlashape::core
