/* SPDX-License-Identifier: Apache-2.0 */
// Executions as tasks: one execution or many, on the calling thread or spread over an executor, with cancellation and
// progress between tasks.
#pragma once
#include <span>

#include "ir/compiler.h"
#include "runtime/gate.h"
#include "runtime/runtime.h"
#include "shape/shape.h"
#include "xlashape_runtime.h"

namespace xlashape::core {

inline xlashape_run run_at(uint64_t src, uint64_t dst, const xlashape_queue& queue = {}) {
  xlashape_run run{};
  run.struct_size = sizeof run;
  run.queue = queue;
  run.src = src;
  run.dst = dst;
  return run;
}

class InPlace;

// A prepared operation, on the stack or in a plan.
struct Prepared {
  Runtime* runtime;
  const Backend* backend;
  const xlashape_op* op;
  const void* storage;
  const Shape* src_shape = nullptr;  // of a relayout, for messages of verification
  const Shape* dst_shape = nullptr;
  const InPlace* in_place = nullptr;  // of a relayout within one array, which these steps do in the backend's place
};

// What is called or checked between tasks. Each may be null.
struct Control {
  const int32_t* cancel = nullptr;
  xlashape_progress_fn progress = nullptr;
  void* opaque = nullptr;

  bool wants_tasks() const { return cancel != nullptr || progress != nullptr; }
  bool is_cancelled() const { return cancel != nullptr && ir::load_flag(cancel) != 0; }
};

// One execution; `run` holds the requested tasks, task_count 0 means all.
struct Execution {
  Prepared prepared;
  xlashape_run run;
};

// What became of tasks that an executor ran and of which none failed.
Status answer_spread(Spread how, bool cancelled, int64_t ended, int64_t count, Error* err);

// Runs all tasks, on `executor` where that has more than one worker, or the tasks that `run` names. A complete
// execution is verified if the runtime's options say so.
Status execute(const Prepared& prepared, xlashape_run& run, const xlashape_executor& executor, const Control& control,
               Error* err);

// The same, and nothing is verified.
Status execute_unverified(const Prepared& prepared, xlashape_run& run, const xlashape_executor& executor,
                          const Control& control, Error* err);

// Runs the tasks of all executions together; all are in CPU memory. *failed is the index of the one that failed, -1 for
// all (CANCELLED).
Status execute_all(std::span<Execution> executions, const xlashape_executor& executor, const Control& control,
                   int64_t* failed, Error* err);

}  // namespace xlashape::core
