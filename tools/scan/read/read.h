/* SPDX-License-Identifier: Apache-2.0 */
// Dumps: which files belong to one module, which of them tell most, and reading them, whatever their format is.
#pragma once
#include <string>
#include <vector>

#include "scan/program/memory_report.h"
#include "scan/program/module.h"

namespace xlashape::cli {

class Progress;

struct DumpFile {
  std::string program;  // the file to read
  // What lies beside it about buffers; empty where it is not there.
  std::string assignment, live_range;
};

// A file, "-", or each module of a folder, in the order of their names: of each module's files the one that XLA wrote
// last and that has a buffer assignment. A Failure where a folder has none.
std::vector<DumpFile> dump_files(const std::string& path);

// Calls `use` with each module in the file, and then `use_report` with each report that memory did not suffice. A
// Failure with the exit code kUnsupported where it holds neither.
void read_dump(const DumpFile& file, Progress* progress, const OnModule& use,
               const OnMemoryReport& use_report = nullptr);

}  // namespace xlashape::cli
