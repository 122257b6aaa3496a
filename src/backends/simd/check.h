// Proves of a schedule, without memory and without kernels, that its tiles have each element of a rectangle once, and that what
// a kernel is told of a tile is the same element on both sides. By counting and at corners: it takes microseconds for a
// rectangle of any size. Builds for debugging check every schedule that they make; tests and a fuzz target check random ones.
#pragma once
#include "backends/simd/tiling.h"

namespace xlashape::simd {

// What is wrong with it, in words; nullptr: nothing. `axes` as they were given to set_space, `seed` picks the corners.
const char* fault_of(const Axis* axes, int count, int64_t width, const Schedule& schedule, const Tiling& tiling,
                     uint64_t seed);

}  // namespace xlashape::simd
