// What every subcommand has: --json and --color, and something to run.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>

#include "terminal.h"

namespace xlashape::cli {

// Runs a subcommand that was asked for; gives the exit code.
using Run = std::function<int()>;

// Adds --json and --color.
inline void add_common(CLI::App& command, Common& common) {
  command.add_flag("--json", common.json, "Print JSON instead of text");
  command.add_option("--color", common.color, "auto (on a terminal), always or never; NO_COLOR is obeyed")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
}

}  // namespace xlashape::cli
