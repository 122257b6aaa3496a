// SPDX-License-Identifier: Apache-2.0
#include "runtime/calibrate.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include "base/cat.h"
#include "runtime/gate.h"
#include "runtime/manifest.h"
#include "runtime/measured_text.h"
#include "runtime/registry.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

constexpr int64_t kDefaultBudget = 10'000'000'000;
constexpr int64_t kSteps = 1000;  // of each backend's progress

// An executor without workers, for backends that need not know that there is none.
int32_t run_serially(void*, int64_t count, void* opaque, xlashape_task_fn task) {
  for (int64_t i = 0; i < count; ++i) task(opaque, i, 0);
  return 0;
}

// What the program's executor throws must not go through the backend.
int32_t run_spread(void* executor, int64_t count, void* opaque, xlashape_task_fn task) {
  try {
    return spread(*static_cast<const xlashape_executor*>(executor), count, opaque, task) == Spread::kWhole ? 0 : 1;
  } catch (const std::bad_alloc&) {
    return 1;
  }
}

// One backend's progress as a part of the whole.
struct Share {
  xlashape_progress_fn progress;
  void* opaque;
  int64_t before, all;
  int64_t last = 0;
  std::exception_ptr thrown = nullptr;  // by `progress`; it must not go through the backend

  void show(int64_t step) {
    last = std::clamp(step, last, kSteps);
    if (progress != nullptr) progress(opaque, before + last, all);
  }
  static void XLASHAPE_CALL call(void* self, int64_t done, int64_t count) {
    if (count <= 0 || done < 0) return;
    const double part = std::min(static_cast<double>(done) / static_cast<double>(count), 1.0);
    Share& share = *static_cast<Share*>(self);
    if (share.thrown != nullptr) return;
    try {
      share.show(static_cast<int64_t>(part * kSteps));
#ifdef __GLIBCXX__
    } catch (const abi::__forced_unwind&) {  // the end of this thread
      throw;
#endif
    } catch (...) {
      share.thrown = std::current_exception();
    }
  }
};

bool measures(const Backend& backend) {
  return backend.current_state() == XLASHAPE_BACKEND_STATE_READY && !backend.shadowed &&
         backend.calls.table().calibrate != nullptr && is_backend_name(backend.name);
}

}  // namespace

Status calibrate(Runtime& runtime, const xlashape_calibrate_options& options, std::string* profile, Error* err) {
  if (options.budget_ns < 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "options.budget_ns is %lld, it must not be negative",
                ll(options.budget_ns));
  load_backends(runtime, {}, true);
  std::vector<const Backend*> backends;
  for (int32_t i = 0; i < runtime.backend_count; ++i)
    if (const Backend* const backend = runtime.backends[i].load(); measures(*backend)) backends.push_back(backend);
  if (backends.empty())
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "no backend measures the machine: see the runtime's report");
  const auto count = static_cast<int64_t>(backends.size());
  xlashape_executor hook = runtime.hooks.executor;
  const bool is_serial = hook.parallel_for == nullptr;
  const xlashape_executor executor = {sizeof executor, hook.max_workers, &hook, is_serial ? run_serially : run_spread,
                                      nullptr};
  std::string text = measured_head("profile", runtime.profile.processor);
  for (int64_t i = 0; i < count; ++i) {
    const Backend& backend = *backends[static_cast<size_t>(i)];
    Share share{options.progress, options.progress_opaque, i * kSteps, count * kSteps};
    share.show(0);
    xlashape_calibration how{};
    how.struct_size = sizeof how;
    how.budget_ns = std::max<int64_t>((options.budget_ns != 0 ? options.budget_ns : kDefaultBudget) / count, 1);
    how.executor = &executor;
    if (options.progress != nullptr) how.progress = Share::call, how.progress_opaque = &share;
    how.cancel = options.cancel;
    std::string lines;
    const Status status = backend.calls.calibrate(how, &lines, err);
    if (share.thrown != nullptr) std::rethrow_exception(share.thrown);
    XLASHAPE_TRY(status);
    share.show(kSteps);
    text += cat({"[", backend.name, "]\n", lines});
  }
  if (text.size() >= Profile::kMostBytes)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "the profile of %lld backends has %zu bytes, more than fit",
                ll(count), text.size());
  *profile = std::move(text);
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
