/* SPDX-License-Identifier: Apache-2.0 */
// Executions of index plans.
#pragma once
#include "exec/plan.h"
#include "xlashape_runtime.h"

namespace xlashape::core {

// The bytes that `count` entries take on each side.
Status reach_of(const xlashape_op& op, int64_t count, Reach* reach, Error* err);

// Converts one batch, in any memory space and on any queue. The caller has checked count, tasks and offsets. Without
// MARK_INVALID the first invalid entry is a failure that describes it; *invalid_count (nullable) gets the number of
// marked entries.
Status execute_indices(const Prepared& prepared, const Reach& reach, xlashape_run run,
                       const xlashape_executor& executor, const Control& control, int64_t* invalid_count, Error* err);

}  // namespace xlashape::core
