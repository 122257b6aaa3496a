/* SPDX-License-Identifier: Apache-2.0 */
// Whether a program fits into the memory that the target's compiler has for programs.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include <xlashape/target.hpp>

#include "costs.h"
#include "memory.h"
#include "scan/program/module.h"

namespace xlashape::cli {

struct Capacity {
  std::string_view target, space;
  int64_t number = 0;  // of the memory space
  // What programs can have: `most` where both cores of a chip compute as one, which the target's name does not say.
  int64_t least = 0, most = 0;
};
// The targets that have as much HBM, rounded as the compiler prints it; empty where none has.
std::vector<std::string_view> targets_with(int64_t bytes, int64_t rounding);

struct Fit {
  Capacity capacity;
  int64_t needed = 0;
  bool exact = false;        // `needed` is from a buffer assignment or the compiler; else it is the least
  std::optional<bool> fits;  // none: it cannot be judged, and `why` says why
  std::string why;
};
// HBM first, then the others that a buffer assignment has; empty where nothing is known about the target.
// `uses` are those of the module's assignment, all of them.
std::vector<Fit> fits_of(const Module& module, const Costs& costs, const std::vector<SpaceUse>& uses,
                         std::optional<Target> target);

// Judges again with what the compiler says of all that the program needs of HBM, its code included.
void judge_as_compiled(std::vector<Fit>* fits, int64_t needed);

}  // namespace xlashape::cli
