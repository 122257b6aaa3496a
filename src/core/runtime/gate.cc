// SPDX-License-Identifier: Apache-2.0
#include "runtime/gate.h"

#include <atomic>
#include <cstdint>
#include <new>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include "platform/thread.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

// How many calls of executors may be under way at once: others do their tasks on the calling thread.
constexpr uintptr_t kGates = 256;

// `inside` counts the tasks of this process only, as a child that was forked meanwhile has none of its parent's
// threads: in its lower bits, below those of the process's epoch, a number that differs from its parent's.
constexpr uint32_t kTasks = (1 << 20) - 1;
std::atomic<uint32_t> epoch_now{0};
thread_local const char this_thread = 0;  // each thread has its own

// A call of an executor has a gate as long as it lasts, and a name that no other one has had, which the executor gets
// as the tasks' `opaque`. The low digit of a name in base kGates is its gate. Gates are never freed: a task that comes
// too late finds that its name is no longer there.
struct alignas(64) Gate {
  std::atomic<bool> taken{false};
  std::atomic<uint32_t> inside{0};  // the epoch and tasks, also some that will find that they are too late
  std::atomic<uintptr_t> name{0};   // 0: closed
  void* opaque = nullptr;
  xlashape_task_fn task = nullptr;
  int64_t count = 0;
  const char* caller = nullptr;  // the address of its this_thread
  // The number of tasks that came to their end, as wide as an address, so that every processor counts it without a
  // lock, and the sum of their marks.
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
  bool enter(uintptr_t wanted, uint32_t epoch) {
    uint32_t seen = inside.load();
    while (!inside.compare_exchange_weak(seen, (seen & ~kTasks) == epoch ? seen + 1 : epoch + 1)) {
    }
    if (wanted != 0 && name.load() == wanted) return true;
    leave(epoch);
    return false;
  }
  void leave(uint32_t epoch) {
    uint32_t seen = inside.load();
    do {
      if ((seen & ~kTasks) != epoch) return;  // this is a child, where it was not counted
    } while (!inside.compare_exchange_weak(seen, seen - 1));
    if (seen - 1 == epoch && name.load() == 0) wake_all(inside);
  }
  void run(int64_t index, uint32_t worker, uint32_t epoch) {
    const struct Inside {  // also where the thread is ended within the task
      Gate& gate;
      uint32_t epoch;
      ~Inside() { gate.leave(epoch); }
    } in{*this, epoch};
    if (index >= 0 && index < count) {
      task(opaque, index, worker);
      marks.fetch_add(mark(index), std::memory_order_relaxed);
    }
    ended.fetch_add(1, std::memory_order_relaxed);
  }
  // Whether each task ended exactly once; those that were running in a parent when this process was forked did not.
  bool close(uint32_t epoch) {
    name.store(0);
    for (uint32_t seen; (seen = inside.load()) > epoch && (seen & ~kTasks) == epoch;) wait_on(inside, seen);
    const bool whole = is_whole();
    taken.store(false, std::memory_order_release);
    return whole;
  }
};

constinit Gate gates[kGates];

// In a child: this thread alone is there, with the calls that it is in.
void forked() {
  epoch_now += kTasks + 1;
  for (Gate& gate : gates) {
    if (gate.caller == &this_thread) continue;
    gate.name = 0;
    gate.taken = false;
  }
}

// Null where all are taken. Gates are taken in turn, so that a name is not used again soon where an address has 32
// bits.
Gate* open(int64_t count, void* opaque, xlashape_task_fn task, uintptr_t* name) {
  static std::atomic<uintptr_t> names{0};
  for (uintptr_t i = 0; i < kGates; ++i) {
    const uintptr_t next = names.fetch_add(1, std::memory_order_relaxed);
    Gate& gate = gates[next % kGates];
    if (next == 0 || gate.taken.exchange(true, std::memory_order_acquire)) continue;
    gate.opaque = opaque;
    gate.task = task;
    gate.count = count;
    gate.caller = &this_thread;
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
  const uint32_t epoch = epoch_now;
  if (gate.enter(name, epoch)) gate.run(index, worker, epoch);
}

}  // namespace

Spread spread(const xlashape_executor& executor, int64_t count, void* opaque, xlashape_task_fn task) {
  static const bool follows_forks = call_in_children(forked);
  static_cast<void>(follows_forks);
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
    gate->close(epoch_now);
    throw;
#ifdef __GLIBCXX__
  } catch (const abi::__forced_unwind&) {  // the end of this thread
    gate->close(epoch_now);
    throw;
#endif
  } catch (...) {
    gate->close(epoch_now);
    return Spread::kThrew;
  }
  const bool is_whole = gate->close(epoch_now);
  if (gave_up) return Spread::kGaveUp;
  return is_whole ? Spread::kWhole : Spread::kNotWhole;
}

}  // namespace xlashape::core
