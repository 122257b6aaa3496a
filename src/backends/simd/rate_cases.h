/* SPDX-License-Identifier: Apache-2.0 */
// The movements by which calibration measures the rates of cost.h.
#pragma once
#include "backends/simd/cost.h"
#include "backends/simd/schedule.h"

namespace xlashape::simd {

// Sets up to four axes of a movement of at most `bytes`, sorted by falling destination stride, and an element's bytes.
// Returns how many; 0: there is none of so few bytes, or the rate is of something else.
int rate_axes(Rate rate, int64_t bytes, StridedAxis* axes, int64_t* width);

}  // namespace xlashape::simd
