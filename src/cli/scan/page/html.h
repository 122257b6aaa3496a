// The page that scan --html makes: one file that needs nothing else.
#pragma once
#include <string>
#include <vector>

#include "cli/scan/report/budgets.h"
#include "cli/scan/report/summary.h"

namespace xlashape::cli {

void write_page(const std::string& path, const std::vector<Summary>& modules, const std::vector<BudgetResult>& budgets,
                const std::string& target);

}  // namespace xlashape::cli
