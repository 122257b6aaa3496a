// Carries out relayouts for the command: runtimes, plans, threads of the command's own, a progress bar, times.
#pragma once
#include <string>
#include <vector>
#include <xlashape/plan.hpp>

#include "cli/files/array_file.h"

namespace xlashape::cli {

// A runtime with the objects at `paths` loaded as backends.
Runtime make_runtime(const std::vector<std::string>& paths);

// A relayout that is asked for.
struct Request : PlanOptions {
  Shape src, dst;
};
Result<Plan> try_plan(const Runtime& runtime, const Request& request);
inline Plan make_plan(const Runtime& runtime, const Request& request) { return try_plan(runtime, request).value(); }

// Runs the plan once, in as many tasks as give `threads` threads and the bar something to do. How many threads the system
// gave it: `threads`, or fewer.
int execute(const Plan& plan, const uint8_t* src, int64_t src_bytes, uint8_t* dst, int64_t dst_bytes, int threads);

struct Timing {
  double seconds = 0;       // the best of a few rounds, or of one where it takes long
  double copy_seconds = 0;  // a plain copy of `copy_bytes` bytes, likewise
  int64_t copy_bytes = 0;
  int threads = 1;  // that the system gave
};
// The same, timed, beside a plain copy of as many of the source's bytes as fit. `dst` keeps only the result: what it
// holds before must survive where the plan does not write, so it is put back after the copies.
Timing execute_timed(const Plan& plan, Bytes src, std::span<uint8_t> dst, int threads);

}  // namespace xlashape::cli
