/* SPDX-License-Identifier: Apache-2.0 */
// `relayout --flip`: dimensions of the source run backwards.
#pragma once
#include "cli/execution/execution.h"

namespace xlashape::cli {

// Gives the request strides by which these dimensions of its source, numbered from the end where negative, run
// backwards; what `items` are moved as has one more, which stays. The scales of the source's indices, which are set, go
// with them. A Failure for tiles that leave no strides.
void flip(const std::vector<int64_t>& dimensions, const Items& items, Request* request);

}  // namespace xlashape::cli
