/* SPDX-License-Identifier: Apache-2.0 */
// Common parts of the entry points that execute plans, and of those that answer for them.
#pragma once
#include <algorithm>

#include "api/answer.h"
#include "base/struct_io.h"
#include "exec/plan.h"
#include "runtime/select.h"
#include "xlashape_runtime.h"

namespace xlashape::core {

inline Status fail_queue(int32_t kind, Error* err) {
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "queue.kind is %d: a plan on the CPU has no queue", kind);
}

inline Status read_execute_options(const xlashape_execute_options* in, xlashape_execute_options* out, Error* err) {
  XLASHAPE_TRY(read_struct(in, out, "options", err));
  XLASHAPE_TRY(check_flags(out->flags, 0, err));
  return read_queue(&out->queue, &out->queue, err);
}

// Reads what is used between tasks, which only executions without a queue have.
inline Status read_control(const xlashape_execute_options& o, Control* control, Error* err) {
  *control = {o.cancel, o.progress, o.progress_opaque};
  if (o.queue.kind == XLASHAPE_QUEUE_NONE || !control->wants_tasks()) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "options.%s has no effect on a queue: it must be NULL",
              o.cancel != nullptr ? "cancel" : "progress");
}

// How an execution of either kind of plan runs, beside its arrays.
struct HowToRun {
  xlashape_run run;
  Control control;
  xlashape_executor executor;
};

// Reads all but the arrays' bytes, which `room` gets.
Status read_options(const Planned& planned, const xlashape_execute_options& o, HowToRun* how, BufferSizes* room,
                    Error* err);

// What plans of both kinds answer about themselves.
int64_t count_tasks(const Planned& planned, int64_t workers);
// `stack_bytes` 0: what the backend says.
Status answer_requirements(const Planned& planned, const Reach& reach, xlashape_plan_requirements* requirements,
                           int64_t stack_bytes, Error* err);
Status describe_planned(const Planned& planned, char* text, int64_t capacity, int64_t* needed, Error* err);

}  // namespace xlashape::core
