// `xlashape self-test --plugin`: checks a shared object for everything that xlashape_backend.h requires of a backend,
// in a child process, so that a fault ends only the child.
#pragma once
#include <cstdint>
#include <string>

#include "cli/output/terminal.h"

namespace xlashape::cli {

struct Conformance {
  std::string plugin;  // a shared object or a manifest
  int64_t count = 1000;
  uint64_t seed = 1;
  int64_t seconds = 300;  // after which the child is killed
};

// Prints the report and returns the exit code.
int test_plugin(const Conformance& options, const Common& common);

}  // namespace xlashape::cli
