// SPDX-License-Identifier: Apache-2.0
#include "execution.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "cli/base/clock.h"
#include "cli/base/failure.h"
#include "cli/output/terminal.h"
#include "xlashape_runtime.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kBytesPerTask = int64_t{32} << 20;
constexpr int64_t kMostTasks = 256;

// Calls `work` for a short time, three times unless that takes long, at least once; returns the best time.
template <class Work>
double best_time(Work work) {
  double best = 1e300, spent = 0;
  for (int round = 0; round < 200 && (round == 0 || spent < (round < 3 ? 0.8 : 0.1)); ++round) {
    const double start = seconds_now();
    work();
    const double took = seconds_now() - start;
    best = std::min(best, took);
    spent += took;
  }
  return best;
}

}  // namespace

Runtime make_runtime(const std::vector<std::string>& paths, int threads, uint32_t flags) {
  RuntimeOptions options;
  options.flags = flags;
  options.threads = threads;
  Runtime runtime = as_failures([&] { return Runtime::create(options); }, "starting the runtime");
  for (const std::string& path : paths) as_failures([&] { runtime.load_backend(path); }, "loading " + path);
  return runtime;
}

Result<Plan> try_plan(const Runtime& runtime, const Request& request) {
  return Plan::try_create(request.src, request.dst, request, runtime);
}

int execute(const Plan& plan, const uint8_t* src, int64_t src_bytes, uint8_t* dst, int64_t dst_bytes, int threads) {
  xlashape_execute_options options = {};
  options.src = reinterpret_cast<uintptr_t>(src);
  options.dst = reinterpret_cast<uintptr_t>(dst);
  options.src_bytes = src_bytes;
  options.dst_bytes = dst_bytes;
  const int64_t pieces = std::clamp<int64_t>(std::max(src_bytes, dst_bytes) / kBytesPerTask, 1, kMostTasks);
  const int64_t workers = std::max<int64_t>(pieces, threads);
  const int64_t tasks = workers > 1 ? plan.task_count(workers) : 1;
  if (tasks <= 1) {
    plan.execute_with(options);
    return threads;
  }
  // The command's threads take tasks; the calling one also draws the progress bar.
  Progress progress("relayout");
  std::atomic<int64_t> next = 0, done = 0;
  std::atomic<bool> stopped = false;
  std::optional<Error> failed;  // the first
  std::mutex mutex;
  const auto draw = [&](int thread) {
    for (int64_t task; !stopped && (task = next++) < tasks;) {
      xlashape_execute_options one = options;
      one.task_begin = task;
      one.task_end = task + 1;
      one.task_count = tasks;
      if (const Result<void> result = plan.try_execute_with(one); !result) {
        const std::lock_guard<std::mutex> lock(mutex);
        if (!failed) failed = result.error();
        stopped = true;
      }
      ++done;
      if (thread == 0) progress.show(static_cast<double>(done) / static_cast<double>(tasks));
    }
  };
  const int asked = static_cast<int>(std::min<int64_t>(threads, tasks));
  const int started = on_threads(asked, draw);
  if (failed) throw Exception(*failed);
  return started < asked ? started : threads;
}

Timing execute_timed(const Plan& plan, Bytes src, std::span<uint8_t> dst, int threads) {
  Timing timing;
  const size_t copied = std::min(src.size(), dst.size());
  timing.copy_bytes = static_cast<int64_t>(copied);
  if (copied > 0) {
    Buffer kept;
    bool blank = std::all_of(dst.begin(), dst.end(), [](uint8_t byte) { return byte == 0; });
    if (!blank) {
      kept = Buffer(static_cast<int64_t>(dst.size()));
      std::memcpy(kept.data(), dst.data(), dst.size());
    }
    std::memset(dst.data(), 1, dst.size());  // all pages are mapped before copy and relayout are timed
    timing.copy_seconds = best_time([&] {
      std::memcpy(dst.data(), src.data(), copied);
      asm volatile("" : : "r"(dst.data()) : "memory");
    });
    if (blank) {
      std::memset(dst.data(), 0, dst.size());
    } else {
      std::memcpy(dst.data(), kept.data(), dst.size());
    }
  }
  timing.seconds = best_time([&] {
    timing.threads = execute(plan, src.data(), static_cast<int64_t>(src.size()), dst.data(),
                             static_cast<int64_t>(dst.size()), threads);
  });
  return timing;
}

}  // namespace xlashape::cli
