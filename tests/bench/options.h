/* SPDX-License-Identifier: Apache-2.0 */
// What the command line says.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bench {

struct Options {
  std::vector<std::string> cases, peer_libraries;
  std::string json, backend, plugin, only;
  int threads = 1;
  double seconds = 0;  // a case; 0: seven rounds, five where they take long
  double measure = 0;  // seconds for a measured plan of each case; 0: none
  int64_t random = 0;  // so many random cases instead of those of the files
  std::optional<uint64_t> seed;  // of these; set where there are any
  bool peers = false;
  bool relayouts = true, index = true, small = true;
};

// Nothing when the line is wrong or asks for help; `status` is then the exit code.
std::optional<Options> parse_options(int argc, char** argv, int* status);

}  // namespace bench
