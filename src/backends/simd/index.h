// Index batches of the simd backend: which maps the vectors can do, and running a batch.
#pragma once
#include "backends/simd/kernels.h"

namespace xlashape::simd {

// As `refusal` of relayout.h: NULL where every number that the map's program meets stays below 2^51, and there are not too
// many of them.
const char* index_refusal(const xlashape_op& op);
xlashape_status run_indices(const Kernels& kernels, const xlashape_op& op, const xlashape_run& run);
size_t describe_indices(const Kernels& kernels, const xlashape_op& op, char* text, size_t capacity);

}  // namespace xlashape::simd
