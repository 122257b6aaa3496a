// SPDX-License-Identifier: Apache-2.0
// xlashape-scan: one program with one job, which `xlashape scan` runs.
#include <fmt/core.h>

#include <memory>
#include <xlashape/target.hpp>

#include "cli/program/program.h"
#include "scan/options.h"

namespace xlashape::cli {

std::variant<int, Command> read_command_line(int argc, char** argv) {
  CLI::App app(kScanWhat, "xlashape-scan");
  set_up(
      app, [] { return fmt::format("xlashape-scan {}", version()); }, "Print the version and stop");
  Command asked;
  const auto options = std::make_shared<ScanOptions>();
  add_options(app, *options);
  add_options(app, asked.common);
  if (const std::optional<int> exit = parse(app, argc, argv)) return *exit;
  asked.run = [options](const Common& common) { return run_scan(*options, common); };
  return asked;
}

}  // namespace xlashape::cli
