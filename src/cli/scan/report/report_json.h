// What scan prints for machines; docs/scan.md describes it.
#pragma once
#include <vector>

#include "budgets.h"
#include "cli/output/json.h"
#include "summary.h"

namespace xlashape::cli {

inline constexpr int kScanVersion = 1;  // of the JSON: changed when a field changes its meaning or goes

Json module_json(const Summary& summary);
Json budget_json(const BudgetResult& result);
Json scan_json(Json modules, const std::vector<BudgetResult>& budgets, const std::string& target);

}  // namespace xlashape::cli
