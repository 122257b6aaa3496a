/* SPDX-License-Identifier: Apache-2.0 */
// Builds the value step of a relayout: conversions of the element type, quantized values, the order of bits in a byte.
#pragma once
#include "plan/relayout.h"

namespace xlashape::core {

// Checks what the request says of values, for the containers that `ir` has already. *values is null where nothing
// happens to them; its channels are those of the index, not yet of a nest.
Status build_values(const RelayoutRequest& request, const xlashape_relayout_ir& ir, xlashape_value_ir** values,
                    Arena& arena, Error* err);

}  // namespace xlashape::core
