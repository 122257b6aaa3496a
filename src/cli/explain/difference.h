// Why XLA's number of bytes differs from the exact one, and where a layout contradicts itself.
#pragma once
#include <string>
#include <vector>

#include "facts.h"

namespace xlashape::cli {

struct Difference {
  bool split = false;                 // XLA's bytes are those of the largest part
  std::string why;                    // empty where the numbers are equal, or one is not known
  std::vector<std::string> warnings;  // of layouts that compilers and the index function read differently
};

Difference xla_difference(const Facts& facts);

}  // namespace xlashape::cli
