/* SPDX-License-Identifier: Apache-2.0 */
// What `xlashape scan`, or `xlashape-scan`, is asked.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/base/subcommands.h"

namespace CLI {
class App;
}

namespace xlashape::cli {

constexpr const char* kScanWhat = "Show what the layouts of a program's dump cost: waste, relayouts, memory";

struct ScanOptions {
  std::vector<std::string> paths;
  std::optional<std::string> target;
  std::optional<int64_t> top;
  std::optional<int64_t> space;
  bool interiors = false;
  bool fail_unparsed = false;
  bool fits = false;
  std::vector<std::string> max_bytes, max_waste, max_moved;  // [SPACE:]LIMIT
  std::optional<std::string> html;                           // the page's path; - is standard output
  std::optional<std::string> trace;                          // likewise
  bool diff = false;
  std::optional<std::string> max_growth;  // "5%"
};
// Prints, and gives the exit code.
int run_scan(const ScanOptions& options, const Common& common);

void add_options(CLI::App& command, ScanOptions& options);

}  // namespace xlashape::cli
