#include "runtime/gate.h"

#include <atomic>
#include <cstdint>
#include <new>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include "platform/process.h"
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
  int64_t count = 0;
  int64_t process = 0;
  // The number of tasks that came to their end, as wide as an address, so that every processor counts it without a lock,
  // and the sum of their marks.
  std::atomic<uintptr_t> ended{0}, marks{0};

  // A number unique to a task: the sum of marks shows which tasks ran, without memory for each.
  static uintptr_t mark(int64_t index) {
    uint64_t x = (static_cast<uint64_t>(index) + 1) * 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return static_cast<uintptr_t>(x ^ x >> 31);
  }
  bool is_whole() const {
    uintptr_t all = 0;
    for (int64_t i = 0; i < count; ++i) all += mark(i);
    return ended == static_cast<uintptr_t>(count) && marks == all;
  }

  // First `inside`, then `name`, where close() changes `name` and then looks at `inside`: one of both sees the other.
  bool enter(uintptr_t wanted) {
    inside.fetch_add(1);
    if (wanted != 0 && name.load() == wanted) return true;
    leave();
    return false;
  }
  void leave() {
    if (inside.fetch_sub(1) == 1 && name.load() == 0) wake_all(inside);
  }
  void run(int64_t index, uint32_t worker) {
    const struct Inside {  // also where the thread is ended within the task
      Gate& gate;
      ~Inside() { gate.leave(); }
    } in{*this};
    if (index >= 0 && index < count) {
      task(opaque, index, worker);
      marks.fetch_add(mark(index), std::memory_order_relaxed);
    }
    ended.fetch_add(1, std::memory_order_relaxed);
  }
  // Whether each task ended exactly once. In a child that was forked meanwhile the tasks that were running never end: it
  // does not wait, and keeps the gate.
  bool close() {
    name.store(0);
    if (process != process_id()) return false;
    while (const uint32_t seen = inside.load()) wait_on(inside, seen);
    const bool whole = is_whole();
    taken.store(false, std::memory_order_release);
    return whole;
  }
};

constinit Gate gates[kGates];

// Null where all are taken. Gates are taken in turn, so that a name is not used again soon where an address has 32 bits.
Gate* open(int64_t count, void* opaque, xlashape_task task, uintptr_t* name) {
  static std::atomic<uintptr_t> names{0};
  for (uintptr_t i = 0; i < kGates; ++i) {
    const uintptr_t next = names.fetch_add(1, std::memory_order_relaxed);
    Gate& gate = gates[next % kGates];
    if (next == 0 || gate.taken.exchange(true, std::memory_order_acquire)) continue;
    gate.opaque = opaque;
    gate.task = task;
    gate.count = count;
    gate.process = process_id();
    gate.ended = gate.marks = 0;
    gate.name.store(*name = next);
    return &gate;
  }
  return nullptr;
}

// A task, as executors call it.
void pass(void* opaque, int64_t index, uint32_t worker) {
  const auto name = reinterpret_cast<uintptr_t>(opaque);
  Gate& gate = gates[name % kGates];
  if (gate.enter(name)) gate.run(index, worker);
}

}  // namespace

Spread spread(const xlashape_executor& executor, int64_t count, void* opaque, xlashape_task task) {
  uintptr_t name = 0;
  Gate* const gate = open(count, opaque, task, &name);
  if (gate == nullptr) {
    for (int64_t i = 0; i < count; ++i) task(opaque, i, 0);
    return Spread::kWhole;
  }
  bool gave_up;
  try {
    gave_up = executor.parallel_for(executor.opaque, count, reinterpret_cast<void*>(name), pass) != 0;
  } catch (const std::bad_alloc&) {
    gate->close();
    throw;
#ifdef __GLIBCXX__
  } catch (const abi::__forced_unwind&) {  // the end of this thread
    gate->close();
    throw;
#endif
  } catch (...) {
    gate->close();
    return Spread::kThrew;
  }
  const bool is_whole = gate->close();
  if (gave_up) return Spread::kGaveUp;
  return is_whole ? Spread::kWhole : Spread::kNotWhole;
}

}  // namespace xlashape::core
