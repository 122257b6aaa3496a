// A first small relayout and eight index conversions in each direction, before a backend may touch anybody's data.
#pragma once
#include "runtime/backend.h"

namespace xlashape::core {

// The relayout: an f32 array of so many rows and columns, row-major to column-major.
inline constexpr int kTrialRows = 3, kTrialColumns = 5;

// For backends that work on CPU memory. The failure tells the two values that differ.
Status smoke_test(const Slots& slots, const Hooks& hooks, Error* err);

}  // namespace xlashape::core
