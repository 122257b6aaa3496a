// `xlashape self-test --plugin`: everything that xlashape_backend.h asks of a backend, tried on a shared object in a child
// process, so that whatever it does only the child suffers.
#pragma once
#include <cstdint>
#include <string>

#include "cli/output/terminal.h"

namespace xlashape::cli {

struct Conformance {
  std::string plugin;  // a shared object or a manifest
  int64_t count = 1000;
  uint64_t seed = 1;
  int64_t seconds = 300;  // the child gets
};

// Prints the report and returns the exit code.
int test_plugin(const Conformance& options, const Common& common);

}  // namespace xlashape::cli
