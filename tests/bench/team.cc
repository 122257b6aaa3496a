// SPDX-License-Identifier: Apache-2.0
#include "team.h"

#include "xlashape_runtime.h"

namespace bench {
namespace {

// Waits until `value` is no longer `old`: looks for a while, then sleeps.
template <class T>
void await_change(std::atomic<T>& value, T old) {
  for (int i = 0; i < 20000; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  value.wait(old, std::memory_order_acquire);
}

int32_t parallel_for(void* team, int64_t count, void* opaque, void (*task)(void*, int64_t, uint32_t)) {
  static_cast<Team*>(team)->run(count, [=](int64_t index, uint32_t worker) { task(opaque, index, worker); });
  return 0;
}

}  // namespace

Team::Team(int threads) {
  for (int worker = 1; worker < threads; ++worker)
    threads_.emplace_back([this, worker] { work(static_cast<uint32_t>(worker)); });
}

Team::~Team() {
  stop_ = true;
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void Team::run(int64_t count, const std::function<void(int64_t, uint32_t)>& task) {
  task_ = &task;
  count_ = count;
  next_.store(0, std::memory_order_relaxed);
  busy_.store(size() - 1, std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  drain(0);
  for (int left = busy_.load(std::memory_order_acquire); left > 0; left = busy_.load(std::memory_order_acquire))
    await_change(busy_, left);
}

void Team::work(uint32_t worker) {
  for (uint32_t seen = 0;; ++seen) {
    await_change(generation_, seen);
    if (stop_) return;
    drain(worker);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

void Team::drain(uint32_t worker) {
  for (int64_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < count_;) (*task_)(i, worker);
}

xlashape_executor Team::executor() {
  auto executor = XLASHAPE_INIT(xlashape_executor);
  executor.max_workers = static_cast<uint32_t>(size());
  executor.opaque = this;
  executor.parallel_for = parallel_for;
  return executor;
}

void Team::copy(Copy copy, char* dst, const char* src, int64_t bytes) {
  if (threads_.empty()) return copy(dst, src, static_cast<size_t>(bytes));
  const int64_t parts = size(), part = (bytes / parts + 4095) / 4096 * 4096;
  run(parts, [=](int64_t i, uint32_t) {
    const int64_t begin = std::min(i * part, bytes), end = i + 1 == parts ? bytes : std::min(begin + part, bytes);
    if (end > begin) copy(dst + begin, src + begin, static_cast<size_t>(end - begin));
  });
}

}  // namespace bench
