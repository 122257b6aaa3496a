// What scan --diff prints, for eyes and for machines.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "cli/output/json.h"
#include "cli/output/terminal.h"
#include "diff.h"

namespace xlashape::cli {

void print_diff(const ModuleDiff& diff, size_t rows, std::optional<double> limit, const Common& common);
Json diff_json(const ModuleDiff& diff, size_t rows, std::optional<double> limit);

}  // namespace xlashape::cli
