// SPDX-License-Identifier: Apache-2.0
// The C entry point for many relayouts in one call.
#include <vector>

#include "api/execution.h"
#include "base/struct_io.h"
#include "xlashape_runtime.h"

using namespace xlashape::core;

extern "C" xlashape_status xlashape_plan_execute_list(int64_t count, xlashape_plan* const* plans, const uint64_t* src,
                                                      const int64_t* src_bytes, const uint64_t* dst,
                                                      const int64_t* dst_bytes, const xlashape_execute_options* options,
                                                      xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_list(plans, count, "plans", "count", err));
    XLASHAPE_TRY(check_list(src, count, "src", "count", err));
    XLASHAPE_TRY(check_list(dst, count, "dst", "count", err));
    xlashape_execute_options o{};
    if (options != nullptr) XLASHAPE_TRY(read_execute_options(options, &o, err));
    if (o.src != 0 || o.dst != 0 || o.src_bytes != 0 || o.dst_bytes != 0 || o.src_byte_offset != 0 ||
        o.dst_byte_offset != 0 || o.task_begin != 0 || o.task_end != 0 || o.task_count != 0 || o.scratch != 0 ||
        o.scratch_bytes != 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                  "options: for a list only queue, executor, cancel and progress may be given");
    Control control;
    XLASHAPE_TRY(read_control(o, &control, err));
    std::vector<Execution> executions(static_cast<size_t>(count));
    size_t moving = 0;  // how many of them move anything; those come first
    std::vector<int64_t> number(static_cast<size_t>(count));
    bool together = true;  // in CPU memory, and as tasks in any order
    for (int64_t i = 0; i < count; ++i) {
      const Plan* const plan = plans[i];
      bool nothing = false;
      const Status status = [&]() -> Status {
        XLASHAPE_TRY(require(plan, "the plan", err));
        if (is_on_host(plan->planned.op) && o.queue.kind != XLASHAPE_QUEUE_NONE) return fail_queue(o.queue.kind, err);
        const BufferSizes room{src_bytes != nullptr ? src_bytes[i] : XLASHAPE_UNCHECKED,
                               dst_bytes != nullptr ? dst_bytes[i] : XLASHAPE_UNCHECKED};
        XLASHAPE_TRY(check_buffer_sizes(reach_of(*plan->planned.op.relayout), room, err));
        return check_buffers(*plan, src[i], dst[i], &nothing, err);
      }();
      if (status != XLASHAPE_STATUS_OK) return set_index(err, i), status;
      if (nothing) continue;
      together &= is_on_host(plan->planned.op) && plan->in_place == nullptr;
      number[moving] = i;
      executions[moving++] = {prepared(*plan), run_at(src[i], dst[i], o.queue)};
    }
    if (moving == 0) return XLASHAPE_STATUS_OK;
    executions.resize(moving);
    xlashape_executor executor = executions[0].prepared.runtime->hooks.executor;
    if (o.executor != nullptr) XLASHAPE_TRY(read_executor(o.executor, &executor, err));
    int64_t failed = 0;
    Status status = XLASHAPE_STATUS_OK;
    if (together && (executor.max_workers > 1 || control.wants_tasks())) {
      status = execute_all(executions, executor, control, &failed, err);
    } else {
      for (; failed < static_cast<int64_t>(moving); ++failed) {
        Execution& one = executions[static_cast<size_t>(failed)];
        if ((status = execute(one.prepared, one.run, executor, control, err)) != XLASHAPE_STATUS_OK) break;
      }
    }
    // A call that was cancelled ended between two tasks: none of its plans failed.
    if (status != XLASHAPE_STATUS_OK && status != XLASHAPE_STATUS_CANCELLED && failed >= 0)
      set_index(err, number[static_cast<size_t>(failed)]);
    return status;
  });
}
