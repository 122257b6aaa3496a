// SPDX-License-Identifier: Apache-2.0
#include "execution_mode.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "cli/execution/execution.h"
#include "stage.h"
#include "xlashape_runtime.h"

namespace xlashape::cli {
namespace {

Integers task_order(const ExecutionMode& mode, int64_t count) {
  Random random(mode.order);
  return shuffled(random, count);
}

// An executor like a host program's: its threads take tasks from the end.
int32_t parallel_for(void* opaque, int64_t count, void* task_opaque, xlashape_task_fn task) {
  std::atomic<int64_t> left{count};
  on_threads(*static_cast<int*>(opaque), [&](int worker) {
    for (int64_t i; (i = --left) >= 0;) task(task_opaque, i, static_cast<uint32_t>(worker));
  });
  return 0;
}

int64_t random_offset(Random& random, int64_t alignment) {
  if (random.chance(25)) return 0;
  const int64_t limit = random.chance(70) ? 4096 : int64_t{1} << 34;
  return (1 + random.below(std::max<int64_t>(limit / alignment, 1))) * alignment;
}

}  // namespace

ExecutionMode random_mode(Random& random, const xlashape_plan_requirements& needs) {
  ExecutionMode mode;
  mode.kind = static_cast<ExecutionMode::ModeKind>(random.below(5));
  mode.order = random.next();
  mode.threads = static_cast<int>(2 + random.below(3));
  static constexpr int64_t kHuge[] = {1000, int64_t{1} << 20, (int64_t{1} << 31) + 1, (int64_t{1} << 32) + 7,
                                      int64_t{1} << 40};
  mode.tasks = mode.kind == ExecutionMode::kRanges ? random.any(kHuge) : 1 + random.below(random.chance(70) ? 16 : 64);
  mode.src_offset = random_offset(random, needs.src_alignment);
  mode.dst_offset = random_offset(random, needs.dst_alignment);
  mode.sized = random.chance(50) && needs.src_low + mode.src_offset >= 0 && needs.dst_low + mode.dst_offset >= 0;
  return mode;
}

std::string mode_text(const ExecutionMode& mode) {
  std::string text;
  switch (mode.kind) {
    case ExecutionMode::kWhole:
      text = "in one go";
      break;
    case ExecutionMode::kTasks:
      text = fmt::format("in {} tasks", mode.tasks);
      break;
    case ExecutionMode::kRanges:
      text = fmt::format("in ranges of {} tasks", mode.tasks);
      break;
    case ExecutionMode::kThreads:
      text = fmt::format("in {} tasks on {} threads", mode.tasks, mode.threads);
      break;
    default:
      text = fmt::format("on an executor of {} threads", mode.threads);
  }
  if (mode.src_offset != 0) text += fmt::format(", src_byte_offset {}", mode.src_offset);
  if (mode.dst_offset != 0) text += fmt::format(", dst_byte_offset {}", mode.dst_offset);
  return text;
}

namespace {

Result<void> try_part(const Plan& plan, xlashape_execute_options options, int64_t begin, int64_t end, int64_t count) {
  options.task_begin = begin;
  options.task_end = end;
  options.task_count = count;
  return plan.try_execute_with(options);
}

// Threads of this process take tasks until there are none; the first error is thrown here.
template <class RunTask>
void run_on_threads(const ExecutionMode& mode, const RunTask& run) {
  const Integers order = task_order(mode, mode.tasks);
  std::atomic<int64_t> next{0};
  std::mutex mutex;
  std::optional<Error> first;
  on_threads(mode.threads, [&](int) {
    for (int64_t i; (i = next++) < mode.tasks;) {
      const Result<void> result = run(order[static_cast<size_t>(i)]);
      if (result) continue;
      const std::lock_guard guard(mutex);
      if (!first) first = result.error();
    }
  });
  if (first) throw Exception(*first);
}

void run_mode(const Plan& plan, const xlashape_plan_requirements& needs, const ExecutionMode& mode, const uint8_t* src,
              uint8_t* dst) {
  xlashape_execute_options options = {};
  options.src = reinterpret_cast<uintptr_t>(src) - static_cast<uint64_t>(mode.src_offset);
  options.dst = reinterpret_cast<uintptr_t>(dst) - static_cast<uint64_t>(mode.dst_offset);
  options.src_byte_offset = mode.src_offset;
  options.dst_byte_offset = mode.dst_offset;
  options.src_bytes = mode.sized ? mode.src_offset + std::max<int64_t>(needs.src_high, 0) : XLASHAPE_UNCHECKED;
  options.dst_bytes = mode.sized ? mode.dst_offset + std::max<int64_t>(needs.dst_high, 0) : XLASHAPE_UNCHECKED;
  const auto run = [&](int64_t begin, int64_t end) { return try_part(plan, options, begin, end, mode.tasks); };
  switch (mode.kind) {
    case ExecutionMode::kWhole:
      return try_part(plan, options, 0, 1, 1).value();
    case ExecutionMode::kTasks:
      for (const int64_t task : task_order(mode, mode.tasks)) run(task, task + 1).value();
      return;
    case ExecutionMode::kRanges: {
      Random random(mode.order);
      Integers cuts = {0, mode.tasks};
      for (int i = 0; i < 4; ++i) cuts.push_back(random.below(mode.tasks));
      std::sort(cuts.begin(), cuts.end());
      for (const int64_t i : task_order(mode, static_cast<int64_t>(cuts.size()) - 1))
        run(cuts[static_cast<size_t>(i)], cuts[static_cast<size_t>(i) + 1]).value();
      return;
    }
    case ExecutionMode::kThreads:
      return run_on_threads(mode, [&](int64_t task) { return run(task, task + 1); });
    default: {
      int threads = mode.threads;
      auto executor = XLASHAPE_INIT(xlashape_executor);
      executor.max_workers = static_cast<uint32_t>(threads);
      executor.opaque = &threads;
      executor.parallel_for = parallel_for;
      options.executor = &executor;
      try_part(plan, options, 0, 0, 0).value();  // it decides how many tasks there are
    }
  }
}

}  // namespace

void execute(const Plan& plan, const xlashape_plan_requirements& needs, const ExecutionMode& mode, const uint8_t* src,
             uint8_t* dst) {
  doing_now(mode_text(mode));
  run_mode(plan, needs, mode, src, dst);
  doing_now("");
}

void execute_tasks(const Plan& plan, const uint8_t* src, uint8_t* dst, int64_t begin, int64_t end, int64_t count) {
  xlashape_execute_options options = {};
  options.src = reinterpret_cast<uintptr_t>(src);
  options.dst = reinterpret_cast<uintptr_t>(dst);
  options.src_bytes = options.dst_bytes = XLASHAPE_UNCHECKED;
  try_part(plan, options, begin, end, count).value();
}

}  // namespace xlashape::cli
