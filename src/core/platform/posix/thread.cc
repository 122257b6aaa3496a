// SPDX-License-Identifier: Apache-2.0
#include "platform/thread.h"

#include <pthread.h>

#include <csignal>

namespace xlashape::core {
namespace {

// The program's handlers run on its own threads. Signals that a thread causes itself are not blocked: the kernel ends
// the process if they are, and the program may handle faults in its memory.
sigset_t signals_to_block() {
  sigset_t set;
  sigfillset(&set);
  for (const int own : {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP}) sigdelset(&set, own);
  return set;
}

void* begin(void* opaque) {
  const Thread& thread = *static_cast<const Thread*>(opaque);
  thread.main(thread.opaque);
  return nullptr;
}

}  // namespace

int start_thread(Thread* thread, size_t stack_bytes) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  const sigset_t blocked = signals_to_block();
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &blocked, &before);  // a thread inherits its creator's mask
  const int error = pthread_create(&thread->handle, &attributes, begin, thread);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return error;
}

void join_thread(const Thread& thread) {
  if (pthread_equal(thread.handle, pthread_self()))
    pthread_detach(thread.handle);
  else
    pthread_join(thread.handle, nullptr);
}

void wait_on(const std::atomic<uint32_t>& value, uint32_t seen) { value.wait(seen); }
void wake_one(std::atomic<uint32_t>& value) { value.notify_one(); }
void wake_all(std::atomic<uint32_t>& value) { value.notify_all(); }

bool call_in_children([[maybe_unused]] void (*function)()) {
#ifdef __EMSCRIPTEN__
  return false;
#else
  return pthread_atfork(nullptr, nullptr, function) == 0;
#endif
}

Uncancelled::Uncancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state_); }
Uncancelled::~Uncancelled() { pthread_setcancelstate(state_, nullptr); }

}  // namespace xlashape::core
