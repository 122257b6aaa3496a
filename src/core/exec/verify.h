/* SPDX-License-Identifier: Apache-2.0 */
// Verification: after an execution, compares randomly drawn positions with what the index maps of both sides say.
#pragma once
#include "exec/tasks.h"

namespace xlashape::core {

// Checks as many positions of a whole execution as the runtime says. INTERNAL at the first that differs, which is
// logged, too. Only CPU memory is checked. Allocates nothing.
Status verify(const Prepared& prepared, const xlashape_run& run, Error* err);

}  // namespace xlashape::core
