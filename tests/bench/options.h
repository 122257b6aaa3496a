// What the command line says.
#pragma once
#include <optional>
#include <string>

namespace bench {

struct Options {
  std::string cases, json, backend, plugin, only;
  int threads = 1;
  double seconds = 0;  // a case; 0: seven rounds, five where they take long
  bool peers = false;
  bool relayouts = true, index = true, small = true;
};

// Nothing when the line is wrong or asks for help; `status` is then the exit code.
std::optional<Options> parse_options(int argc, char** argv, int* status);

}  // namespace bench
