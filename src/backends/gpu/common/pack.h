// Nests of several small dimensions cut into slices for the xs_pack_* kernels.
#pragma once
#include "backends/gpu/common/form.h"
#include "backends/gpu/kernels/arguments.h"

namespace xlashape::gpu {

// How much of a copy's bandwidth is expected where `run` bytes are side by side and the rest of a sector is wasted.
inline double run_worth(int64_t run) { return static_cast<double>(run) / (static_cast<double>(run) + 32); }

struct Packing {
  XsPack args;  // all but the fill
  int64_t blocks = 0;
  double worth = 0;  // of a copy's bandwidth, by a rough estimate
};

// The best slices of the form. False where there are none that the kernels take.
bool pack(const Form& form, int64_t alignment, Packing* best);

}  // namespace xlashape::gpu
