/* SPDX-License-Identifier: Apache-2.0 */
// Cuts nests of several small dimensions into slices for the xs_pack_* kernels.
#pragma once
#include "backends/gpu/common/form.h"
#include "backends/gpu/kernels/arguments.h"

namespace xlashape::gpu {

// The expected fraction of a copy's bandwidth if `run` bytes are contiguous and the rest of a sector is wasted.
inline double run_worth(int64_t run) { return static_cast<double>(run) / (static_cast<double>(run) + 32); }

struct Packing {
  XsPack args;  // all but the fill
  int64_t blocks = 0;
  double worth = 0;  // rough estimate, as a fraction of a copy's bandwidth
};

// Finds the best slices of the form. Returns false if the kernels take none.
bool pack(const Form& form, int64_t alignment, Packing* best);

}  // namespace xlashape::gpu
