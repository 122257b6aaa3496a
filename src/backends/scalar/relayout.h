/* SPDX-License-Identifier: Apache-2.0 */
// Relayouts of the scalar backend. How a loop nest is walked is decided once per plan.
#pragma once
#include "backends/common/limits.h"
#include "xlashape_backend.h"

namespace xlashape::scalar {

enum class Method : uint8_t {
  kNothing,    // no element and no fill
  kWalk,       // no common factors: position by position, or index by index
  kRows,       // runs that are contiguous on both sides
  kTranspose,  // a plane with a contiguous loop on each side
  kConvert,    // element by element: containers differ, are packed, or nothing is contiguous
  kValues,     // element by element, with a value step
};

struct ScalarRelayoutPlan {
  Method method;
  int8_t inner;   // the innermost loop; kTranspose: the loop along which the destination is contiguous
  int8_t across;  // kTranspose: the loop along which the source is contiguous
  int8_t split;   // the loop that tasks divide, -1: none
  int8_t outer_count;
  int8_t outer[backends::kMaxLoops];  // the other loops, outermost first
  int64_t split_grain;                // tasks begin at multiples of this
};

void init(const xlashape_relayout_ir& ir, ScalarRelayoutPlan* plan);
int64_t tasks(const xlashape_relayout_ir& ir, const ScalarRelayoutPlan& plan, int64_t max_workers);
void execute(const xlashape_relayout_ir& ir, const ScalarRelayoutPlan& plan, const char* src, char* dst, int64_t begin,
             int64_t end, int64_t count);
size_t describe(const xlashape_relayout_ir& ir, const ScalarRelayoutPlan& plan, char* text, size_t capacity);

}  // namespace xlashape::scalar
