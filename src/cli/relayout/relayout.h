// `xlashape relayout`: moves a file's array from one layout to another, into another file.
#pragma once
#include <string>
#include <vector>

#include "cli/files/array_file.h"
#include "cli/output/terminal.h"

namespace xlashape::cli {

struct RelayoutOptions {
  std::string in, out, to, backend, fill = "fill";
  Reading reading;
  std::vector<std::string> load;
  std::string wisdom;   // a file; "": none
  std::string measure;  // a checked number of seconds; "": no
  int threads = 1;
  bool verify = false, explain = false;
};

int run_relayout(const RelayoutOptions& options, const Common& common);

}  // namespace xlashape::cli
