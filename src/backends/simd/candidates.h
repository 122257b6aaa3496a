/* SPDX-License-Identifier: Apache-2.0 */
// The ways in which a plan could run, for programs that measure which is fastest.
#pragma once
#include "backends/simd/relayout.h"

namespace xlashape::simd {

// Candidate `index` of a plan; 0 is how it runs now. Returns false where there are no more. Different candidates have
// different tiles, stores or loops.
bool candidate(const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan, int64_t index, TileChoice* choice);

}  // namespace xlashape::simd
