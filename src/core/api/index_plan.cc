// SPDX-License-Identifier: Apache-2.0
// The C entry points of the section "Index plans".
#include "api/execution.h"
#include "exec/indices.h"
#include "exec/runtime.h"
#include "index/index_map.h"
#include "ir/address.h"
#include "xlashape_runtime.h"

using namespace xlashape::core;
using xlashape::ir::address_of;

namespace {

// Both 0 mean an array of structures, else each must be at least 1.
Status check_steps(int64_t rank, xlashape_index_options* o, Error* err) {
  if (o->index_step == 0 && o->dimension_step == 0) {
    o->index_step = std::max<int64_t>(rank, 1);
    o->dimension_step = 1;
  }
  if (o->index_step >= 1 && o->dimension_step >= 1) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
              "options: index_step is %lld, dimension_step %lld: each must be at least 1, or both 0", ll(o->index_step),
              ll(o->dimension_step));
}

Status convert(const IndexPlan* plan, int64_t count, const xlashape_execute_options& o, int64_t* invalid_count,
               Error* err) {
  XLASHAPE_TRY(require(plan, "plan", err));
  if (count < 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "count is %lld, it must not be negative", ll(count));
  const Planned& planned = plan->planned;
  HowToRun how;
  BufferSizes room;
  XLASHAPE_TRY(read_options(planned, o, &how, &room, err));
  how.run.count = count;
  Reach reach;
  XLASHAPE_TRY(reach_of(planned.op, count, &reach, err));
  XLASHAPE_TRY(check_buffer_sizes(reach, room, err));
  const Prepared prepared{planned.runtime.get(), planned.backend, &planned.op, planned.storage};
  return execute_indices(prepared, reach, how.run, how.executor, how.control, invalid_count, err);
}

}  // namespace

extern "C" {

xlashape_status xlashape_index_plan_create(xlashape_runtime* runtime, const xlashape_index_map* map,
                                           xlashape_index_conversion conversion, const xlashape_index_options* options,
                                           xlashape_index_plan** plan, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(map, "map", err));
    XLASHAPE_TRY(require(plan, "plan", err));
    xlashape_index_options o{};
    if (options != nullptr) XLASHAPE_TRY(read_struct(options, &o, "options", err));
    XLASHAPE_TRY(check_flags(o.flags, XLASHAPE_INDEX_MARK_INVALID | XLASHAPE_PLAN_ALLOW_FALLBACK, err));
    if (conversion != XLASHAPE_CONVERSION_TO_LINEAR && conversion != XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                  "conversion is %d, it must be CONVERSION_TO_LINEAR or CONVERSION_TO_MULTIDIMENSIONAL", conversion);
    XLASHAPE_TRY(check_steps(map->map.rank, &o, err));
    XLASHAPE_TRY(or_default(&runtime, err));
    xlashape_op op{};
    op.struct_size = sizeof op;
    op.kind = conversion == XLASHAPE_CONVERSION_TO_LINEAR ? XLASHAPE_OP_TO_LINEAR : XLASHAPE_OP_TO_MULTIDIMENSIONAL;
    op.src_space = o.src_space != 0 ? o.src_space : XLASHAPE_SPACE_CPU;
    op.dst_space = o.dst_space != 0 ? o.dst_space : XLASHAPE_SPACE_CPU;
    XLASHAPE_TRY(check_space(op.src_space, "src_space", err));
    XLASHAPE_TRY(check_space(op.dst_space, "dst_space", err));
    op.map = &map->map;
    op.index_step = o.index_step;
    op.dimension_step = o.dimension_step;
    op.flags = o.flags & XLASHAPE_INDEX_MARK_INVALID;
    op.device = o.device;
    PlanOptions wanted;
    if (o.backend != nullptr) wanted.backend = {o.backend, strnlen(o.backend, kNameLimit)};
    wanted.allow_fallback = (o.flags & XLASHAPE_PLAN_ALLOW_FALLBACK) != 0;
    Ref<IndexPlan> made;
    XLASHAPE_TRY(make_index_plan(*runtime, op, wanted, &made, err));
    *plan = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_index_plan* xlashape_index_plan_retain(const xlashape_index_plan* plan) {
  return Ref<IndexPlan>::share(plan).leak();
}
void xlashape_index_plan_release(xlashape_index_plan* plan) { release(plan); }

xlashape_status xlashape_index_plan_execute(const xlashape_index_plan* plan, int64_t count, const void* src,
                                            int64_t src_bytes, void* dst, int64_t dst_bytes, int64_t* invalid_count,
                                            xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    xlashape_execute_options o{};
    o.src = address_of(src);
    o.src_bytes = src_bytes;
    o.dst = address_of(dst);
    o.dst_bytes = dst_bytes;
    return convert(plan, count, o, invalid_count, err);
  });
}

xlashape_status xlashape_index_plan_execute_with(const xlashape_index_plan* plan, int64_t count,
                                                 const xlashape_execute_options* options, int64_t* invalid_count,
                                                 xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    xlashape_execute_options o{};
    XLASHAPE_TRY(read_execute_options(options, &o, err));
    return convert(plan, count, o, invalid_count, err);
  });
}

int64_t xlashape_index_plan_task_count(const xlashape_index_plan* plan, int64_t workers) {
  return plan == nullptr ? 0 : count_tasks(plan->planned, workers);
}

xlashape_status xlashape_index_plan_get_requirements(const xlashape_index_plan* plan,
                                                     xlashape_plan_requirements* requirements, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    return answer_requirements(plan->planned, {}, requirements, 0, err);
  });
}

xlashape_status xlashape_index_plan_describe(const xlashape_index_plan* plan, char* text, int64_t capacity,
                                             int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    return describe_planned(plan->planned, text, capacity, needed, err);
  });
}

const char* xlashape_index_plan_backend(const xlashape_index_plan* plan) {
  return plan != nullptr ? plan->planned.backend->name.c_str() : nullptr;
}

}  // extern "C"
