/* SPDX-License-Identifier: Apache-2.0 */
// Index batches of the simd backend: which maps the vector code can run, and running a batch.
#pragma once
#include "backends/simd/kernels.h"

namespace xlashape::simd {

// Like `refusal` of relayout.h: NULL if every number in the map's program stays below 2^51 and there are not too many
// values.
const char* index_refusal(const xlashape_op& op);
// `stream_from`: results of this many bytes and more are written past the caches.
xlashape_status run_indices(const Kernels& kernels, int64_t stream_from, const xlashape_op& op,
                            const xlashape_run& run);
size_t describe_indices(const Kernels& kernels, const xlashape_op& op, char* text, size_t capacity);

}  // namespace xlashape::simd
