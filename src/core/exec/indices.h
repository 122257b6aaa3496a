// Batches of index conversions: once, or as an execution of a plan.
#pragma once
#include "exec/plan.h"
#include "index/index_map.h"

namespace xlashape::core {

// The operation, on the CPU.
xlashape_op index_op(int32_t kind, const IndexMap& map, int64_t index_step, int64_t dimension_step, uint32_t flags);

// One batch in memory of the CPU. Without MARK_BAD the first bad entry is a failure that says what it is; *bad, if asked
// for, is how many were marked.
Status convert_indices(Runtime& runtime, const xlashape_op& op, int64_t count, const int64_t* in, int64_t* out,
                       int64_t* bad, Error* err);

// Bytes that `count` entries take on either side.
Status reach_of(const xlashape_op& op, int64_t count, Reach* reach, Error* err);

// The same of a plan, in memory of any space and on any queue. `run` lies within `reach`, count and tasks are checked.
Status execute_indices(const Prepared& prepared, const Reach& reach, xlashape_run run,
                       const xlashape_executor& executor, const Control& control, int64_t* bad, Error* err);

}  // namespace xlashape::core
