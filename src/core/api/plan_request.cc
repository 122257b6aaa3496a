// SPDX-License-Identifier: Apache-2.0
#include "api/plan_request.h"

#include "api/check.h"
#include "base/struct_io.h"

namespace xlashape::core {
namespace {

Status unwrap_array(const Shape* shape, const char* name, const Shape** array, Error* err) {
  XLASHAPE_TRY(require(shape, name, err));
  *array = shape->array();
  if (*array != nullptr) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s is %s: a relayout moves one array", name, noun(*shape));
}

}  // namespace

Status unwrap(const Shape* src, const Shape* dst, const xlashape_relayout_options* given, PlanRequest* call,
              Error* err) {
  XLASHAPE_TRY(unwrap_array(src, "src_shape", &call->request.src.array, err));
  XLASHAPE_TRY(unwrap_array(dst, "dst_shape", &call->request.dst.array, err));
  if (given == nullptr) return XLASHAPE_STATUS_OK;  // the defaults
  constexpr uint32_t kAllFlags = XLASHAPE_PLAN_ALLOW_FALLBACK | XLASHAPE_PLAN_KEEP_IN_CACHE | XLASHAPE_PLAN_IN_PLACE |
                                 XLASHAPE_PLAN_CONVERT | XLASHAPE_PLAN_SATURATE | XLASHAPE_PLAN_SRC_HIGH_FIRST |
                                 XLASHAPE_PLAN_DST_HIGH_FIRST;
  xlashape_relayout_options o{};
  XLASHAPE_TRY(read_struct(given, &o, "options", err));
  XLASHAPE_TRY(check_flags(o.flags, kAllFlags, err));
  call->request.src.byte_strides = o.src_byte_strides;
  call->request.dst.byte_strides = o.dst_byte_strides;
  call->request.src.element_strides = o.src_element_strides;
  call->request.dst.element_strides = o.dst_element_strides;
  call->request.src.first_element = o.src_first_element;
  call->request.dst.first_element = o.dst_first_element;
  call->request.src.base = o.src_base;
  call->request.dst.base = o.dst_base;
  call->request.extent = o.extent;
  call->request.fill_policy = o.fill_policy;
  call->request.keep_in_cache = (o.flags & XLASHAPE_PLAN_KEEP_IN_CACHE) != 0;
  call->request.values = {(o.flags & XLASHAPE_PLAN_CONVERT) != 0,
                          (o.flags & XLASHAPE_PLAN_SATURATE) != 0,
                          (o.flags & XLASHAPE_PLAN_SRC_HIGH_FIRST) != 0,
                          (o.flags & XLASHAPE_PLAN_DST_HIGH_FIRST) != 0,
                          o.scale_count,
                          o.scale,
                          o.zero_point,
                          o.scale_dimension};
  // The box of a scalar has no extents, and it has no strides, so these point here.
  static constexpr int64_t kNoDimensions = 0;
  if (call->request.src.array->rank() == 0 && o.extent == nullptr && (o.src_base != nullptr || o.dst_base != nullptr))
    call->request.extent = &kNoDimensions;
  for (RelayoutSide* side : {&call->request.src, &call->request.dst})
    if (side->array->rank() == 0 && side->byte_strides == nullptr && side->first_element != 0)
      side->element_strides = &kNoDimensions;
  if (o.src_space != 0) call->options.src_space = o.src_space;
  if (o.dst_space != 0) call->options.dst_space = o.dst_space;
  call->options.device = o.device;
  XLASHAPE_TRY(check_space(call->options.src_space, "src_space", err));
  XLASHAPE_TRY(check_space(call->options.dst_space, "dst_space", err));
  if (o.backend != nullptr) call->options.backend = {o.backend, strnlen(o.backend, kNameLimit)};
  if (o.flags & XLASHAPE_PLAN_IN_PLACE) call->options.in_place.emplace();
  call->options.allow_fallback = (o.flags & XLASHAPE_PLAN_ALLOW_FALLBACK) != 0;
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
