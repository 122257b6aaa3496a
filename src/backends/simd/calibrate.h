/* SPDX-License-Identifier: Apache-2.0 */
// Measures from which sizes on the machine gains by what a profile says.
#pragma once
#include "backends/simd/kernels.h"
#include "backends/simd/profile.h"
#include "xlashape_backend.h"

namespace xlashape::simd {

// Takes about how.budget_ns, and up to 128 MiB of the host's memory while it runs. *profile comes with the defaults,
// and changes only where something was measured. CANCELLED, NO_MEMORY.
xlashape_status calibrate(const Kernels& kernels, const xlashape_host& host, const xlashape_calibration& how,
                          SpeedProfile* profile, xlashape_error* err);

}  // namespace xlashape::simd
