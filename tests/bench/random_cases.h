/* SPDX-License-Identifier: Apache-2.0 */
// Random relayouts of real size: what no rule was tuned on.
#pragma once
#include "case.h"

namespace bench {

// `count` cases with 64 KiB to 64 MiB on each side, of 1 to 16 bytes an element and 2 to 7 dimensions; half of them are
// transpositions alone, the others have tiles or padding too. Equal seeds give equal cases.
std::vector<Case> random_cases(int64_t count, uint64_t seed);

}  // namespace bench
