// SPDX-License-Identifier: Apache-2.0
// The C entry points that execute plans.
#include <algorithm>

#include "api/execution.h"
#include "ir/address.h"
#include "xlashape_runtime.h"

using namespace xlashape::core;
using xlashape::ir::address_of;

namespace {

Status check_scratch(const xlashape_support& support, const xlashape_execute_options& o, Error* err) {
  if (o.scratch_bytes < 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "options.scratch_bytes is %lld, it must not be negative",
                ll(o.scratch_bytes));
  if (o.scratch == 0) return XLASHAPE_STATUS_OK;
  if (o.scratch_bytes < support.scratch_bytes)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "options.scratch has %lld bytes, the plan takes %lld",
                ll(o.scratch_bytes), ll(support.scratch_bytes));
  if (o.scratch % static_cast<uint64_t>(std::max<int64_t>(support.scratch_alignment, 1)) != 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "options.scratch is not a multiple of %lld bytes",
                ll(support.scratch_alignment));
  return XLASHAPE_STATUS_OK;
}

}  // namespace

Status xlashape::core::read_options(const Planned& planned, const xlashape_execute_options& o, HowToRun* how,
                                    BufferSizes* room, Error* err) {
  if (o.task_count < 0 || o.task_begin < 0 || o.task_begin > o.task_end || o.task_end > o.task_count)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "tasks [%lld, %lld) are not within %lld tasks", ll(o.task_begin),
                ll(o.task_end), ll(o.task_count));
  if (o.queue.kind != XLASHAPE_QUEUE_NONE && is_on_host(planned.op)) return fail_queue(o.queue.kind, err);
  XLASHAPE_TRY(read_control(o, &how->control, err));
  XLASHAPE_TRY(check_scratch(planned.support, o, err));
  how->executor = planned.runtime->hooks.executor;
  if (o.executor != nullptr) XLASHAPE_TRY(read_executor(o.executor, &how->executor, err));
  how->run = run_at(o.src, o.dst, o.queue);
  how->run.src_byte_offset = o.src_byte_offset;
  how->run.dst_byte_offset = o.dst_byte_offset;
  how->run.task_begin = o.task_begin;
  how->run.task_end = o.task_end;
  how->run.task_count = o.task_count;
  if (o.scratch != 0) how->run.scratch = o.scratch, how->run.scratch_bytes = o.scratch_bytes;
  *room = {o.src_bytes, o.dst_bytes, o.src_byte_offset, o.dst_byte_offset};
  return XLASHAPE_STATUS_OK;
}

extern "C" {

xlashape_status xlashape_plan_execute(const xlashape_plan* plan, const void* src, int64_t src_bytes, void* dst,
                                      int64_t dst_bytes, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    const Planned& planned = plan->planned;
    xlashape_run run = run_at(address_of(src), address_of(dst));
    XLASHAPE_TRY(check_buffer_sizes(reach_of(*planned.op.relayout), {src_bytes, dst_bytes}, err));
    bool nothing;
    XLASHAPE_TRY(check_buffers(*plan, run.src, run.dst, &nothing, err));
    if (nothing) return XLASHAPE_STATUS_OK;
    return execute(prepared(*plan), run, planned.runtime->hooks.executor, {}, err);
  });
}

xlashape_status xlashape_plan_execute_with(const xlashape_plan* plan, const xlashape_execute_options* options,
                                           xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    xlashape_execute_options o{};
    XLASHAPE_TRY(read_execute_options(options, &o, err));
    const Planned& planned = plan->planned;
    HowToRun how;
    BufferSizes room;
    XLASHAPE_TRY(read_options(planned, o, &how, &room, err));
    XLASHAPE_TRY(check_buffer_sizes(reach_of(*planned.op.relayout), room, err));
    if (is_on_host(planned.op)) {
      bool nothing = false;
      XLASHAPE_TRY(check_buffers(*plan, o.src == 0 ? 0 : o.src + static_cast<uint64_t>(o.src_byte_offset),
                                 o.dst == 0 ? 0 : o.dst + static_cast<uint64_t>(o.dst_byte_offset), &nothing, err));
      if (nothing) return XLASHAPE_STATUS_OK;
    }
    return execute(prepared(*plan), how.run, how.executor, how.control, err);
  });
}

}  // extern "C"
