// SPDX-License-Identifier: Apache-2.0
// What every program does: it reads its command line, runs what was asked for, and says what went wrong.
#include <cerrno>
#include <cstring>
#include <new>

#include "cli/base/failure.h"
#include "cli/output/json.h"
#include "cli/output/output.h"
#include "command_line.h"

namespace xlashape::cli {
namespace {

int stop(const Common& common, const Failure& failure) {
  if (common.json) say_json({{"error", error_json(failure)}});
  warn("xlashape: {}\n", failure.message);
  return failure.exit;
}

int run(int argc, char** argv) {
  Common common;
  try {
    const std::variant<int, Command> asked = read_command_line(argc, argv);
    if (const int* exit = std::get_if<int>(&asked)) return *exit;
    common = std::get<Command>(asked).common;
    return as_failures([&] { return std::get<Command>(asked).run(common); });
  } catch (const Failure& failure) {
    return stop(common, failure);
  } catch (const std::bad_alloc&) {
    return stop(common, Failure(kData, "NO_MEMORY", "no memory"));
  } catch (const std::exception& error) {
    return stop(common, Failure(kData, "INTERNAL", error.what()));
  }
}

// Printing the failure may itself run out of memory: then only the exit code reports it.
int run_and_tell(int argc, char** argv) noexcept {
  try {
    const int exit = run(argc, argv);
    const int error = finish_output();
    if (error == 0) return exit;
    // Whoever reads has enough, as `head` does; where SIGPIPE is not ignored the command has ended before.
    if (error != EPIPE) warn("xlashape: standard output: {}\n", std::strerror(error));
    return exit == kDone ? kData : exit;
  } catch (...) {
    return kData;
  }
}

}  // namespace
}  // namespace xlashape::cli

int main(int argc, char** argv) {
  xlashape::cli::hold_standard_streams();
  return xlashape::cli::run_and_tell(argc, argv);
}
