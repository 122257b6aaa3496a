// SPDX-License-Identifier: Apache-2.0
#include "stage.h"

#include <pthread.h>
#include <sys/mman.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <vector>

namespace xlashape::cli {
namespace {

// The thread's data and the frames between here and the backend come on top.
#if defined(__SANITIZE_ADDRESS__)
constexpr size_t kStack = size_t{8} << 20;
#else
constexpr size_t kStack = (size_t{256} + 32) << 10;
#endif
constexpr size_t kBelow = size_t{16} << 20;  // inaccessible, and larger than any frame
constexpr size_t kSignalStack = size_t{128} << 10;

constexpr int kMeanings = 16;
struct Meaning {
  std::atomic<uintptr_t> begin{0}, end{0};
  std::atomic<const char*> text{nullptr};
};
Meaning the_meanings[kMeanings];
char* the_note = nullptr;
size_t the_note_size = 0;

void on_fault(int, siginfo_t* info, void*) {
  const auto at = reinterpret_cast<uintptr_t>(info->si_addr);
  for (const Meaning& meaning : the_meanings) {
    const char* const text = meaning.text;
    if (text == nullptr || at < meaning.begin || at >= meaning.end || the_note == nullptr) continue;
    std::strncpy(the_note, text, the_note_size - 1);
    break;
  }
  // The handler is reset, so that the same fault ends the process on return.
}

struct Call {
  const std::function<void()>& work;
  std::exception_ptr thrown;
};

void* run(void* opaque) {
  auto* const call = static_cast<Call*>(opaque);
  std::vector<char> memory(kSignalStack);
  stack_t stack = {};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  sigaltstack(&stack, nullptr);
  try {
    call->work();
  } catch (...) {
    call->thrown = std::current_exception();
  }
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
  return nullptr;
}

}  // namespace

void on_small_stack(const std::function<void()>& work) {
  void* const memory = mmap(nullptr, kBelow + kStack, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  char* const stack = static_cast<char*>(memory) + kBelow;
  Call call{work, nullptr};
  bool started = false;
  {
    const Forbidden below(memory, kBelow, "takes more than 256 KiB of stack");
    pthread_attr_t attributes;
    pthread_t thread;
    if (mprotect(stack, kStack, PROT_READ | PROT_WRITE) == 0 && pthread_attr_init(&attributes) == 0) {
      started = pthread_attr_setstack(&attributes, stack, kStack) == 0 &&
                pthread_create(&thread, &attributes, run, &call) == 0;
      pthread_attr_destroy(&attributes);
      if (started) pthread_join(thread, nullptr);
    }
  }
  munmap(memory, kBelow + kStack);
  if (!started) work();  // no threads on this system: runs without that check
  if (call.thrown) std::rethrow_exception(call.thrown);
}

void explain_faults(char* note, int64_t size) {
  the_note = note;
  the_note_size = static_cast<size_t>(size);
  static std::vector<char> memory(kSignalStack);
  stack_t stack = {};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

void doing_now(const std::string& what) {
  if (the_note != nullptr) std::snprintf(the_note, the_note_size, "%s", what.c_str());
}

Forbidden::Forbidden(const void* begin, int64_t size, const char* meaning) {
  for (int i = 0; i < kMeanings && slot_ < 0; ++i) {
    const char* none = nullptr;
    if (!the_meanings[i].text.compare_exchange_strong(none, meaning)) continue;
    slot_ = i;
    the_meanings[i].begin = reinterpret_cast<uintptr_t>(begin);
    the_meanings[i].end = reinterpret_cast<uintptr_t>(begin) + static_cast<uintptr_t>(size);
  }
}

Forbidden::~Forbidden() {
  if (slot_ < 0) return;
  the_meanings[slot_].end = 0;
  the_meanings[slot_].text = nullptr;
}

}  // namespace xlashape::cli
