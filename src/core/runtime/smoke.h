// A first small relayout and eight index conversions in each direction, before a backend may touch anybody's data.
#pragma once
#include "runtime/backend.h"

namespace xlashape {

// For backends that work on CPU memory. The failure tells the two values that differ.
Status smoke_test(const Slots& slots, const Hooks& hooks, Error* err);

// The relayout it runs, f32[3,5]{1,0} to {0,1}: row-major to column-major.
const xlashape_relayout_ir& smoke_relayout();

}  // namespace xlashape
