/* SPDX-License-Identifier: Apache-2.0 */
// A small relayout and eight index conversions in each direction, which test a backend before it gets real data.
#pragma once
#include "runtime/backend.h"

namespace xlashape::core {

// The relayout: an f32 array of this size, row-major to column-major.
inline constexpr int kSmokeRows = 3, kSmokeColumns = 5;

// For backends that work on CPU memory. The message of a failure has the two values that differ.
Status smoke_test(const BackendCalls& calls, const Hooks& hooks, Error* err);

}  // namespace xlashape::core
