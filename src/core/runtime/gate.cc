#include "runtime/gate.h"

#include <atomic>
#include <cstdint>

#include "platform/thread.h"

namespace xlashape::core {
namespace {

// How many calls of executors may be under way at once: others do their tasks on the calling thread.
constexpr uintptr_t kGates = 256;

// A call of an executor has a gate as long as it lasts, and a name that no other one has had, which the executor gets as
// the tasks' `opaque`. The low digit of a name in base kGates is its gate. Gates are never freed: a task that comes too
// late finds that its name is no longer there.
struct alignas(64) Gate {
  std::atomic<bool> taken{false};
  std::atomic<uint32_t> inside{0};  // tasks, and some that will find that they are too late
  std::atomic<uintptr_t> name{0};   // 0: closed
  void* opaque = nullptr;
  xlashape_task task = nullptr;

  // First `inside`, then `name`, where close() changes `name` and then looks at `inside`: one of both sees the other.
  bool enter(uintptr_t wanted) {
    inside.fetch_add(1);
    if (name.load() == wanted) return true;
    leave();
    return false;
  }
  void leave() {
    if (inside.fetch_sub(1) == 1 && name.load() == 0) wake_all(inside);
  }
  void close() {
    name.store(0);
    while (const uint32_t seen = inside.load()) wait_on(inside, seen);
    taken.store(false, std::memory_order_release);
  }
};

constinit Gate gates[kGates];

// Null where all are taken. Gates are taken in turn, so that a name is not used again soon where an address has 32 bits.
Gate* open(void* opaque, xlashape_task task, uintptr_t* name) {
  static std::atomic<uintptr_t> names{0};
  for (uintptr_t i = 0; i < kGates; ++i) {
    const uintptr_t next = names.fetch_add(1, std::memory_order_relaxed);
    Gate& gate = gates[next % kGates];
    if (next == 0 || gate.taken.exchange(true, std::memory_order_acquire)) continue;
    gate.opaque = opaque;
    gate.task = task;
    gate.name.store(*name = next);
    return &gate;
  }
  return nullptr;
}

// A task, as executors call it.
void pass(void* opaque, int64_t index, uint32_t worker) {
  const auto name = reinterpret_cast<uintptr_t>(opaque);
  Gate& gate = gates[name % kGates];
  if (!gate.enter(name)) return;
  const struct Inside {  // also where the thread is ended within the task
    Gate& gate;
    ~Inside() { gate.leave(); }
  } inside{gate};
  gate.task(gate.opaque, index, worker);
}

}  // namespace

int32_t spread(const xlashape_executor& executor, int64_t count, void* opaque, xlashape_task task) {
  uintptr_t name = 0;
  Gate* const gate = open(opaque, task, &name);
  if (gate == nullptr) {
    for (int64_t i = 0; i < count; ++i) task(opaque, i, 0);
    return 0;
  }
  int32_t result = 0;
  try {
    result = executor.parallel_for(executor.opaque, count, reinterpret_cast<void*>(name), pass);
  } catch (...) {  // an exception, or the end of this thread
    gate->close();
    throw;
  }
  gate->close();
  return result;
}

}  // namespace xlashape::core
