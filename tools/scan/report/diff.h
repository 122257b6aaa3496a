/* SPDX-License-Identifier: Apache-2.0 */
// Two dumps of one program, before and after a change: which layouts changed, and what that costs. Names of
// instructions change with each compilation, so instructions are matched by what the author wrote, the opcode and the
// dimensions.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/output/json.h"
#include "cli/output/terminal.h"
#include "summary.h"

namespace xlashape::cli {

// What one side keeps of a module.
struct DiffSide {
  struct DiffEntry {
    std::string op;  // "jit(f)/dot_general  fusion"
    std::string name, shape, source;
    int64_t bytes = 0;
  };
  Summary summary;
  std::map<std::string, std::vector<DiffEntry>>
      entries;  // by op_name without the function's name, opcode, element type and dimensions
};

DiffSide diff_side(Module* module, const Costs& costs, Summary summary);

struct Growth {
  std::string what;  // "arguments", "S(1) allocated", "moved"
  int64_t before = 0, after = 0;
};

struct LayoutChange {
  DiffSide::DiffEntry before, after;
};

struct ModuleDiff {
  std::string name;
  std::string why;  // a growth cannot be judged; empty where it can
  std::vector<Growth> growths;
  std::vector<LayoutChange> changed;             // the largest change of bytes first
  std::vector<DiffSide::DiffEntry> gone, added;  // the largest first
  int64_t matched = 0;
};

ModuleDiff diff_of(const DiffSide& before, const DiffSide& after);
// A module of each side by its name; the only ones of both whatever their names.
std::vector<std::pair<const DiffSide*, const DiffSide*>> pairs_of(const std::vector<DiffSide>& before,
                                                                  const std::vector<DiffSide>& after);

// "5%" or "1.05x" as a fraction, 0.05; a Failure where it is neither.
double growth_limit(const std::string& given);
// From less than this nothing grows in per cent, and less than this is no growth: some semaphores more.
inline constexpr int64_t kLittleGrowth = 4096;
bool exceeds(const Growth& growth, double limit);

// What is printed, for eyes and for machines.
void print_diff(const ModuleDiff& diff, size_t rows, std::optional<double> limit, const Common& common);
Json diff_json(const ModuleDiff& diff, size_t rows, std::optional<double> limit);

}  // namespace xlashape::cli
