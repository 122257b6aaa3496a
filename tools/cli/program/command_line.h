/* SPDX-License-Identifier: Apache-2.0 */
// What was asked for on the command line: a subcommand with its options.
#pragma once
#include <functional>
#include <variant>

#include "cli/base/subcommands.h"

namespace xlashape::cli {

struct Command {
  Common common;
  std::function<int(const Common&)> run;  // gives the exit code
};

// The subcommand to run, or the exit code after help, the version or an error has been printed.
std::variant<int, Command> read_command_line(int argc, char** argv);

}  // namespace xlashape::cli
