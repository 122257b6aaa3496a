// SPDX-License-Identifier: Apache-2.0
// The C entry points of the section "Relayout" that make plans; a plan's executions are in api/execute.cc.
#include "exec/plan.h"

#include "api/check.h"
#include "api/plan_request.h"
#include "exec/runtime.h"

using namespace xlashape::core;

extern "C" {

xlashape_status xlashape_plan_create(xlashape_runtime* runtime, const xlashape_shape* src_shape,
                                     const xlashape_shape* dst_shape, const xlashape_relayout_options* options,
                                     xlashape_plan** plan, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    PlanRequest call;
    XLASHAPE_TRY(unwrap(src_shape, dst_shape, options, &call, err));
    XLASHAPE_TRY(or_default(&runtime, err));
    Ref<Plan> made;
    XLASHAPE_TRY(make_plan(*runtime, call.request, call.options, &made, err));
    *plan = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_plan* xlashape_plan_retain(const xlashape_plan* plan) { return Ref<Plan>::share(plan).leak(); }
void xlashape_plan_release(xlashape_plan* plan) { release(plan); }

xlashape_status xlashape_relayout(xlashape_runtime* runtime, const xlashape_shape* src_shape, const void* src,
                                  int64_t src_bytes, const xlashape_shape* dst_shape, void* dst, int64_t dst_bytes,
                                  const xlashape_relayout_options* options, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    PlanRequest call;
    XLASHAPE_TRY(unwrap(src_shape, dst_shape, options, &call, err));
    XLASHAPE_TRY(or_default(&runtime, err));
    return relayout_once(*runtime, call.request, call.options, src, dst, {src_bytes, dst_bytes}, err);
  });
}

}  // extern "C"
