// The C entry points of the section "Relayout".
#include "exec/plan.h"

#include <algorithm>

#include "api/check.h"
#include "base/checked.h"
#include "base/struct_io.h"
#include "exec/indices.h"

using namespace xlashape;

namespace {

// What the caller asked for, checked and unwrapped.
struct Call {
  Runtime* runtime = nullptr;
  RelayoutRequest request;
  PlanOptions options;
};

Status unwrap_array(const Shape* shape, const char* name, const Shape** array, Error* err) {
  XLASHAPE_TRY(require(shape, name, err));
  *array = shape->array();
  if (*array != nullptr) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s is %s: a relayout moves arrays, one by one", name, noun(*shape));
}

Status unwrap(Runtime* runtime, const Shape* src, const Shape* dst, const xlashape_relayout_options* given, Call* call,
              Error* err) {
  XLASHAPE_TRY(unwrap_array(src, "src_shape", &call->request.src.array, err));
  XLASHAPE_TRY(unwrap_array(dst, "dst_shape", &call->request.dst.array, err));
  xlashape_relayout_options o{};
  if (given != nullptr) XLASHAPE_TRY(read_struct(given, &o, "options", err));
  XLASHAPE_TRY(check_flags(o.flags, XLASHAPE_PLAN_ALLOW_FALLBACK | XLASHAPE_PLAN_READ_SOON, err));
  call->request.src.byte_strides = o.src_byte_strides;
  call->request.dst.byte_strides = o.dst_byte_strides;
  call->request.src.base = o.src_base;
  call->request.dst.base = o.dst_base;
  call->request.extent = o.extent;
  call->request.fill_policy = o.fill_policy;
  call->request.read_soon = (o.flags & XLASHAPE_PLAN_READ_SOON) != 0;
  // A box of a scalar has no extents to point at.
  static constexpr int64_t kNoDimensions = 0;
  if (call->request.src.array->rank() == 0 && o.extent == nullptr && (o.src_base != nullptr || o.dst_base != nullptr))
    call->request.extent = &kNoDimensions;
  if (o.src_space != 0) call->options.src_space = o.src_space;
  if (o.dst_space != 0) call->options.dst_space = o.dst_space;
  call->options.device = o.device;
  XLASHAPE_TRY(check_space(call->options.src_space, "src_space", err));
  XLASHAPE_TRY(check_space(call->options.dst_space, "dst_space", err));
  if (o.backend != nullptr) call->options.backend = {o.backend, strnlen(o.backend, kNameLimit)};
  call->options.allow_fallback = (o.flags & XLASHAPE_PLAN_ALLOW_FALLBACK) != 0;
  call->runtime = runtime;
  return or_default(&call->runtime, err);
}

Prepared prepared(const Plan& plan) { return {plan.runtime.get(), plan.backend, &plan.op, plan.storage, plan.shapes}; }

[[gnu::cold]] Status fail_indices(const char* what, Error* err) {
  return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "the plan converts indices: %s", what);
}

constexpr const char* kCountMissing = "it is run with a count of them";

Status execute_at(const Plan& plan, uint64_t src, uint64_t dst, Error* err) {
  bool nothing;
  XLASHAPE_TRY(check_buffers(plan.op, src, dst, &nothing, err));
  if (nothing) return XLASHAPE_STATUS_OK;
  xlashape_run run{};
  run.struct_size = sizeof run;
  run.src = src;
  run.dst = dst;
  return execute(prepared(plan), run, plan.runtime->hooks.executor, err);
}

bool on_cpu(const Plan& plan) {
  return plan.op.src_space == XLASHAPE_SPACE_CPU && plan.op.dst_space == XLASHAPE_SPACE_CPU;
}

Status check_room(const char* side, int64_t offset, int64_t low, int64_t high, int64_t size, Error* err) {
  if (offset < 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s_byte_offset is %lld, it must not be negative", side,
                static_cast<long long>(offset));
  if (size == 0 && high <= INT64_MAX - offset) return XLASHAPE_STATUS_OK;
  if (size <= 0 || low < -offset || high > size - offset)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE,
                "the plan touches bytes [%lld, %lld) from offset %lld of the %s on, it has %lld",
                static_cast<long long>(low), static_cast<long long>(high), static_cast<long long>(offset), side,
                static_cast<long long>(size));
  return XLASHAPE_STATUS_OK;
}

// The last one of a batch may lie no further than 64 bits reach.
Status check_steps(const char* side, int64_t count, int64_t step, int64_t low, int64_t high, Error* err) {
  int64_t last = 0, end;
  if (count <= 1 ||
      (checked_mul(count - 1, step, &last) && checked_add(last, low, &end) && checked_add(last, high, &end)))
    return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_OVERFLOW, "%lld arrays %lld bytes apart (%s_step) reach further than fits 64 bits",
              static_cast<long long>(count), static_cast<long long>(step), side);
}

}  // namespace

extern "C" {

xlashape_status xlashape_plan_create(xlashape_runtime* runtime, const xlashape_shape* src_shape,
                                     const xlashape_shape* dst_shape, const xlashape_relayout_options* options,
                                     xlashape_plan** plan, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    Call call;
    XLASHAPE_TRY(unwrap(runtime, src_shape, dst_shape, options, &call, err));
    Ref<Plan> made;
    XLASHAPE_TRY(make_plan(*call.runtime, call.request, call.options, &made, err));
    *plan = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_plan* xlashape_plan_retain(const xlashape_plan* plan) { return Ref<Plan>::share(plan).leak(); }
void xlashape_plan_release(xlashape_plan* plan) { release(plan); }

xlashape_status xlashape_plan_execute(const xlashape_plan* plan, const void* src, void* dst, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    if (plan->op.relayout == nullptr) return fail_indices(kCountMissing, err);
    return execute_at(*plan, reinterpret_cast<uint64_t>(src), reinterpret_cast<uint64_t>(dst), err);
  });
}

xlashape_status xlashape_plan_execute_batch(const xlashape_plan* plan, int64_t count, const void* src, int64_t src_step,
                                            void* dst, int64_t dst_step, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    if (count < 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "count is %lld, it must not be negative",
                  static_cast<long long>(count));
    if (plan->op.relayout == nullptr) return fail_indices(kCountMissing, err);
    const xlashape_relayout_ir& ir = *plan->op.relayout;
    const uint64_t apart = magnitude(dst_step);
    if (count > 1 && apart < static_cast<uint64_t>(ir.dst_high - ir.dst_low))
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                  "dst_step is %lld: the destinations of %lld bytes would overlap", static_cast<long long>(dst_step),
                  static_cast<long long>(ir.dst_high - ir.dst_low));
    XLASHAPE_TRY(check_steps("src", count, src_step, ir.src_low, ir.src_high, err));
    XLASHAPE_TRY(check_steps("dst", count, dst_step, ir.dst_low, ir.dst_high, err));
    // Where no byte is touched, how often does not matter.
    if (ir.elements == 0 && ir.dst_high == ir.dst_low) count = std::min<int64_t>(count, 1);
    for (int64_t i = 0; i < count; ++i) {
      const auto at = [i](const void* base, int64_t step) {
        return reinterpret_cast<uint64_t>(base) + static_cast<uint64_t>(i) * static_cast<uint64_t>(step);
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
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "tasks [%lld, %lld) of %lld are no part of them",
                  static_cast<long long>(e.task_begin), static_cast<long long>(e.task_end),
                  static_cast<long long>(e.task_count));
    const bool converts = plan->op.relayout == nullptr;
    if (e.count < 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "exec.count is %lld, it must not be negative",
                  static_cast<long long>(e.count));
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
      if (e.queue_kind != XLASHAPE_QUEUE_NONE)
        return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "queue_kind is %d: a plan on the CPU has no queue", e.queue_kind);
      bool nothing = false;
      if (!converts)
        XLASHAPE_TRY(check_buffers(plan->op, e.src == 0 ? 0 : e.src + static_cast<uint64_t>(e.src_byte_offset),
                                   e.dst == 0 ? 0 : e.dst + static_cast<uint64_t>(e.dst_byte_offset), &nothing, err));
      if (nothing) return XLASHAPE_STATUS_OK;
    }
    xlashape_executor executor = plan->runtime->hooks.executor;
    if (e.executor != nullptr) XLASHAPE_TRY(read_executor(e.executor, &executor, err));
    xlashape_run run{};
    run.struct_size = sizeof run;
    run.queue_kind = e.queue_kind;
    run.queue = e.queue;
    run.src = e.src;
    run.dst = e.dst;
    run.src_byte_offset = e.src_byte_offset;
    run.dst_byte_offset = e.dst_byte_offset;
    run.task_begin = e.task_begin;
    run.task_end = e.task_end;
    run.task_count = e.task_count;
    run.count = e.count;
    if (converts) return execute_indices(prepared(*plan), reach, run, executor, e.bad, err);
    return execute(prepared(*plan), run, executor, err);
  });
}

xlashape_status xlashape_relayout(xlashape_runtime* runtime, const xlashape_shape* src_shape, const void* src,
                                  int64_t src_bytes, const xlashape_shape* dst_shape, void* dst, int64_t dst_bytes,
                                  const xlashape_relayout_options* options, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    Call call;
    XLASHAPE_TRY(unwrap(runtime, src_shape, dst_shape, options, &call, err));
    return relayout_once(*call.runtime, call.request, call.options, {src, src_bytes, dst, dst_bytes}, err);
  });
}

}  // extern "C"
