// SPDX-License-Identifier: Apache-2.0
// Copies relayouts into the memory of a plan.
#include "plan/relayout.h"

namespace xlashape::core {

size_t relayout_bytes(const xlashape_relayout_ir& ir) {
  size_t bytes = kept_bytes(ir);
  ir::for_each_part(ir, [&bytes](const auto* part) { bytes += part != nullptr ? kept_bytes(*part) : 0; });
  return bytes;
}

const xlashape_relayout_ir* keep_relayout(const xlashape_relayout_ir& ir, FixedArena& arena) {
  xlashape_relayout_ir* copied = keep(ir, arena);
  ir::for_each_part(*copied, [&arena](auto*& part) {
    if (part != nullptr) part = keep(*part, arena);
  });
  return copied;
}

}  // namespace xlashape::core
