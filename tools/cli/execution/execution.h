/* SPDX-License-Identifier: Apache-2.0 */
// Executes relayouts for the command: runtimes, plans, the command's threads, a progress bar, times.
#pragma once
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>
#include <xlashape/plan.hpp>

#include "cli/files/array_file.h"

namespace xlashape::cli {

// Calls work(0) here and work(1), ... on other threads, `count` calls in all, or fewer where the system starts fewer
// threads. Returns the number of calls. Only work(0) may throw.
template <class Work>
int on_threads(int count, const Work& work) {
  struct JoiningThreads {
    ~JoiningThreads() {
      for (std::thread& thread : threads) thread.join();
    }
    std::vector<std::thread> threads;
  } others;
  others.threads.reserve(static_cast<size_t>(count));
  try {
    for (int i = 1; i < count; ++i) others.threads.emplace_back([&work, i] { work(i); });
  } catch (const std::system_error&) {  // no more threads
  } catch (const std::bad_alloc&) {     // no memory for one
  }
  work(0);
  return static_cast<int>(others.threads.size()) + 1;
}

// A runtime with the objects at `paths` loaded as backends, and a pool of so many threads; 0: as the environment says.
// `flags` are XLASHAPE_RUNTIME_*.
Runtime make_runtime(const std::vector<std::string>& paths, int threads = 1, uint32_t flags = 0);

// A requested relayout.
struct Request : PlanOptions {
  Shape src, dst;
};
Result<Plan> try_plan(const Runtime& runtime, const Request& request);
inline Plan make_plan(const Runtime& runtime, const Request& request) { return try_plan(runtime, request).value(); }

// Runs the plan once, in enough tasks for `threads` threads and the progress bar. Returns how many threads the system
// started: `threads`, or fewer.
int execute(const Plan& plan, const uint8_t* src, int64_t src_bytes, uint8_t* dst, int64_t dst_bytes, int threads);

struct Timing {
  double seconds = 0;       // the best of a few rounds, or of one where it takes long
  double copy_seconds = 0;  // a plain copy of `copy_bytes` bytes, likewise
  int64_t copy_bytes = 0;
  int threads = 1;  // that the system started
};
// The same, timed, and compared with a plain copy of as many of the source's bytes as fit. Bytes of `dst` that the plan
// does not write keep their values, so they are restored after the copies.
Timing execute_timed(const Plan& plan, Bytes src, std::span<uint8_t> dst, int threads);

}  // namespace xlashape::cli
