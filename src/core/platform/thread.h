/* SPDX-License-Identifier: Apache-2.0 */
// The library's threads, which have a stack of a given size and do not receive the program's signals.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
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

// Blocks while `value` is `seen`, until it is woken; may return earlier. GCC's std::atomic::wait misses a change where
// the system has no futex.
void wait_on(const std::atomic<uint32_t>& value, uint32_t seen);
// Wake threads that wait on `value`, after it was changed.
void wake_one(std::atomic<uint32_t>& value);
void wake_all(std::atomic<uint32_t>& value);

// Has each child that is forked from now on call it first; false where there are none.
bool call_in_children(void (*function)());

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
