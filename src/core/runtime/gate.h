/* SPDX-License-Identifier: Apache-2.0 */
// What stands between an executor and the tasks that it runs.
#pragma once
#include "xlashape_backend.h"

namespace xlashape::core {

enum class Spread {
  kWhole,    // each task ran once and to its end
  kGaveUp,   // the executor said so
  kThrew,    // it threw something
  kNotWhole  // it did not do what it should, or a thread ended within a task
};

// executor.parallel_for(count, task), where max_workers > 1. Whatever the executor does, no task runs any more when
// this returns: it waits for those that are running, and tasks that are started later, or that there are none of, do
// nothing. So what tasks use may live on the caller's stack. Throws bad_alloc where the executor does.
Spread spread(const xlashape_executor& executor, int64_t count, void* opaque, xlashape_task_fn task);

}  // namespace xlashape::core
