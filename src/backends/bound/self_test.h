/* SPDX-License-Identifier: Apache-2.0 */
// Tests in guarded buffers that a routine moves bits and nothing else, before it may touch a caller's data.
#pragma once
#include "backends/bound/routine.h"

namespace xlashape::bound {

// Tries all sizes and shapes of its role with every pattern that arithmetic would change: signalling and quiet NaNs
// with payloads, denormals, both zeros, infinities, random bits. On failure UNSUPPORTED, with the first wrong element.
xlashape_status self_test(const Routine& routine, xlashape_error* err);

}  // namespace xlashape::bound
