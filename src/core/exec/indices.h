// Batches of index conversions, in one call or as an execution of a plan.
#pragma once
#include "exec/plan.h"
#include "index/index_map.h"

namespace xlashape::core {

// The operation of a conversion on the CPU.
xlashape_op index_op(int32_t kind, const IndexMap& map, int64_t index_step, int64_t dimension_step, uint32_t flags);

// Converts one batch in CPU memory. Without MARK_BAD the first bad entry is a failure that describes it; *bad
// (nullable) gets the number of marked entries.
Status convert_indices(Runtime& runtime, const xlashape_op& op, int64_t count, const int64_t* in, int64_t* out,
                       int64_t* bad, Error* err);

// The bytes that `count` entries take on each side.
Status reach_of(const xlashape_op& op, int64_t count, Reach* reach, Error* err);

// Converts one batch by a plan, in any memory space and on any queue. The caller has checked that `run` is within
// `reach`, and count and tasks.
Status execute_indices(const Prepared& prepared, const Reach& reach, xlashape_run run,
                       const xlashape_executor& executor, const Control& control, int64_t* bad, Error* err);

}  // namespace xlashape::core
