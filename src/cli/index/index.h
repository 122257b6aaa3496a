// `xlashape index`: the position of an element, and the element at a position.
#pragma once
#include <string>
#include <vector>

#include "cli/output/terminal.h"

namespace xlashape::cli {

struct IndexOptions {
  std::string shape;
  std::vector<std::string> at, linear;  // as typed; both empty: read questions from standard input
};

int run_index(const IndexOptions& options, const Common& common);

}  // namespace xlashape::cli
