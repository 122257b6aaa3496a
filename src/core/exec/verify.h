// Verification: after an execution, positions drawn anew are compared with what the maps of both sides say of them.
#pragma once
#include "exec/tasks.h"

namespace xlashape::core {

// Checks as many positions of a whole execution as the runtime says. INTERNAL, told to the logger, too, at the first
// that differs. Only memory of the CPU is looked at. Allocates nothing.
Status verify(const Prepared& prepared, const xlashape_run& run, Error* err);

}  // namespace xlashape::core
