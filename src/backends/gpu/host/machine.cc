// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/host/machine.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "backends/common/sanitizer.h"

#if XLASHAPE_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define XS_ASAN 1
#else
#define XS_ASAN 0
#endif

namespace xlashape::gpu::host {
namespace {

constexpr size_t kStackBytes = 64 << 10;

struct Fiber {
  ucontext_t context;
  char* stack = nullptr;
  void* fake_stack = nullptr;  // the sanitizer's
  uint32_t thread = 0;         // the thread that it runs
};

struct FiberMachine {
  std::vector<Fiber> fibers;
  ucontext_t scheduler;
  void* scheduler_fake_stack = nullptr;
  const void* scheduler_stack = nullptr;
  size_t scheduler_stack_bytes = 0;
  ThreadPlace place{};
  Fiber* running = nullptr;
  std::vector<uint32_t> sequence;  // the threads of a block in the order in which they start
  size_t started = 0, ended = 0;
  std::vector<Fiber*> waiting;
  struct LateCopy {
    void* to;
    const void* from;
  };
  std::vector<std::vector<LateCopy>> copies;  // of each thread, not yet waited for
  ThreadOrder order = ThreadOrder::kForward;
  std::mt19937 random{12345};
  void (*body)(void*) = nullptr;
  void* opaque = nullptr;

  ~FiberMachine() {
    for (Fiber& fiber : fibers) munmap(fiber.stack, kStackBytes);
  }
};

FiberMachine& machine() {
  thread_local FiberMachine made;
  return made;
}

void to_scheduler(Fiber& fiber, bool ends) {
  FiberMachine& m = machine();
#if XS_ASAN
  __sanitizer_start_switch_fiber(ends ? nullptr : &fiber.fake_stack, m.scheduler_stack, m.scheduler_stack_bytes);
#else
  (void)ends;
#endif
  swapcontext(&fiber.context, &m.scheduler);
#if XS_ASAN
  __sanitizer_finish_switch_fiber(fiber.fake_stack, &m.scheduler_stack, &m.scheduler_stack_bytes);
#endif
}

// Threads that reach no barrier run one after the other on one fiber; a thread that waits keeps its fiber.
void enter() {
  FiberMachine& m = machine();
  Fiber& fiber = *m.running;
#if XS_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &m.scheduler_stack, &m.scheduler_stack_bytes);
#endif
  while (m.started < m.sequence.size()) {
    fiber.thread = m.place.thread = m.sequence[m.started++];
    m.body(m.opaque);
    ++m.ended;
  }
  to_scheduler(fiber, true);
}

void prepare(Fiber& fiber) {
  fiber.fake_stack = nullptr;
#if XS_ASAN
  __asan_unpoison_memory_region(fiber.stack, kStackBytes);
#endif
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack;
  fiber.context.uc_stack.ss_size = kStackBytes;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, enter, 0);
}

void to_fiber(FiberMachine& m, Fiber& fiber) {
  m.running = &fiber;
  m.place.thread = fiber.thread;
#if XS_ASAN
  __sanitizer_start_switch_fiber(&m.scheduler_fake_stack, fiber.stack, kStackBytes);
#endif
  swapcontext(&m.scheduler, &fiber.context);
#if XS_ASAN
  __sanitizer_finish_switch_fiber(m.scheduler_fake_stack, nullptr, nullptr);
#endif
}

bool run_block(FiberMachine& m) {
  m.started = m.ended = 0;
  m.waiting.clear();
  if (m.order == ThreadOrder::kShuffled) std::shuffle(m.sequence.begin(), m.sequence.end(), m.random);
  for (size_t next = 0; m.started < m.sequence.size(); ++next) {
    prepare(m.fibers[next]);
    to_fiber(m, m.fibers[next]);
  }
  std::vector<Fiber*> now;
  while (!m.waiting.empty()) {
    if (m.ended != 0) return false;
    now.swap(m.waiting);
    m.waiting.clear();
    if (m.order == ThreadOrder::kShuffled) std::shuffle(now.begin(), now.end(), m.random);
    for (Fiber* fiber : now) to_fiber(m, *fiber);
  }
  return true;
}

}  // namespace

ThreadPlace place() { return machine().place; }

void barrier() {
  FiberMachine& m = machine();
  Fiber& fiber = *m.running;
  m.waiting.push_back(&fiber);
  to_scheduler(fiber, false);
}

void copy_later(void* to, const void* from) {
  FiberMachine& m = machine();
  m.copies[m.place.thread].push_back({to, from});
}

void finish_copies() {
  FiberMachine& m = machine();
  for (const FiberMachine::LateCopy& copy : m.copies[m.place.thread]) std::memcpy(copy.to, copy.from, 16);
  m.copies[m.place.thread].clear();
}

void set_order(ThreadOrder order) { machine().order = order; }

const char* run(uint32_t blocks, uint32_t threads, void (*body)(void*), void* opaque) {
  FiberMachine& m = machine();
  m.body = body;
  m.opaque = opaque;
  while (m.fibers.size() < threads) {
    Fiber fiber;
    fiber.stack = static_cast<char*>(
        mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (fiber.stack == MAP_FAILED) return "no memory for a fiber";
    m.fibers.push_back(fiber);
  }
  m.sequence.resize(threads);
  m.copies.resize(threads);
  std::iota(m.sequence.begin(), m.sequence.end(), 0u);
  if (m.order == ThreadOrder::kReverse) std::reverse(m.sequence.begin(), m.sequence.end());
  for (uint32_t block = 0; block < blocks; ++block) {
    m.place.block = block;
    if (!run_block(m)) return "barrier divergence: some threads of a block ended while others wait";
    for (auto& copies : m.copies) {
      if (copies.empty()) continue;
      copies.clear();
      return "a thread ended without waiting for its copies";
    }
  }
  return nullptr;
}

}  // namespace xlashape::gpu::host
