/* SPDX-License-Identifier: Apache-2.0 */
// How much of each memory space is in use at each step of the schedule, from a buffer assignment.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "scan/program/assignment.h"

namespace xlashape::cli {

struct SpaceUse {
  int64_t space = 0;
  int64_t allocated = 0;  // the sizes of its allocations; without those of one instruction's own scalar code
  int64_t temporary = 0;  // of these, those of temporary values
  int64_t peak = 0;       // the most bytes in use at one step; `allocated` where the times are not known
  int64_t peak_step = -1;
  // The values in use at the peak, largest first; of Assignment::values. For an argument, a constant or a result one
  // value of its allocation, whether it is made already or not.
  std::vector<uint32_t> members;
  std::vector<std::pair<int64_t, int64_t>> timeline;  // (step, bytes in use from there on); empty without times
};

// By space. Arguments, results and constants are in use all the time; a temporary value from where it is made to its
// last use. Bytes that several values share count once.
std::vector<SpaceUse> space_uses(const Assignment& assignment);

}  // namespace xlashape::cli
