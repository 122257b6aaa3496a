/* SPDX-License-Identifier: Apache-2.0 */
// Which relayouts can be done by calls of a role: one run, rows of a pitched copy, a transposed plane; and the loops
// outside.
#pragma once
#include "backends/bound/routine.h"
#include "backends/common/limits.h"

namespace xlashape::bound {

struct OuterLoop {
  int64_t extent, src_stride, dst_stride;  // bytes
};

struct Match {
  int32_t routine = 0;  // its index in the backend's list
  int32_t outer_count = 0;
  RoutineCall move;  // without the addresses
  int64_t src_offset = 0, dst_offset = 0;
  int64_t calls = 0;                     // product of the outer loops
  int64_t bytes_per_call = 0;            // moved by one call
  OuterLoop outer[backends::kMaxLoops];  // outermost first
};

// Returns true if `routine` can do the relayout and it is worth calls through libffi.
bool match(const xlashape_relayout_ir& ir, const Routine& routine, Match* result);

}  // namespace xlashape::bound
