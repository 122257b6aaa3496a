// SPDX-License-Identifier: Apache-2.0
// xlashape_get_extension, and the functions of xlashape_experimental.h.
#include <memory>
#include <string_view>

#include "api/execution.h"
#include "base/struct_io.h"
#include "exec/plan.h"
#include "exec/source_range.h"
#include "runtime/select.h"
#include "xlashape_experimental.h"

using namespace xlashape::core;

namespace {

// An execution that waits for a thread of the runtime's pool.
struct AsyncExecution : Pool::Posted {
  Ref<Plan> plan;
  xlashape_execute_options options;
  xlashape_done_fn done;
  void* opaque;

  static void perform(Pool::Posted* posted) {
    // Also where a backend ends the thread.
    struct Ending {
      Pool::Posted* job;
      ~Ending() {
        if (job != nullptr) cancel(job);
      }
    } ending{posted};
    auto* const job = static_cast<AsyncExecution*>(posted);
    xlashape_error err;
    err.struct_size = sizeof err;
    const Status status = xlashape_plan_execute_with(job->plan.get(), &job->options, &err);
    ending.job = nullptr;
    job->end(status, status == XLASHAPE_STATUS_OK ? nullptr : &err);
  }

  static void cancel(Pool::Posted* posted) {
    xlashape_error err;
    err.struct_size = sizeof err;
    fail(&err, XLASHAPE_STATUS_CANCELLED,
         "the thread was ended, by a backend or the program: the destination is unspecified");
    static_cast<AsyncExecution*>(posted)->end(XLASHAPE_STATUS_CANCELLED, &err);
  }

  void end(Status status, const xlashape_error* err) {
    const xlashape_done_fn on_done = done;
    void* const to = opaque;
    delete this;  // this may release the plan, and with it the runtime
    on_done(to, status, err);
  }
};

Status execute_async(const Plan* plan, const xlashape_execute_options* options, xlashape_done_fn done, void* opaque,
                     Error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    XLASHAPE_TRY(require(reinterpret_cast<const void*>(done), "done", err));
    auto job = std::make_unique<AsyncExecution>();
    XLASHAPE_TRY(read_execute_options(options, &job->options, err));
    if (!is_on_host(plan->planned.op) || job->options.queue.kind != XLASHAPE_QUEUE_NONE)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "an asynchronous execution is on the CPU only: use a queue");
    if (job->options.executor != nullptr)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                  "an asynchronous execution runs on the runtime's threads: options.executor must be NULL");
    if (plan->planned.runtime->pool == nullptr && plan->planned.runtime->hooks.executor.parallel_for != nullptr)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                  "an asynchronous execution runs on the runtime's threads, but the runtime has an executor of the "
                  "program: give that a task that executes the plan");
    job->plan = Ref<Plan>::share(plan);
    job->done = done;
    job->opaque = opaque;
    job->run = AsyncExecution::perform;
    job->drop = AsyncExecution::cancel;
    Pool* const pool = plan->planned.runtime->pool.get();
    if (pool == nullptr || !pool->post(job.get()))
      AsyncExecution::perform(job.release());
    else
      static_cast<void>(job.release());  // the pool deletes it
    return XLASHAPE_STATUS_OK;
  });
}

Status get_source_range(const Plan* plan, int64_t dst_begin, int64_t dst_end, int64_t* src_begin, int64_t* src_end,
                        Error* err) {
  XLASHAPE_TRY(require(plan, "plan", err));
  XLASHAPE_TRY(require(src_begin, "src_begin", err));
  XLASHAPE_TRY(require(src_end, "src_end", err));
  if (dst_begin > dst_end)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "bytes [%lld, %lld) of the destination are not a range",
                ll(dst_begin), ll(dst_end));
  const ByteRange range = source_range(*plan->planned.op.relayout, {dst_begin, dst_end});
  *src_begin = range.begin;
  *src_end = range.end;
  return XLASHAPE_STATUS_OK;
}

constexpr xlashape_extension_execution kExecution = {sizeof kExecution, 0, execute_async, get_source_range};

}  // namespace

extern "C" const void* xlashape_get_extension(const char* name, int64_t name_len) {
  if (check_text(name, "name", name_len, nullptr) != XLASHAPE_STATUS_OK) return nullptr;
  return view(name, name_len) == XLASHAPE_EXTENSION_EXECUTION ? &kExecution : nullptr;
}
