// `xlashape backends`: the backends that execute relayouts on this machine.
#pragma once
#include <string>
#include <vector>

#include "cli/output/terminal.h"

namespace xlashape::cli {

struct BackendsOptions {
  std::vector<std::string> load;
  bool report = false;
};

// What --version prints: the versions, and which backends are there, as speed depends on them.
std::string version_text();

int run_backends(const BackendsOptions& options, const Common& common);

}  // namespace xlashape::cli
