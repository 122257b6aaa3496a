// `xlashape layout-for`: the layouts that the compilers of targets choose, and what they cost.
#pragma once
#include <string>
#include <vector>

#include "cli/output/terminal.h"

namespace xlashape::cli {

struct LayoutForOptions {
  std::string targets;             // their names, with commas between them
  std::vector<std::string> texts;  // "-": those on standard input, one per line
};

int run_layout_for(const LayoutForOptions& options, const Common& common);

}  // namespace xlashape::cli
