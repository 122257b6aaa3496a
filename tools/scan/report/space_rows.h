/* SPDX-License-Identifier: Apache-2.0 */
// What is told of each memory space of a buffer assignment: what is in it at the peak, and for drawing all the time.
#pragma once
#include <optional>
#include <vector>
#include <xlashape/target.hpp>

#include "scan/cost/costs.h"
#include "scan/cost/memory.h"
#include "scan/cost/writers.h"
#include "scan/program/module.h"
#include "summary.h"

namespace xlashape::cli {

std::vector<SpaceRow> space_rows(const Module& module, const Costs& costs, const SummaryOptions& wanted,
                                 std::optional<Target> target, const std::vector<SpaceUse>& uses, Writers* writers);

}  // namespace xlashape::cli
