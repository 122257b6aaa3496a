// SPDX-License-Identifier: Apache-2.0
#include "exec/tasks.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "exec/in_place.h"
#include "exec/indices.h"
#include "exec/verify.h"
#include "ir/compiler.h"
#include "runtime/gate.h"
#include "runtime/select.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

// The bytes read and written between two checks of a caller's flag, and the maximal number of such pieces, also of
// tasks that a caller selects.
constexpr int64_t kPieceBytes = 1 << 20;
constexpr int64_t kMostPieces = 4096;

// The tasks of one or several executions. It keeps the first failure.
struct TaskSet {
  std::span<const Execution> executions;
  const int64_t* first_task;  // the index of each execution's first task; null for a single execution
  const int64_t count;
  const Control& control;
  Error* err;
  // Where a caller selects more tasks than are walked one by one, each is `step` of them, the last one maybe fewer.
  const int64_t step = 1;
  const int64_t selected = count;
  std::mutex guard{};
  Status status = XLASHAPE_STATUS_OK;
  int64_t failed = -1;  // the execution that failed
  std::atomic<bool> cancelled{false};
  // As wide as an address, so that every processor counts it without a lock.
  std::atomic<intptr_t> ended{0};
  // How many of the caller's tasks these are.
  int64_t in_all(int64_t tasks) const { return tasks == count ? selected : tasks * step; }

  static void task(void* opaque, int64_t index, uint32_t) { static_cast<TaskSet*>(opaque)->run(index); }

  void run(int64_t index) {
    if (control.is_cancelled()) {
      cancelled.store(true, std::memory_order_relaxed);
      return;
    }
    size_t at = 0;
    int64_t own_index = index;
    if (first_task != nullptr) {
      const int64_t* const next = std::upper_bound(first_task, first_task + executions.size(), index);
      at = static_cast<size_t>(next - first_task) - 1;
      own_index -= first_task[at];
    }
    const Prepared& prepared = executions[at].prepared;
    const xlashape_run& whole = executions[at].run;
    xlashape_run part = whole;
    part.task_begin = whole.task_begin + own_index * step;
    part.task_end = part.task_begin + std::min(step, whole.task_end - part.task_begin);
    int64_t first_invalid = whole.count, bad = 0;
    part.first_invalid = whole.first_invalid != nullptr ? &first_invalid : nullptr;
    part.invalid_count = whole.invalid_count != nullptr ? &bad : nullptr;
    xlashape_error own;
    own.struct_size = sizeof own;
    const BackendCalls& calls = prepared.backend->calls;
    const Status result = calls.plan_execute(prepared.storage, *prepared.op, part, &own);
    // An executor that runs tasks twice is found out when it returns.
    const int64_t done = std::min<int64_t>(ended.fetch_add(1, std::memory_order_relaxed) + 1, count);
    if (control.progress != nullptr) control.progress(control.opaque, in_all(done), selected);
    if (result == XLASHAPE_STATUS_OK && first_invalid == whole.count && bad == 0) return;
    const std::lock_guard lock(guard);
    if (whole.first_invalid != nullptr) *whole.first_invalid = std::min(*whole.first_invalid, first_invalid);
    if (whole.invalid_count != nullptr)  // unchecked numbers: check_bad looks at the sum
      *whole.invalid_count =
          static_cast<int64_t>(static_cast<uint64_t>(*whole.invalid_count) + static_cast<uint64_t>(bad));
    if (result == XLASHAPE_STATUS_OK || status != XLASHAPE_STATUS_OK) return;
    status = fail_again(err, own, calls.source());
    failed = static_cast<int64_t>(at);
  }

  // All tasks, on `executor` where that has more than one worker.
  Status run_all(const xlashape_executor& executor) {
    Spread how = Spread::kWhole;
    if (executor.max_workers > 1)
      how = spread(executor, count, this, task);
    else
      for (int64_t i = 0; i < count && status == XLASHAPE_STATUS_OK && !cancelled; ++i) run(i);
    return status != XLASHAPE_STATUS_OK ? status : answer_spread(how, cancelled, in_all(ended), selected, err);
  }
};

// The number of tasks into which a whole execution is divided.
int64_t count_tasks(const Prepared& prepared, const xlashape_run& run, const xlashape_executor& executor,
                    const Control& control) {
  const xlashape_op& op = *prepared.op;
  int64_t tasks = 1;
  if (executor.max_workers > 1) tasks = prepared.backend->calls.plan_tasks(prepared.storage, op, executor.max_workers);
  if (!control.wants_tasks() || !is_on_host(op)) return tasks;
  const double bytes = op.relayout != nullptr ? static_cast<double>(op.relayout->src_high - op.relayout->src_low) +
                                                    static_cast<double>(op.relayout->dst_high - op.relayout->dst_low)
                                              : static_cast<double>(run.count) * 8 * (op.map->rank + 1);
  return std::max(tasks, static_cast<int64_t>(std::clamp(bytes / kPieceBytes, 1.0, double{kMostPieces})));
}

// An execution that may be more than one call of the backend: all tasks on `executor`, or those that the caller
// selects.
XLASHAPE_NOINLINE Status run_several(const Prepared& prepared, xlashape_run& run, bool selected,
                                     const xlashape_executor& executor, const Control& control, Error* err) {
  xlashape_executor single{};
  single.max_workers = 1;
  if (!selected) {
    run.task_end = run.task_count = count_tasks(prepared, run, executor, control);
    if (run.task_count == 1 && !control.wants_tasks())
      return prepared.backend->calls.plan_execute(prepared.storage, *prepared.op, run, err);
  }
  const Execution execution{prepared, run};
  // The number of tasks may be any number, and most of them have no byte to move.
  const int64_t all = run.task_end - run.task_begin, step = selected ? (all - 1) / kMostPieces + 1 : 1;
  TaskSet tasks{{&execution, 1}, nullptr, all > 0 ? (all - 1) / step + 1 : 0, control, err, step, all};
  return tasks.run_all(selected ? single : executor);
}

// Most executions are one call: what the others need is kept out of its way.
inline Status run_tasks(const Prepared& prepared, xlashape_run& run, const xlashape_executor& executor,
                        const Control& control, Error* err) {
  const bool selected = run.task_count != 0;
  if (!selected) {
    run.task_begin = 0;
    run.task_end = run.task_count = 1;
  }
  if (control.wants_tasks() || (!selected && executor.max_workers > 1)) [[unlikely]]
    return run_several(prepared, run, selected, executor, control, err);
  return prepared.backend->calls.plan_execute(prepared.storage, *prepared.op, run, err);
}

// Checks the numbers that a backend gives for invalid indices before they are used.
XLASHAPE_NOINLINE Status check_bad(const Prepared& prepared, const xlashape_run& run, Error* err) {
  const auto wrong = [&](const char* what, int64_t value) {
    fail(err, XLASHAPE_STATUS_INTERNAL, "backend %s: %s is %lld, in a batch of %lld", prepared.backend->name.c_str(),
         what, ll(value), ll(run.count));
    set_source(err, prepared.backend->calls.source());
    return XLASHAPE_STATUS_INTERNAL;
  };
  if (run.first_invalid != nullptr && (*run.first_invalid < 0 || *run.first_invalid > run.count))
    return wrong("the first invalid index", *run.first_invalid);
  if (run.invalid_count != nullptr && (*run.invalid_count < 0 || *run.invalid_count > run.count))
    return wrong("the number of invalid indices", *run.invalid_count);
  return XLASHAPE_STATUS_OK;
}

XLASHAPE_ALWAYS_INLINE Status run_unverified(const Prepared& prepared, xlashape_run& run,
                                             const xlashape_executor& executor, const Control& control, Error* err) {
  if constexpr (sizeof(void*) < sizeof run.src) {
    Reach reach;
    if (prepared.op->relayout != nullptr)
      reach = reach_of(*prepared.op->relayout);
    else
      XLASHAPE_TRY(reach_of(*prepared.op, run.count, &reach, err));
    XLASHAPE_TRY(check_addresses(*prepared.op, reach, run.src + static_cast<uint64_t>(run.src_byte_offset),
                                 run.dst + static_cast<uint64_t>(run.dst_byte_offset), err));
  }
  const Status status = run_tasks(prepared, run, executor, control, err);
  if (status != XLASHAPE_STATUS_OK || (run.first_invalid == nullptr && run.invalid_count == nullptr)) [[likely]]
    return status;
  return check_bad(prepared, run, err);
}

// A caller's tasks have no order, and these steps need one: the first task does all of them.
XLASHAPE_NOINLINE Status run_in_place(const Prepared& prepared, const xlashape_run& run,
                                      const xlashape_executor& executor, const Control& control, Error* err) {
  xlashape_executor single{};
  single.max_workers = 1;
  const bool selected = run.task_count != 0;
  if (selected && (run.task_begin > 0 || run.task_end == 0)) return XLASHAPE_STATUS_OK;
  return prepared.in_place->execute(prepared.runtime->hooks, run, selected ? single : executor, control, err);
}

}  // namespace

Status answer_spread(Spread how, bool cancelled, int64_t ended, int64_t count, Error* err) {
  if (cancelled)
    return fail(err, XLASHAPE_STATUS_CANCELLED,
                "options.cancel was set when %lld of %lld tasks had ended: the destination is unspecified", ll(ended),
                ll(count));
  if (how == Spread::kGaveUp || how == Spread::kThrew)
    return fail(err, XLASHAPE_STATUS_CANCELLED, "the executor %s: the destination is unspecified",
                how == Spread::kThrew ? "threw an exception" : "gave up");
  if (how == Spread::kNotWhole)
    return fail(err, XLASHAPE_STATUS_CANCELLED,
                "the executor did not run each of %lld tasks once and to its end (%lld came to an end): the "
                "destination is unspecified",
                ll(count), ll(ended));
  return XLASHAPE_STATUS_OK;
}

Status execute_unverified(const Prepared& prepared, xlashape_run& run, const xlashape_executor& executor,
                          const Control& control, Error* err) {
  return run_unverified(prepared, run, executor, control, err);
}

Status execute(const Prepared& prepared, xlashape_run& run, const xlashape_executor& executor, const Control& control,
               Error* err) {
  if (prepared.in_place != nullptr) [[unlikely]]
    return run_in_place(prepared, run, executor, control, err);
  const Status status = run_unverified(prepared, run, executor, control, err);
  if (prepared.runtime->verify_count == 0) [[likely]]
    return status;
  const bool is_whole = run.task_begin == 0 && run.task_end == run.task_count;
  return status == XLASHAPE_STATUS_OK && is_whole ? verify(prepared, run, err) : status;
}

Status execute_all(std::span<Execution> executions, const xlashape_executor& executor, const Control& control,
                   int64_t* failed, Error* err) {
  std::vector<int64_t> first_task(executions.size());
  int64_t count = 0;
  for (size_t i = 0; i < executions.size(); ++i) {
    first_task[i] = count;
    xlashape_run& run = executions[i].run;
    run.task_begin = 0;
    run.task_end = run.task_count = count_tasks(executions[i].prepared, run, executor, control);
    count += run.task_count;
  }
  TaskSet tasks{executions, first_task.data(), count, control, err};
  Status status = tasks.run_all(executor);
  *failed = tasks.failed;
  for (size_t i = 0; i < executions.size() && status == XLASHAPE_STATUS_OK; ++i) {
    *failed = static_cast<int64_t>(i);
    if (executions[i].prepared.runtime->verify_count > 0)
      status = verify(executions[i].prepared, executions[i].run, err);
  }
  return status;
}

}  // namespace xlashape::core
