/* SPDX-License-Identifier: Apache-2.0 */
// A caller's request for a relayout, checked and unwrapped.
#pragma once
#include "exec/plan.h"

namespace xlashape::core {

struct PlanRequest {
  RelayoutRequest request;
  PlanOptions options;
};

// Checks only the form of the arguments; planning decides whether the relayout is possible.
Status unwrap(const Shape* src, const Shape* dst, const xlashape_relayout_options* given, PlanRequest* call,
              Error* err);

}  // namespace xlashape::core
