// `xlashape scan`: what the layouts of a program cost.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/output/terminal.h"

namespace xlashape::cli {

struct ScanOptions {
  std::vector<std::string> paths;
  std::string target;  // empty: none
  std::optional<int64_t> top;
  std::optional<int64_t> space;
  bool interiors = false;
  bool fail_unparsed = false;
  std::vector<std::string> max_bytes, max_waste, max_moved;  // [SPACE:]LIMIT
  std::string html;                                          // the page's path; empty: none
  bool diff = false;
  std::string max_growth;  // "5%"; empty: none
};

int run_scan(const ScanOptions& options, const Common& common);

}  // namespace xlashape::cli
