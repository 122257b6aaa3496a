// The C entry points of the section "Relayout" that take no part in moving bytes: what a plan tells of itself, and its making
// from single arguments.
#include <algorithm>
#include <string>

#include "api/answer.h"
#include "base/struct_io.h"
#include "exec/plan.h"

using namespace xlashape;

extern "C" {

int64_t xlashape_plan_task_count(const xlashape_plan* plan, int64_t workers) {
  if (plan == nullptr) return 0;
  if (workers < 1) return 1;
  return plan->backend->slots.plan_tasks(plan->storage, plan->op, workers);
}

xlashape_status xlashape_plan_get_requirements(const xlashape_plan* plan, xlashape_plan_requirements* requirements,
                                               xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    XLASHAPE_TRY(check_out_struct(requirements, "requirements", err));
    const bool converts = plan->op.relayout == nullptr;
    const Reach reach = converts ? Reach{} : reach_of(*plan->op.relayout);
    xlashape_plan_requirements r{};
    r.src_alignment = std::max<int64_t>(plan->support.src_alignment, converts ? sizeof(int64_t) : 1);
    r.dst_alignment = std::max<int64_t>(plan->support.dst_alignment, converts ? sizeof(int64_t) : 1);
    r.src_low = reach.src_low;
    r.src_high = reach.src_high;
    r.dst_low = reach.dst_low;
    r.dst_high = reach.dst_high;
    r.scratch_bytes = plan->support.scratch_bytes;
    r.plan_bytes = static_cast<int64_t>(plan->block_bytes);
    write_struct(requirements, r);
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_plan_describe(const xlashape_plan* plan, char* text, int64_t capacity, int64_t* needed,
                                       xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    char line[1024];
    plan->backend->slots.describe(plan->storage, plan->op, line, sizeof line);
    return answer_text(line, text, capacity, needed, err);
  });
}

const char* xlashape_plan_backend(const xlashape_plan* plan) {
  return plan != nullptr ? plan->backend->name.c_str() : nullptr;
}

}  // extern "C"
