/* SPDX-License-Identifier: Apache-2.0 */
// Rows of packed elements in reverse.
#pragma once
#include "backends/simd/packed.h"

namespace xlashape::simd {

// Turns axes around, so that neighbours on one side go upwards there. What stays is -1 in the source and 1 in the
// destination: a reversed row. Returns that axis; -1: there is none.
int turn_axes(StridedAxis* axes, int count, int64_t* src_at, int64_t* dst_at);
int reversed_axis(const StridedAxis* axes, int count);

// As move_packed, of axes of which axes[row] is a reversed row.
void move_reversed(const Packed& packed, const StridedAxis* axes, int count, int row, const char* src, int64_t src_at,
                   char* dst, int64_t dst_at, const TaskRange& part);

}  // namespace xlashape::simd
