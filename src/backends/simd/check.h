/* SPDX-License-Identifier: Apache-2.0 */
// Proves, without memory and without kernels, that a schedule's tiles have each element of a rectangle once, and that
// the parameters of a tile name the same element on both sides. It counts and looks at corners, so it takes
// microseconds for a rectangle of any size. Debug builds check every schedule that they make; tests and a fuzz target
// check random ones.
#pragma once
#include "backends/simd/tiling.h"

namespace xlashape::simd {

// Returns what is wrong with the schedule, in words, or nullptr. `axes` are those given to set_space, `seed` picks the
// corners.
const char* fault_of(const StridedAxis* axes, int count, int64_t width, const Schedule& schedule, const Tiling& tiling,
                     uint64_t seed);

}  // namespace xlashape::simd
