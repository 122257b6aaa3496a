/* SPDX-License-Identifier: Apache-2.0 */
// Fills what is not an element of a destination whose elements are moved by themselves.
#pragma once
#include "backends/simd/run.h"
#include "xlashape_backend.h"

namespace xlashape::simd {

inline bool fills(const xlashape_relayout_ir& ir) { return ir.fill_policy == XLASHAPE_FILL_PADDING && ir.has_padding; }
// A part's share of the padding. Where elements share bytes the first part has all of it.
void fill_padding(const Kernels& kernels, const xlashape_relayout_ir& ir, Store store, char* dst,
                  const TaskRange& part);
// Clears the bits of the last byte after the last position, of containers of less than a byte.
void clear_spare_bits(const xlashape_relayout_ir& ir, char* dst);

}  // namespace xlashape::simd
