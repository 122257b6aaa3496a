// What a caller asks of a relayout, checked and unwrapped.
#pragma once
#include "exec/plan.h"

namespace xlashape::core {

struct PlanRequest {
  RelayoutRequest request;
  PlanOptions options;
};

// Looks at the form of what was given: whether there is such a relayout is the plan's matter.
Status unwrap(const Shape* src, const Shape* dst, const xlashape_relayout_options* given, PlanRequest* call,
              Error* err);

}  // namespace xlashape::core
