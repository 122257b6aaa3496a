/* SPDX-License-Identifier: Apache-2.0 */
// How long an execution of a plan takes, as far as the profile knows.
#pragma once
#include "backends/simd/relayout.h"

namespace xlashape::simd {

// Nanoseconds, at least 1. 0: not predicted, and *why_not (nullable) says why, as static text.
int64_t predict(const Processor& processor, const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan,
                int64_t max_workers, const char** why_not);

// The mean of what both sides span, which decides which cache they come from.
int64_t span_of(const xlashape_relayout_ir& ir);

}  // namespace xlashape::simd
