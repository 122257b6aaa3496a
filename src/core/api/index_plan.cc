// The C entry point of the section "Index plans". Its executions are those of any plan: api/execute.cc.
#include "api/check.h"
#include "base/struct_io.h"
#include "exec/indices.h"
#include "exec/runtime.h"

using namespace xlashape::core;

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

}  // namespace

extern "C" xlashape_status xlashape_index_plan_create(xlashape_runtime* runtime, const xlashape_index_map* map,
                                                      xlashape_index_conversion conversion,
                                                      const xlashape_index_options* options, xlashape_plan** plan,
                                                      xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(map, "map", err));
    XLASHAPE_TRY(require(plan, "plan", err));
    xlashape_index_options o{};
    if (options != nullptr) XLASHAPE_TRY(read_struct(options, &o, "options", err));
    XLASHAPE_TRY(check_flags(o.flags, XLASHAPE_INDEX_MARK_BAD | XLASHAPE_PLAN_ALLOW_FALLBACK, err));
    if (conversion != XLASHAPE_CONVERSION_TO_LINEAR && conversion != XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                  "conversion is %d, it must be CONVERSION_TO_LINEAR or CONVERSION_TO_MULTIDIMENSIONAL", conversion);
    XLASHAPE_TRY(check_steps(map->map.rank, &o, err));
    XLASHAPE_TRY(or_default(&runtime, err));
    PlanOptions wanted;
    if (o.src_space != 0) wanted.src_space = o.src_space;
    if (o.dst_space != 0) wanted.dst_space = o.dst_space;
    wanted.device = o.device;
    XLASHAPE_TRY(check_space(wanted.src_space, "src_space", err));
    XLASHAPE_TRY(check_space(wanted.dst_space, "dst_space", err));
    if (o.backend != nullptr) wanted.backend = {o.backend, strnlen(o.backend, kNameLimit)};
    wanted.allow_fallback = (o.flags & XLASHAPE_PLAN_ALLOW_FALLBACK) != 0;
    xlashape_op op =
        index_op(conversion == XLASHAPE_CONVERSION_TO_LINEAR ? XLASHAPE_OP_TO_LINEAR : XLASHAPE_OP_TO_MULTIDIMENSIONAL,
                 *map, o.index_step, o.dimension_step, o.flags & XLASHAPE_INDEX_MARK_BAD);
    op.src_space = wanted.src_space;
    op.dst_space = wanted.dst_space;
    op.device = wanted.device;
    Ref<Plan> made;
    XLASHAPE_TRY(keep_plan(*runtime, op, wanted, &made, err));
    *plan = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}
