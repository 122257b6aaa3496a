/* SPDX-License-Identifier: Apache-2.0 */
// Finds rows that one side has interleaved, for the xs_zip_* and xs_unzip_* kernels.
#pragma once
#include "backends/gpu/common/form.h"
#include "backends/gpu/common/launch.h"

namespace xlashape::gpu {

struct Zipping {
  XsZip args;  // all but the fill
  Kernel kernel;
  double worth = 0;  // as Packing has it
};

// Returns false if the form has no such rows, or not in whole chunks.
bool zip(const Form& form, int64_t alignment, Zipping* made);

}  // namespace xlashape::gpu
