// `xlashape tune`: measures this machine, and writes its profile to where the library looks for it.
#pragma once
#include <string>
#include <vector>

#include "cli/output/terminal.h"

namespace xlashape::cli {

struct TuneOptions {
  std::string out;  // "": where the library looks
  std::vector<std::string> load;
  double seconds = 10;
  int threads = 1;
};

int run_tune(const TuneOptions& options, const Common& common);

}  // namespace xlashape::cli
