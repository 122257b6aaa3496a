/* SPDX-License-Identifier: Apache-2.0 */
// Small operations, beside a plain indirect call; and the heap allocations of each.
#pragma once
#include "options.h"

namespace bench {

class Session;

bool run_small(const Options& options, const Session& session);

}  // namespace bench
