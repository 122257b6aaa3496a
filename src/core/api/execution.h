// Common parts of the entry points that execute plans.
#pragma once
#include "api/check.h"
#include "exec/plan.h"
#include "runtime/select.h"

namespace xlashape::core {

inline Prepared prepared(const Plan& plan) {
  return {plan.runtime.get(), plan.backend, &plan.op, plan.storage, plan.src_shape.get(), plan.dst_shape.get()};
}

inline bool on_cpu(const Plan& plan) { return is_on_host(plan.op); }

inline xlashape_run run_at(uint64_t src, uint64_t dst, int32_t queue_kind = XLASHAPE_QUEUE_NONE, uint64_t queue = 0) {
  xlashape_run run{};
  run.struct_size = sizeof run;
  run.queue_kind = queue_kind;
  run.queue = queue;
  run.src = src;
  run.dst = dst;
  return run;
}

inline Status fail_queue(int32_t kind, Error* err) {
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "queue_kind is %d: a plan on the CPU has no queue", kind);
}

inline Status fail_indices(const char* what, Error* err) {
  return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "the plan converts indices: %s", what);
}

// Reads what is used between tasks, which only executions without a queue have.
inline Status read_control(const xlashape_exec& e, Control* control, Error* err) {
  *control = {e.cancel, e.progress, e.progress_opaque};
  if (e.queue_kind == XLASHAPE_QUEUE_NONE || !control->wants_tasks()) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "exec.%s has no effect on a queue: it must be NULL",
              e.cancel != nullptr ? "cancel" : "progress");
}

}  // namespace xlashape::core
