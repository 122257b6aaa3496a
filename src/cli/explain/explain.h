// `xlashape explain`: everything that can be said about shapes, as text and as JSON.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/output/terminal.h"

namespace xlashape::cli {

struct ExplainOptions {
  std::vector<std::string> texts;     // "-": those on standard input, one per line
  std::optional<std::string> target;  // its name
};

// Prints the answer and returns the exit code, as all run_... do; throws a Failure where it must stop.
int run_explain(const ExplainOptions& options, const Common& common);

}  // namespace xlashape::cli
