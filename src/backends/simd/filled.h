/* SPDX-License-Identifier: Apache-2.0 */
// Relayouts that fill: they write the destination from beginning to end, elements and the padding between them in one
// pass.
#pragma once
#include "backends/simd/packed.h"
#include "xlashape_backend.h"

namespace xlashape::simd {

// How the destination is cut into chunks: a chunk is a number of indices of one loop of the nest, with all inner loops.
struct Chunks {
  int32_t loop = -1;  // -1: it is not cut; elements and padding have separate passes
  int64_t indices = 0;
};

Chunks cut_into_chunks(const xlashape_relayout_ir& ir, Store store);

// What run_filled takes of the stack for plans of chunks.
int64_t filler_bytes(const xlashape_relayout_ir& ir, const Chunks& chunks, Store store);

void run_filled(const Kernels& kernels, const xlashape_relayout_ir& ir, const Chunks& chunks, Store store,
                const char* src, char* dst, const TaskRange& part);

}  // namespace xlashape::simd
