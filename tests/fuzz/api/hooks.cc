// SPDX-License-Identifier: Apache-2.0
// Hooks of ours: memory whose blocks are remembered, a log whose lines are looked at, executors of several kinds.
#include <mutex>
#include <thread>

#include "runtimes.h"
#include "xlashape_runtime.h"

namespace api_fuzz {
namespace {

struct Block {
  size_t size, alignment;
};
std::map<void*, Block>& blocks() {
  static auto& made = *new std::map<void*, Block>;
  return made;
}
std::mutex blocks_lock;

Owned& owned(void* opaque) {
  check(opaque != nullptr, "a hook is called without its opaque");
  const auto& it = *static_cast<const Owned*>(opaque);
  it.called();
  return *static_cast<Owned*>(opaque);
}

void* hook_alloc(void* opaque, size_t size, size_t alignment) {
  owned(opaque);
  if (refuse_allocation()) return nullptr;
  const Uncounted scope;
  void* made = nullptr;
  if (posix_memalign(&made, alignment < sizeof(void*) ? sizeof(void*) : alignment, size) != 0) return nullptr;
  const std::lock_guard guard(blocks_lock);
  blocks()[made] = {size, alignment};
  return made;
}

void hook_free(void* opaque, void* pointer, size_t size, size_t alignment) {
  owned(opaque);
  if (pointer == nullptr) return;
  const Uncounted scope;
  const std::lock_guard guard(blocks_lock);
  const auto at = blocks().find(pointer);
  check(at != blocks().end(), "a block is freed that was not given, or twice");
  check(at->second.size == size && at->second.alignment == alignment,
        "a block is freed with another size or alignment");
  blocks().erase(at);
  std::free(pointer);
}

void hook_log(void* opaque, int32_t level, uint32_t source, const char* text, int64_t length) {
  owned(opaque);
  check(level >= XLASHAPE_LOG_ERROR && level <= XLASHAPE_LOG_DEBUG && source <= 64, "a line of the log");
  check(length >= 0 && is_printable_line({text, static_cast<size_t>(length)}), "what is no line of the log");
}

enum Kind : int32_t { kForward, kBackward, kOddsFirst, kThreads, kGivesUp, kKinds };

int32_t run_tasks(void* opaque, int64_t count, void* tasks, void (*task)(void*, int64_t, uint32_t)) {
  const int32_t kind = owned(opaque).kind;
  Failing* const before = failing;  // backends allocate nothing when they run; threads have none of it anyway
  if (kind == kThreads) {
    const Uncounted scope;
    std::thread other([&] {
      for (int64_t i = 1; i < count; i += 2) task(tasks, i, 1);
    });
    for (int64_t i = 0; i < count; i += 2) task(tasks, i, 0);
    other.join();
  } else {
    const int64_t most = kind == kGivesUp ? count / 2 : count;
    for (int64_t n = 0; n < most; ++n) {
      int64_t i = kind == kBackward ? count - 1 - n : n;
      if (kind == kOddsFirst) i = n < count / 2 ? 2 * n + 1 : 2 * (n - count / 2);
      task(tasks, i, static_cast<uint32_t>(i % 2));
    }
  }
  failing = before;
  return kind == kGivesUp ? 7 : 0;
}

}  // namespace

xlashape_allocator allocator_of(Owned* hook) {
  return {sizeof(xlashape_allocator), 0, hook, hook_alloc, hook_free, release_owned};
}
xlashape_logger logger_of(Owned* hook) { return {sizeof(xlashape_logger), 0, hook, hook_log, release_owned}; }

int64_t live_blocks() { return static_cast<int64_t>(blocks().size()); }

DrawnExecutor draw_executor(Input& input) {
  const auto kind = static_cast<Kind>(input.one_in(8) ? static_cast<int64_t>(kGivesUp) : input.below(kGivesUp));
  auto executor = XLASHAPE_INIT(xlashape_executor);
  executor.max_workers = static_cast<uint32_t>(input.one_in(30) ? input.wild() : input.within(2, 9));
  executor.opaque = own(kind);
  executor.parallel_for = input.one_in(60) ? nullptr : run_tasks;
  executor.release = release_owned;  // where it is for one execution only, it may not be called
  return {executor, kind == kGivesUp};
}

}  // namespace api_fuzz
