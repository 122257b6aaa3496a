// SPDX-License-Identifier: Apache-2.0
#include "execution.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>

#include "torch_shim.h"

namespace xlashape_torch {
namespace {

// Below this many bytes PyTorch is not asked for its threads: waking one takes as long as moving them.
constexpr int64_t kSmall = 1 << 16;

uint32_t threads_for(int64_t bytes) {
  if (bytes < kSmall || !has_threads()) return 1;
  uint32_t threads = 1;
  if (torch_get_num_threads(&threads) != 0) return 1;
  return std::max<uint32_t>(threads, 1);
}

// The tasks of one execution. Each worker takes the next one until there are none left.
struct Tasks {
  std::atomic<int64_t> next{0};
  std::atomic<int64_t> done{0};
  int64_t count;
  void* task_opaque;
  xlashape_task_fn task;
};

void run_workers(int64_t begin, int64_t end, void* opaque) {
  auto* tasks = static_cast<Tasks*>(opaque);
  for (int64_t worker = begin; worker < end; ++worker) {
    for (int64_t i; (i = tasks->next.fetch_add(1)) < tasks->count;) {
      tasks->task(tasks->task_opaque, i, static_cast<uint32_t>(worker));
      tasks->done.fetch_add(1);
    }
  }
}

// xlashape's executor: at::parallel_for. Within another parallel region PyTorch runs everything on the calling thread.
int32_t parallel_for(void* opaque, int64_t count, void* task_opaque, xlashape_task_fn task) {
  const auto workers = static_cast<int64_t>(*static_cast<const uint32_t*>(opaque));
  Tasks tasks;
  tasks.count = count;
  tasks.task_opaque = task_opaque;
  tasks.task = task;
  const AOTITorchError error = torch_parallel_for(0, std::min(workers, count), 1, run_workers, &tasks);
  return error == 0 && tasks.done.load() == count ? 0 : 1;
}

void must(const xlashape::Result<void>& done) {
  if (!done) throw std::runtime_error("xlashape::relayout: " + std::string(done.error().message()));
}

// Fills the bits above each number with its sign.
void extend_signs(signed char* numbers, int64_t count, int32_t bits) {
  for (int64_t i = 0; i < count; ++i)
    numbers[i] =
        static_cast<signed char>(static_cast<signed char>(static_cast<unsigned char>(numbers[i]) << bits) >> bits);
}

struct Signs {
  signed char* numbers;
  int32_t bits;
};

void extend_share(int64_t begin, int64_t end, void* opaque) {
  const auto* signs = static_cast<const Signs*>(opaque);
  extend_signs(signs->numbers + begin, end - begin, signs->bits);
}

void extend_result(const Form& form, void* dst, uint32_t threads) {
  if (form.sign_bits == 0) return;
  Signs signs = {static_cast<signed char*>(dst), form.sign_bits};
  if (threads == 1) return extend_share(0, form.result_bytes, &signs);
  check(torch_parallel_for(0, form.result_bytes, kSmall, extend_share, &signs), "extend signs");
}

// A share of a batch for each of PyTorch's threads; the first failure is kept.
struct Batch {
  const Form& form;
  const char* src;
  int64_t src_step;
  char* dst;
  std::mutex mutex;
  xlashape::Result<void> done;
};

void run_share(int64_t begin, int64_t end, void* opaque) {
  auto& batch = *static_cast<Batch*>(opaque);
  const int64_t bytes = batch.form.result_bytes;
  for (int64_t i = begin; i < end; ++i) {
    char* const dst = batch.dst + i * bytes;
    if (const auto done = batch.form.plan.try_execute_at(batch.src + i * batch.src_step, dst); !done) {
      const std::lock_guard<std::mutex> lock(batch.mutex);
      if (batch.done) batch.done = done;
      return;
    }
    if (batch.form.sign_bits != 0) extend_signs(reinterpret_cast<signed char*>(dst), bytes, batch.form.sign_bits);
  }
}

}  // namespace

void execute(const Form& form, const void* src, void* dst) {
  if (!form.plan) return;
  uint32_t threads = threads_for(form.result_bytes);
  if (threads == 1) {
    must(form.plan.try_execute_at(src, dst));
  } else {
    const xlashape_executor executor = {sizeof executor, threads, &threads, parallel_for, nullptr};
    xlashape_execute_options options = {};
    options.src = reinterpret_cast<uintptr_t>(src);
    options.src_bytes = XLASHAPE_UNCHECKED;
    options.dst = reinterpret_cast<uintptr_t>(dst);
    options.dst_bytes = form.result_bytes;
    options.executor = &executor;
    must(form.plan.try_execute_with(options));
  }
  extend_result(form, dst, threads);
}

void execute_batch(const Form& form, int64_t count, const void* src, int64_t src_step, void* dst) {
  if (!form.plan || count == 0) return;
  Batch batch = {form, static_cast<const char*>(src), src_step, static_cast<char*>(dst), {}, {}};
  const int64_t threads = threads_for(form.result_bytes > kSmall / count ? kSmall : 0);
  if (threads > 1 && count >= threads) {
    const int64_t grain = std::max<int64_t>(1, kSmall / form.result_bytes);
    check(torch_parallel_for(0, count, grain, run_share, &batch), "run a batch");
  } else if (threads > 1) {
    for (int64_t i = 0; i < count; ++i) execute(form, batch.src + i * src_step, batch.dst + i * form.result_bytes);
  } else {
    run_share(0, count, &batch);
  }
  must(batch.done);
}

}  // namespace xlashape_torch
