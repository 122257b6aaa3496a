// The C entry points that execute plans.
#include <algorithm>

#include "api/execution.h"
#include "ir/address.h"

using namespace xlashape::core;
using xlashape::waist::address_of;

namespace {

Status check_side(const char* side, int64_t offset, int64_t low, int64_t high, int64_t size, Error* err) {
  if (offset < 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s_byte_offset is %lld, it must not be negative", side,
                ll(offset));
  if (size == 0 && high <= INT64_MAX - offset) return XLASHAPE_STATUS_OK;
  if (size <= 0 || low < -offset || high > size - offset)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE,
                "the plan touches bytes [%lld, %lld) from offset %lld of the %s on, it has %lld", ll(low), ll(high),
                ll(offset), side, ll(size));
  return XLASHAPE_STATUS_OK;
}

Status check_scratch(const xlashape_support& support, const xlashape_exec& e, Error* err) {
  if (e.scratch_bytes < 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "exec.scratch_bytes is %lld, it must not be negative",
                ll(e.scratch_bytes));
  if (e.scratch == 0) return XLASHAPE_STATUS_OK;
  if (e.scratch_bytes < support.scratch_bytes)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "exec.scratch has %lld bytes, the plan takes %lld",
                ll(e.scratch_bytes), ll(support.scratch_bytes));
  if (e.scratch % static_cast<uint64_t>(std::max<int64_t>(support.scratch_alignment, 1)) != 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "exec.scratch is not a multiple of %lld bytes",
                ll(support.scratch_alignment));
  return XLASHAPE_STATUS_OK;
}

}  // namespace

Status xlashape::core::read_exec(const Planned& planned, const xlashape_exec& e, HowToRun* how, Error* err) {
  if (e.task_count < 0 || e.task_begin < 0 || e.task_begin > e.task_end || e.task_end > e.task_count)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "tasks [%lld, %lld) are not within %lld tasks", ll(e.task_begin),
                ll(e.task_end), ll(e.task_count));
  if (e.queue_kind != XLASHAPE_QUEUE_NONE && is_on_host(planned.op)) return fail_queue(e.queue_kind, err);
  XLASHAPE_TRY(read_control(e, &how->control, err));
  XLASHAPE_TRY(check_scratch(planned.support, e, err));
  how->executor = planned.runtime->hooks.executor;
  if (e.executor != nullptr) XLASHAPE_TRY(read_executor(e.executor, &how->executor, err));
  how->run = run_at(e.src, e.dst, e.queue_kind, e.queue);
  how->run.task_begin = e.task_begin;
  how->run.task_end = e.task_end;
  how->run.task_count = e.task_count;
  if (e.scratch != 0) how->run.scratch = e.scratch, how->run.scratch_bytes = e.scratch_bytes;
  return XLASHAPE_STATUS_OK;
}

Status xlashape::core::read_place(const Reach& reach, const xlashape_exec& e, xlashape_run* run, Error* err) {
  XLASHAPE_TRY(check_side("src", e.src_byte_offset, reach.src_low, reach.src_high, e.src_byte_size, err));
  XLASHAPE_TRY(check_side("dst", e.dst_byte_offset, reach.dst_low, reach.dst_high, e.dst_byte_size, err));
  run->src_byte_offset = e.src_byte_offset;
  run->dst_byte_offset = e.dst_byte_offset;
  return XLASHAPE_STATUS_OK;
}

extern "C" {

xlashape_status xlashape_plan_execute(const xlashape_plan* plan, const void* src, void* dst, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    const Planned& planned = plan->planned;
    xlashape_run run = run_at(address_of(src), address_of(dst));
    bool nothing;
    XLASHAPE_TRY(check_buffers(planned.op, run.src, run.dst, &nothing, err));
    if (nothing) return XLASHAPE_STATUS_OK;
    return execute(prepared(*plan), run, planned.runtime->hooks.executor, {}, err);
  });
}

xlashape_status xlashape_plan_execute_ex(const xlashape_plan* plan, const xlashape_exec* exec, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    xlashape_exec e{};
    XLASHAPE_TRY(read_struct(exec, &e, "exec", err));
    const Planned& planned = plan->planned;
    HowToRun how;
    XLASHAPE_TRY(read_exec(planned, e, &how, err));
    XLASHAPE_TRY(read_place(reach_of(*planned.op.relayout), e, &how.run, err));
    if (is_on_host(planned.op)) {
      bool nothing = false;
      XLASHAPE_TRY(check_buffers(planned.op, e.src == 0 ? 0 : e.src + static_cast<uint64_t>(e.src_byte_offset),
                                 e.dst == 0 ? 0 : e.dst + static_cast<uint64_t>(e.dst_byte_offset), &nothing, err));
      if (nothing) return XLASHAPE_STATUS_OK;
    }
    return execute(prepared(*plan), how.run, how.executor, how.control, err);
  });
}

}  // extern "C"
