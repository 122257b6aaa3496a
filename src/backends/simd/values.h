/* SPDX-License-Identifier: Apache-2.0 */
// Relayouts that convert numbers: block by block, each of which is converted on the side whose numbers are wider and
// moved as the narrower ones, through a scratch buffer in the first caches.
#pragma once
#include "backends/simd/run.h"
#include "xlashape_backend.h"

namespace xlashape::simd {

// Why a value step is left to other backends; NULL if this one takes it.
const char* values_refusal(const xlashape_relayout_ir& ir);

// All elements of the tasks. Fills nothing.
void run_values(const Kernels& kernels, const xlashape_relayout_ir& ir, Store store, const char* src, char* dst,
                const TaskRange& part);

// What that takes of the stack besides tiles, and how many elements such a tile has at most, of how many bytes.
int64_t values_stack(const xlashape_relayout_ir& ir);
int64_t values_tile(const xlashape_relayout_ir& ir);
int64_t values_width(const xlashape_relayout_ir& ir);

// "by vectors, ..." for people.
size_t describe_values(const Kernels& kernels, const xlashape_relayout_ir& ir, char* text, size_t capacity);

}  // namespace xlashape::simd
