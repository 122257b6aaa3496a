/* SPDX-License-Identifier: Apache-2.0 */
// The command line of a program: what xlashape and xlashape-scan do alike with CLI11, whose headers define objects, so
// that each file that includes them compiles nearly all of it. Only files of options do; all others see plain structs.
#pragma once
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/manual/manual.h"
#include "command_line.h"

namespace xlashape::cli {

// The flags of every program, `what` --version prints; before subcommands are added, which inherit the help flag, the
// formatter and the format of failures.
void set_up(CLI::App& app, std::function<std::string()> version, const char* what);

// Options of every subcommand.
void add_options(CLI::App& command, Common& common);

// An option that may be repeated. Its texts are not parsed as lists: brackets are part of pasted texts.
void add_repeated(CLI::App& command, const char* name, std::vector<std::string>& texts, const char* help,
                  const char* type);

// Reads the words; the exit code where help, the version or an error has been printed, and nothing is left to run.
std::optional<int> parse(CLI::App& app, int argc, char** argv);

Manual manual_of(const CLI::App& app);

}  // namespace xlashape::cli
