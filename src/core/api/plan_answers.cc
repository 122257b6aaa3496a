// The C entry points of the section "Relayout" that take no part in moving bytes: what a plan tells of itself, and its making
// from single arguments.
#include <algorithm>
#include <string>

#include "api/answer.h"
#include "base/struct_io.h"
#include "exec/plan.h"

using namespace xlashape;

extern "C" {

xlashape_status xlashape_plan_create_flat(xlashape_runtime* runtime, const xlashape_shape* src_shape,
                                          const xlashape_shape* dst_shape, uint32_t flags,
                                          xlashape_fill_policy fill_policy, xlashape_memory_space src_space,
                                          xlashape_memory_space dst_space, const char* backend, size_t backend_len,
                                          const int64_t* src_byte_strides, const int64_t* dst_byte_strides,
                                          const int64_t* src_base, const int64_t* dst_base, const int64_t* extent,
                                          int64_t rank, xlashape_plan** plan, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(src_shape, "src_shape", err));
    const Shape* array = src_shape->array();
    if (array != nullptr && rank != array->rank())
      return fail(err, XLASHAPE_INVALID_ARGUMENT, "rank is %lld, src_shape has rank %lld", static_cast<long long>(rank),
                  static_cast<long long>(array->rank()));
    if (backend == nullptr && backend_len > 0) return require(backend, "backend", err);
    const std::string name(backend != nullptr ? backend : "", std::min(backend_len, kNameLimit));
    if (name.find('\0') != std::string::npos)  // the name would end there
      return fail(err, XLASHAPE_INVALID_ARGUMENT, "backend holds a NUL");
    xlashape_relayout_options options{};
    options.struct_size = sizeof options;
    options.flags = flags;
    options.fill_policy = fill_policy;
    options.src_space = src_space;
    options.dst_space = dst_space;
    options.backend = name.empty() ? nullptr : name.c_str();
    options.src_byte_strides = src_byte_strides;
    options.dst_byte_strides = dst_byte_strides;
    options.src_base = src_base;
    options.dst_base = dst_base;
    options.extent = extent;
    return xlashape_plan_create(runtime, src_shape, dst_shape, &options, plan, err);
  });
}

int64_t xlashape_plan_task_count(const xlashape_plan* plan, int64_t workers) {
  if (plan == nullptr) return 0;
  if (workers < 1) return 1;
  return plan->backend->slots.plan_tasks(plan->storage, plan->op, workers);
}

xlashape_status xlashape_plan_get_requirements(const xlashape_plan* plan, xlashape_plan_requirements* requirements,
                                               xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    XLASHAPE_TRY(check_out_struct(requirements, sizeof *requirements, "requirements", err));
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
    return XLASHAPE_OK;
  });
}

xlashape_status xlashape_plan_describe(const xlashape_plan* plan, char* text, size_t capacity, size_t* needed,
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
