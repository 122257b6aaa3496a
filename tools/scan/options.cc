// SPDX-License-Identifier: Apache-2.0
#include "scan/options.h"

#include "cli/program/program.h"

namespace xlashape::cli {

void add_options(CLI::App& command, ScanOptions& options) {
  command
      .add_option("PATH", options.paths,
                  "A dump: HLO text, .hlo.pb, StableHLO, a buffer assignment, all of them as they are or compressed by "
                  "gzip; a folder of dumps; a log with an error that memory did not suffice; - is standard input")
      ->required();
  command
      .add_option("--target", options.target,
                  "A machine like tpu:v5e: arguments and results without its tiles get the layouts that its compiler "
                  "chooses, and memory spaces get names")
      ->type_name("TARGET");
  command.add_option("--top", options.top, "Rows in each table (default: 5; with --json 100, with --html 500)")
      ->check(CLI::Range(0, 100000))
      ->type_name("N");
  command.add_option("--space", options.space, "Only the arrays in memory space S(N)")
      ->check(CLI::Range(int64_t{0}, int64_t{1} << 62))
      ->type_name("N");
  command.add_flag("--all", options.interiors,
                   "Also what is within fusions, relayouts that move nothing, and what is less than 1 % of the memory");
  const auto add_budget = [&](const char* name, std::vector<std::string>& limits, const char* help) {
    add_repeated(command, name, limits, help, "[SPACE:]LIMIT");
  };
  add_budget("--max-bytes", options.max_bytes,
             "A budget: memory of each module, 12GiB; 1:16MiB for memory space 1 alone. May be repeated");
  add_budget("--max-waste", options.max_waste, "A budget: bytes in memory for each byte of data, 1.5");
  add_budget("--max-moved", options.max_moved, "A budget: bytes that relayouts read and write, 100MiB");
  command.add_flag("--fits", options.fits,
                   "Exit with 1 where a program does not fit into the target's memory, or that cannot be judged");
  command.add_flag("--fail-unparsed", options.fail_unparsed, "Exit with 1 where a line is not understood");
  command
      .add_option("--html", options.html,
                  "Write a page with tables, maps and drawings to this file; - is standard output")
      ->type_name("FILE");
  command
      .add_option("--trace", options.trace,
                  "Write what is in memory at each step of the schedule to this file, as a trace that perfetto opens; "
                  "- is standard output")
      ->type_name("FILE");
  command.add_flag("--diff", options.diff, "Compare two dumps of one program: scan --diff OLD NEW");
  command.add_option("--max-growth", options.max_growth, "A budget for --diff: 5% or 1.05x of each total")
      ->type_name("LIMIT");
  command.footer(
      "Exit codes: 0 done, 1 a budget is broken or the data is wrong, 2 the command line is wrong, 3 no program "
      "found.\n"
      "Example:\n  xlashape scan dump/ --max-moved 100MiB --html page.html");
}

}  // namespace xlashape::cli
