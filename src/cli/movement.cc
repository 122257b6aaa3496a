#include "movement.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "terminal.h"
#include "threads.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kBytesPerTask = int64_t{32} << 20;
constexpr int64_t kMostTasks = 256;

// Calls `work` until the rounds have taken a moment, three times unless that takes long, at least once; the best round.
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

const int64_t* or_null(const Numbers& numbers) { return numbers.empty() ? nullptr : numbers.data(); }

}  // namespace

Runtime make_runtime(const std::vector<std::string>& paths) {
  Runtime runtime;
  xlashape_error err = new_error();
  check(xlashape_runtime_create(nullptr, runtime.out(), &err), err, "starting the runtime");
  for (const std::string& path : paths)
    check(xlashape_runtime_load_backend(runtime.get(), path.data(), path.size(), &err), err, "loading " + path);
  return runtime;
}

Plan make_plan(const Runtime& runtime, const Request& request) {
  xlashape_relayout_options options = {};
  options.struct_size = sizeof options;
  options.fill_policy = request.fill;
  options.backend = request.backend.empty() ? nullptr : request.backend.c_str();
  options.src_byte_strides = or_null(request.src_strides);
  options.dst_byte_strides = or_null(request.dst_strides);
  options.src_base = or_null(request.src_base);
  options.dst_base = or_null(request.dst_base);
  options.extent = or_null(request.extent);
  Plan plan;
  xlashape_error err = new_error();
  check(xlashape_plan_create(runtime.get(), request.src.get(), request.dst.get(), &options, plan.out(), &err), err);
  return plan;
}

int execute(const Plan& plan, const uint8_t* src, int64_t src_bytes, uint8_t* dst, int64_t dst_bytes, int threads) {
  xlashape_exec exec = {};
  exec.struct_size = sizeof exec;
  exec.src = reinterpret_cast<uintptr_t>(src);
  exec.dst = reinterpret_cast<uintptr_t>(dst);
  exec.src_byte_size = src_bytes;
  exec.dst_byte_size = dst_bytes;
  xlashape_error err = new_error();
  const int64_t pieces = std::clamp<int64_t>(std::max(src_bytes, dst_bytes) / kBytesPerTask, 1, kMostTasks);
  const int64_t workers = std::max<int64_t>(pieces, threads);
  const int64_t tasks = workers > 1 ? xlashape_plan_task_count(plan.get(), workers) : 1;
  if (tasks <= 1) {
    check(xlashape_plan_execute_ex(plan.get(), &exec, &err), err);
    return threads;
  }
  // Threads of the command's own draw tasks; the calling one also draws the bar.
  Progress progress("relayout");
  std::atomic<int64_t> next = 0, done = 0;
  std::atomic<xlashape_status> failed = XLASHAPE_STATUS_OK;
  std::mutex mutex;
  const auto draw = [&](int thread) {
    for (int64_t task; failed == XLASHAPE_STATUS_OK && (task = next++) < tasks;) {
      xlashape_exec one = exec;
      one.task_begin = task;
      one.task_end = task + 1;
      one.task_count = tasks;
      xlashape_error error = new_error();
      if (const xlashape_status status = xlashape_plan_execute_ex(plan.get(), &one, &error);
          status != XLASHAPE_STATUS_OK) {
        const std::lock_guard<std::mutex> lock(mutex);
        if (failed == XLASHAPE_STATUS_OK) err = error;
        failed = status;
      }
      ++done;
      if (thread == 0) progress.show(static_cast<double>(done) / static_cast<double>(tasks));
    }
  };
  const int asked = static_cast<int>(std::min<int64_t>(threads, tasks));
  const int started = on_threads(asked, draw);
  check(failed, err);
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
    std::memset(dst.data(), 1, dst.size());  // touched: neither the copy nor the relayout pays for new pages
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
