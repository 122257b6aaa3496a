// Whether a routine moves bits and nothing else: tried in guarded buffers before it may touch anybody's data.
#pragma once
#include "backends/bound/routine.h"

namespace xlashape::bound {

// All sizes and shapes of its role, over every pattern that arithmetic would change: signalling and quiet NaNs with
// payloads, denormals, both zeros, infinities, random bits. UNSUPPORTED, with the first wrong element, where not.
xlashape_status self_test(const Routine& routine, xlashape_error* err);

}  // namespace xlashape::bound
