/* SPDX-License-Identifier: Apache-2.0 */
// Axes that go downwards, and rows of packed elements in reverse.
#pragma once
#include "backends/simd/packed.h"

namespace xlashape::simd {

// Turns axes around, so that neighbours, `width` apart on one side, go upwards there. What stays is -width in the
// source and width in the destination: a reversed row.
void turn_axes(StridedAxis* axes, int count, int64_t width, int64_t* src_at, int64_t* dst_at);
// The axis of packed elements that is a reversed row; -1: none.
int reversed_axis(const StridedAxis* axes, int count);

// As move_packed, of axes of which axes[row] is a reversed row.
void move_reversed(const Packed& packed, const StridedAxis* axes, int count, int row, const char* src, int64_t src_at,
                   char* dst, int64_t dst_at, const TaskRange& part);

}  // namespace xlashape::simd
