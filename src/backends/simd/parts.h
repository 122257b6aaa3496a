/* SPDX-License-Identifier: Apache-2.0 */
// Large nests with guards, part by part.
#pragma once
#include "backends/simd/kept.h"
#include "backends/simd/packed.h"

namespace xlashape::simd {

// How a nest with guards is cut: into so many indices of one of its loops at a time.
struct NestCut {
  int32_t loop = -1;  // -1: it is not
  int64_t indices = 0;
};

inline constexpr int kKeptParts = 8;  // rectangles of a part whose tiles are kept for the next one

NestCut cut_rectangles(const xlashape_relayout_ir& ir);

// Moves the elements of a nest that is cut. Each part of it has the same rectangles, whose tiles are chosen once.
void move_parts(const Kernels& kernels, const xlashape_relayout_ir& ir, Store store, const NestCut& cut,
                const char* src, char* dst, const TaskRange& part);

}  // namespace xlashape::simd
