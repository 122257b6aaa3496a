/* SPDX-License-Identifier: Apache-2.0 */
// What could be saved, finding by finding: the order in which they are told, and which of them are too little to tell.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xlashape::cli {

struct Summary;

struct Stake {
  enum class Finding : uint8_t { kUndonated, kRewritten, kRelayouts, kWaste, kPeak };
  Finding finding = Finding::kWaste;
  int64_t space = 0;    // of kPeak
  int64_t bytes = 0;    // that could be saved at most; of kPeak temporary values, where it is S(0)
  bool little = false;  // less than 1 % of the program's memory
};

std::string_view name(Stake::Finding finding);  // "undonated", as the JSON has it

// The most bytes first.
std::vector<Stake> stakes_of(const Summary& summary);
// What is allocated, or where that is not known all arrays.
int64_t memory_of(const Summary& summary);
// Where to look first, and its largest row; empty where all is little.
std::string look_first(const Summary& summary);

}  // namespace xlashape::cli
