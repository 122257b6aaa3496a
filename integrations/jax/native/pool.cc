// SPDX-License-Identifier: Apache-2.0
#include "pool.h"

#include <algorithm>
#include <atomic>
#include <new>

namespace xlashape_jax {
namespace {

// More threads than this move no more bytes.
constexpr int64_t kMaxWorkers = 64;

void forget(const XLA_FFI_Api* api, XLA_FFI_Error* error) {
  XLA_FFI_Error_Destroy_Args args = {};
  args.struct_size = XLA_FFI_Error_Destroy_Args_STRUCT_SIZE;
  args.error = error;
  api->XLA_FFI_Error_Destroy(&args);
}

// What the threads share. A helper may begin when the caller has long returned, so this is on the heap and belongs to
// all of them; the task's own state, on the caller's stack, is touched only for an index that was claimed.
struct Job {
  std::atomic<int64_t> next{0};
  std::atomic<int64_t> done{0};
  std::atomic<uint32_t> references;
  std::atomic<uint32_t> last_worker{0};
  const int64_t count;
  void* const opaque;
  const xlashape_task_fn task;

  Job(uint32_t helpers, int64_t tasks, void* state, xlashape_task_fn function)
      : references(helpers + 1), count(tasks), opaque(state), task(function) {}

  void work(uint32_t worker) {
    for (int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
      task(opaque, i, worker);
      if (done.fetch_add(1, std::memory_order_acq_rel) + 1 == count) done.notify_all();
    }
  }

  void wait() const {
    for (int64_t seen; (seen = done.load(std::memory_order_acquire)) != count;) done.wait(seen);
  }

  void release(uint32_t by) {
    if (references.fetch_sub(by, std::memory_order_acq_rel) == by) delete this;
  }
};

void help(void* data) {
  Job* job = static_cast<Job*>(data);
  job->work(job->last_worker.fetch_add(1, std::memory_order_relaxed) + 1);
  job->release(1);
}

int32_t XLASHAPE_CALL run(void* opaque, int64_t count, void* task_opaque, xlashape_task_fn task) {
  static_cast<const Pool*>(opaque)->parallel_for(count, task_opaque, task);
  return 0;
}

}  // namespace

Pool::Pool(const XLA_FFI_CallFrame& frame) : api_(frame.api), context_(frame.ctx) {
  int64_t threads = 0;
  XLA_FFI_ThreadPool_NumThreads_Args args = {};
  args.struct_size = XLA_FFI_ThreadPool_NumThreads_Args_STRUCT_SIZE;
  args.ctx = context_;
  args.num_threads = &threads;
  if (XLA_FFI_Error* error = api_->XLA_FFI_ThreadPool_NumThreads(&args)) {
    forget(api_, error);
    return;
  }
  workers_ = static_cast<uint32_t>(std::clamp<int64_t>(threads, 1, kMaxWorkers));
}

bool Pool::schedule(XLA_FFI_Task* task, void* data) const {
  XLA_FFI_ThreadPool_Schedule_Args args = {};
  args.struct_size = XLA_FFI_ThreadPool_Schedule_Args_STRUCT_SIZE;
  args.ctx = context_;
  args.task = task;
  args.data = data;
  XLA_FFI_Error* error = api_->XLA_FFI_ThreadPool_Schedule(&args);
  if (error == nullptr) return true;
  forget(api_, error);
  return false;
}

void Pool::parallel_for(int64_t count, void* opaque, xlashape_task_fn task) const {
  const uint32_t helpers = static_cast<uint32_t>(std::min<int64_t>(workers_ - 1, count - 1));
  Job* job = count > 1 && helpers > 0 ? new (std::nothrow) Job(helpers, count, opaque, task) : nullptr;
  if (job == nullptr) {
    for (int64_t i = 0; i < count; ++i) task(opaque, i, 0);
    return;
  }
  uint32_t started = 0;
  while (started < helpers && schedule(help, job)) ++started;
  job->work(0);
  job->wait();
  job->release(1 + helpers - started);
}

xlashape_executor Pool::executor() {
  auto executor = XLASHAPE_INIT(xlashape_executor);
  executor.max_workers = workers_;
  executor.opaque = this;
  executor.parallel_for = run;
  return executor;
}

}  // namespace xlashape_jax
