/* SPDX-License-Identifier: Apache-2.0 */
// The ways to execute a plan: in one call, in any number of tasks in any order, in ranges of a huge number of tasks, on
// threads, on an executor, with byte offsets.
#pragma once
#include "random_case.h"

namespace xlashape::cli {

struct ExecutionMode {
  enum ModeKind : int { kWhole, kTasks, kRanges, kThreads, kExecutor };
  ModeKind kind = kWhole;
  int64_t tasks = 1;
  int threads = 1;
  int64_t src_offset = 0, dst_offset = 0;  // the given pointers are smaller by these
  bool sized = false;                      // gives byte sizes
  uint64_t order = 0;                      // of the tasks
};

// Byte offsets are multiples of the alignments that the plan requires.
ExecutionMode random_mode(Random& random, const xlashape_plan_requirements& needs);
std::string mode_text(const ExecutionMode& mode);

// `src` and `dst` point at position 0, before the offsets are subtracted.
void execute(const Plan& plan, const xlashape_plan_requirements& needs, const ExecutionMode& mode, const uint8_t* src,
             uint8_t* dst);

// Runs tasks [begin, end) of `count` in one call.
void execute_tasks(const Plan& plan, const uint8_t* src, uint8_t* dst, int64_t begin, int64_t end, int64_t count);

}  // namespace xlashape::cli
