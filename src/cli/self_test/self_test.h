// `xlashape self-test`: compares random relayouts with the index maps, element by element.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cli/output/terminal.h"

namespace xlashape::cli {

struct SelfTestOptions {
  std::string backend;
  std::vector<std::string> load;
  int64_t count = 1000, first = 0;
  uint64_t seed = 1;
  std::string plugin;  // to be checked by the conformance kit instead
  int64_t seconds = 300;
};

int run_self_test(const SelfTestOptions& options, const Common& common);

}  // namespace xlashape::cli
