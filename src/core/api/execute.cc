// The C entry points that execute plans.
#include <algorithm>

#include "api/execution.h"
#include "base/checked.h"
#include "base/struct_io.h"
#include "exec/indices.h"
#include "waist/address.h"

using namespace xlashape::core;
using xlashape::waist::address_of;

namespace {

constexpr const char* kCountMissing = "execute it with exec.count";

Status execute_at(const Plan& plan, uint64_t src, uint64_t dst, Error* err) {
  bool nothing;
  XLASHAPE_TRY(check_buffers(plan.op, src, dst, &nothing, err));
  if (nothing) return XLASHAPE_STATUS_OK;
  xlashape_run run = run_at(src, dst);
  return execute(prepared(plan), run, plan.runtime->hooks.executor, {}, err);
}

Status check_room(const char* side, int64_t offset, int64_t low, int64_t high, int64_t size, Error* err) {
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

Status check_scratch(const Plan& plan, const xlashape_exec& e, Error* err) {
  if (e.scratch_bytes < 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "exec.scratch_bytes is %lld, it must not be negative",
                ll(e.scratch_bytes));
  if (e.scratch == 0) return XLASHAPE_STATUS_OK;
  if (e.scratch_bytes < plan.support.scratch_bytes)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "exec.scratch has %lld bytes, the plan takes %lld",
                ll(e.scratch_bytes), ll(plan.support.scratch_bytes));
  if (e.scratch % static_cast<uint64_t>(std::max<int64_t>(plan.support.scratch_alignment, 1)) != 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "exec.scratch is not a multiple of %lld bytes",
                ll(plan.support.scratch_alignment));
  return XLASHAPE_STATUS_OK;
}

// Checks that the last array of a batch is within 64-bit addresses.
Status check_steps(const char* side, int64_t count, int64_t step, int64_t low, int64_t high, Error* err) {
  int64_t last = 0, end;
  if (count <= 1 ||
      (checked_mul(count - 1, step, &last) && checked_add(last, low, &end) && checked_add(last, high, &end)))
    return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_OVERFLOW, "%lld arrays %lld bytes apart (%s_step) reach further than fits 64 bits",
              ll(count), ll(step), side);
}

}  // namespace

extern "C" {

xlashape_status xlashape_plan_execute(const xlashape_plan* plan, const void* src, void* dst, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    if (plan->op.relayout == nullptr) return fail_indices(kCountMissing, err);
    return execute_at(*plan, address_of(src), address_of(dst), err);
  });
}

xlashape_status xlashape_plan_execute_batch(const xlashape_plan* plan, int64_t count, const void* src, int64_t src_step,
                                            void* dst, int64_t dst_step, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    if (count < 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "count is %lld, it must not be negative", ll(count));
    if (plan->op.relayout == nullptr) return fail_indices(kCountMissing, err);
    const xlashape_relayout_ir& ir = *plan->op.relayout;
    const uint64_t apart = magnitude(dst_step);
    if (count > 1 && apart < static_cast<uint64_t>(ir.dst_high - ir.dst_low))
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                  "dst_step is %lld: the destinations of %lld bytes would overlap", ll(dst_step),
                  ll(ir.dst_high - ir.dst_low));
    XLASHAPE_TRY(check_steps("src", count, src_step, ir.src_low, ir.src_high, err));
    XLASHAPE_TRY(check_steps("dst", count, dst_step, ir.dst_low, ir.dst_high, err));
    // Where no byte is touched, one execution is enough: the count may be any number.
    bool nothing = ir.elements == 0 && ir.dst_high == ir.dst_low;
    if (src == dst && src_step == dst_step && count > 1 && !nothing)
      XLASHAPE_TRY(check_buffers(plan->op, address_of(src), address_of(dst), &nothing, err));
    if (nothing) count = std::min<int64_t>(count, 1);
    for (int64_t i = 0; i < count; ++i) {
      const auto at = [i](const void* base, int64_t step) {
        return address_of(base) + static_cast<uint64_t>(i) * static_cast<uint64_t>(step);
      };
      if (const Status status = execute_at(*plan, at(src, src_step), at(dst, dst_step), err)) {
        set_index(err, i);
        return status;
      }
    }
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_plan_execute_ex(const xlashape_plan* plan, const xlashape_exec* exec, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    xlashape_exec e{};
    XLASHAPE_TRY(read_struct(exec, &e, "exec", err));
    if (e.task_count < 0 || e.task_begin < 0 || e.task_begin > e.task_end || e.task_end > e.task_count)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "tasks [%lld, %lld) are not within %lld tasks",
                  ll(e.task_begin), ll(e.task_end), ll(e.task_count));
    const bool converts = plan->op.relayout == nullptr;
    if (e.count < 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "exec.count is %lld, it must not be negative", ll(e.count));
    if (!converts && (e.count != 0 || e.bad != nullptr))
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                  "the plan is a relayout: exec.count must be 0 and exec.bad NULL");
    Reach reach;
    if (converts)
      XLASHAPE_TRY(reach_of(plan->op, e.count, &reach, err));
    else
      reach = reach_of(*plan->op.relayout);
    XLASHAPE_TRY(check_room("src", e.src_byte_offset, reach.src_low, reach.src_high, e.src_byte_size, err));
    XLASHAPE_TRY(check_room("dst", e.dst_byte_offset, reach.dst_low, reach.dst_high, e.dst_byte_size, err));
    if (on_cpu(*plan)) {
      if (e.queue_kind != XLASHAPE_QUEUE_NONE) return fail_queue(e.queue_kind, err);
      bool nothing = false;
      if (!converts)
        XLASHAPE_TRY(check_buffers(plan->op, e.src == 0 ? 0 : e.src + static_cast<uint64_t>(e.src_byte_offset),
                                   e.dst == 0 ? 0 : e.dst + static_cast<uint64_t>(e.dst_byte_offset), &nothing, err));
      if (nothing) return XLASHAPE_STATUS_OK;
    }
    Control control;
    XLASHAPE_TRY(read_control(e, &control, err));
    XLASHAPE_TRY(check_scratch(*plan, e, err));
    xlashape_executor executor = plan->runtime->hooks.executor;
    if (e.executor != nullptr) XLASHAPE_TRY(read_executor(e.executor, &executor, err));
    xlashape_run run = run_at(e.src, e.dst, e.queue_kind, e.queue);
    run.src_byte_offset = e.src_byte_offset;
    run.dst_byte_offset = e.dst_byte_offset;
    run.task_begin = e.task_begin;
    run.task_end = e.task_end;
    run.task_count = e.task_count;
    run.count = e.count;
    if (e.scratch != 0) run.scratch = e.scratch, run.scratch_bytes = e.scratch_bytes;
    if (converts) return execute_indices(prepared(*plan), reach, run, executor, control, e.bad, err);
    return execute(prepared(*plan), run, executor, control, err);
  });
}

}  // extern "C"
