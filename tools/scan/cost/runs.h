/* SPDX-License-Identifier: Apache-2.0 */
// How often each computation of a program runs, as far as the dump says it.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "scan/program/program.h"

namespace xlashape::cli {

struct Runs {
  bool live =
      false;  // its values are in memory: it is the entry, or is called by one that is live; not so within fusions
  bool async = false;  // called by async-start or call-start: its result is that of the -done
  bool known = true;   // false: `times` counts each iteration of some loop as one
  int64_t times = 0;
};

// By computation. Bodies of fusions and the scalar code of reductions are not live;
// conditionals count each branch once.
std::vector<Runs> runs_of(const Program& program);

// How often the body of a while runs: what the dump says, or from the loop's start, step and end where all three are
// constants.
std::optional<int64_t> trip_count(const Program& program, const Instruction& loop);

}  // namespace xlashape::cli
