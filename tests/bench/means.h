/* SPDX-License-Identifier: Apache-2.0 */
// Geometric means over the relayout cases.
#pragma once
#include <vector>

#include "report.h"

namespace bench {

// One line for B and one for each peer, over the cases of each file that are not tiny: never over several files, since
// constants were tuned beside some. Younger classes have means of their own.
void print_means(const std::vector<Result>& results);

}  // namespace bench
