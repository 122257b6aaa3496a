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
  std::optional<std::string> target;
  std::optional<int64_t> top;
  std::optional<int64_t> space;
  bool interiors = false;
  bool fail_unparsed = false;
  std::vector<std::string> max_bytes, max_waste, max_moved;  // [SPACE:]LIMIT
  std::optional<std::string> html;                           // the page's path; - is standard output
  bool diff = false;
  std::optional<std::string> max_growth;  // "5%"
};

int run_scan(const ScanOptions& options, const Common& common);

}  // namespace xlashape::cli
