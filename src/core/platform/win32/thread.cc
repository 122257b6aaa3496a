// SPDX-License-Identifier: Apache-2.0
#include "platform/thread.h"

#include <process.h>

#include <cerrno>

#include "platform/win32/text.h"

namespace xlashape::core {
namespace {

unsigned __stdcall begin(void* opaque) {
  const Thread& thread = *static_cast<const Thread*>(opaque);
  thread.main(thread.opaque);
  return 0;
}

}  // namespace

int start_thread(Thread* thread, size_t stack_bytes) {
  const uintptr_t handle = _beginthreadex(nullptr, static_cast<unsigned>(stack_bytes), begin, thread,
                                          STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
  if (handle == 0) return errno;
  thread->handle = (std::thread::native_handle_type)handle;  // a number or a pointer
  return 0;
}

void join_thread(const Thread& thread) {
  const HANDLE handle = (HANDLE)thread.handle;
  if (GetThreadId(handle) != GetCurrentThreadId()) WaitForSingleObject(handle, INFINITE);
  CloseHandle(handle);
}

void wait_on(const std::atomic<uint32_t>& value, uint32_t seen) {
  static_assert(sizeof value == sizeof seen);
  WaitOnAddress(const_cast<std::atomic<uint32_t>*>(&value), &seen, sizeof seen, INFINITE);
}
void wake_one(std::atomic<uint32_t>& value) { WakeByAddressSingle(&value); }
void wake_all(std::atomic<uint32_t>& value) { WakeByAddressAll(&value); }

bool call_in_children(void (*)()) { return false; }

// Windows has no cancellation of threads.
Uncancelled::Uncancelled() = default;
Uncancelled::~Uncancelled() = default;

}  // namespace xlashape::core
