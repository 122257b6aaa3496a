// Relayouts that fill: the destination from its beginning to its end, elements and the padding between them in one pass.
#pragma once
#include "backends/simd/packed.h"
#include "xlashape_backend.h"

namespace xlashape::simd {

// How the destination is cut: a chunk is so many indices of one loop of the nest, with all that the loops inside it reach.
struct Chunks {
  int32_t loop = -1;  // -1: it is not; elements and padding each have a pass of their own
  int64_t indices = 0;
};

Chunks cut_into_chunks(const xlashape_relayout_ir& ir, Store store);

void run_filled(const Kernels& kernels, const xlashape_relayout_ir& ir, const Chunks& chunks, Store store,
                const char* src, char* dst, const Part& part);

}  // namespace xlashape::simd
