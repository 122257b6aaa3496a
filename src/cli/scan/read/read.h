// Reads a dump, whatever its format is.
#pragma once
#include "cli/scan/program/module.h"
#include "dump.h"

namespace xlashape::cli {

class Progress;

// Calls `use` with each module in the file. A Failure with the exit code kUnsupported where it holds none.
void read_dump(const DumpFile& file, Progress* progress, const OnModule& use);

}  // namespace xlashape::cli
