/* SPDX-License-Identifier: Apache-2.0 */
// The page that `scan --html` writes: one file with its style and its program in it, into which the scan's JSON is put.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "scan/report/budgets.h"
#include "scan/report/oom.h"
#include "scan/report/summary.h"

namespace xlashape::cli {

void write_page(const std::string& path, const std::vector<Summary>& modules, const std::vector<OomSummary>& reports,
                const std::vector<BudgetResult>& budgets, const std::string& target);

// What stands before and after the JSON, whose every `<` must be written \u003c: it stands in a script element.
std::string_view page_before_data();
std::string_view page_after_data();

}  // namespace xlashape::cli
