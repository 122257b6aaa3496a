// What stands between an executor and the tasks that it runs.
#pragma once
#include "xlashape_backend.h"

namespace xlashape::core {

// executor.parallel_for(count, task), where max_workers > 1; gives what that returns, and lets its exceptions through.
// Whatever the executor does, no task runs any more when this returns: it waits for those that are running, and tasks
// that are started later do nothing. So what tasks use may live on the caller's stack.
int32_t spread(const xlashape_executor& executor, int64_t count, void* opaque, xlashape_task task);

}  // namespace xlashape::core
