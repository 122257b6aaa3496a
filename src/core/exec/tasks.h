// Executions as tasks: on the calling thread or spread over an executor, one execution or many, looked at between tasks.
#pragma once
#include <span>

#include "runtime/runtime.h"
#include "shape/shape.h"

namespace xlashape::core {

// A prepared operation, on the stack or in a plan.
struct Prepared {
  Runtime* runtime;
  const Backend* backend;
  const xlashape_op* op;
  const void* storage;
  const Shape* src_shape = nullptr;  // of a relayout: what a failed verification names
  const Shape* dst_shape = nullptr;
};

// What a caller wants between the tasks. Each may be null.
struct Control {
  const int32_t* cancel = nullptr;
  xlashape_progress progress = nullptr;
  void* opaque = nullptr;

  bool wants_tasks() const { return cancel != nullptr || progress != nullptr; }
};

// One execution; `run` holds the tasks that are asked for, task_count 0 stands for all.
struct Execution {
  Prepared prepared;
  xlashape_run run;
};

// Runs it: all tasks, on `executor` where that has more than one worker; or the tasks that `run` names. What ran whole is
// verified where the runtime wants that.
Status execute(const Prepared& prepared, xlashape_run& run, const xlashape_executor& executor, const Control& control,
               Error* err);

// Runs all of them, whose memory is the CPU's, their tasks together. *failed is the one that failed, -1 where it was all of
// them (CANCELLED).
Status execute_all(std::span<Execution> executions, const xlashape_executor& executor, const Control& control,
                   int64_t* failed, Error* err);

}  // namespace xlashape::core
