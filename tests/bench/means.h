/* SPDX-License-Identifier: Apache-2.0 */
// Geometric means over the relayout cases.
#pragma once
#include <vector>

#include "report.h"

namespace bench {

// One line for B and one for each peer, over the cases that are not tiny: for all, and where there are several for each
// file. Younger classes have means of their own.
void print_means(const std::vector<Result>& results);

}  // namespace bench
