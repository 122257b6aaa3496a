/* SPDX-License-Identifier: Apache-2.0 */
// Batches of index conversions of the scalar backend.
#pragma once
#include "xlashape_backend.h"

namespace xlashape::scalar {

// Converts entries [begin, end) and counts bad ones. Without MARK_INVALID it stops at the first bad one and returns its
// number; otherwise it returns `end`.
int64_t to_linear(const xlashape_op& op, const int64_t* index, int64_t* linear, int64_t begin, int64_t end,
                  int64_t* bad);
int64_t to_multi(const xlashape_op& op, const int64_t* linear, int64_t* index, int64_t begin, int64_t end,
                 int64_t* bad);

}  // namespace xlashape::scalar
