/* SPDX-License-Identifier: Apache-2.0 */
// The trace that `scan --trace` writes, in Chrome's trace-event JSON, which perfetto's viewer opens: of each memory
// space a counter of the bytes in use and a slice for each buffer, over the steps of the schedule.
#pragma once
#include <string>
#include <vector>

#include "scan/report/summary.h"

namespace xlashape::cli {

// Of spaces that have blocks and timelines; those without are named and left out.
void write_trace(const std::string& path, const std::vector<Summary>& modules);

}  // namespace xlashape::cli
