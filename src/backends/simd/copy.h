/* SPDX-License-Identifier: Apache-2.0 */
// The ways to copy one run, and which one a plan takes.
#pragma once
#include "backends/simd/cost.h"
#include "backends/simd/kernels.h"

namespace xlashape::simd {

// Whether a run may be copied so with these stores.
bool fits_copy(CopyKind kind, Store store);
// The way with these stores that takes the least time by these rates; the plain one where they are not known.
CopyKind choose_copy(const Rates& rates, Store store, int64_t bytes);
// The memory does not overlap. After streaming stores the caller runs the fence of the kernels.
void copy_run(const Kernels& kernels, CopyKind kind, Store store, char* dst, const char* src, int64_t bytes);

}  // namespace xlashape::simd
