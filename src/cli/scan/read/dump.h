// The files of a dump: which belong to one module, and which of them tell most.
#pragma once
#include <string>
#include <vector>

namespace xlashape::cli {

struct DumpFile {
  std::string program;  // the file to read
  // What lies beside it about buffers; empty where it is not there.
  std::string assignment, live_range;
};

// A file, "-", or each module of a folder, in the order of their names: of each module's files the one that XLA wrote last
// and that has a buffer assignment. A Failure where a folder has none.
std::vector<DumpFile> dump_files(const std::string& path);

}  // namespace xlashape::cli
