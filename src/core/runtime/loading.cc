// SPDX-License-Identifier: Apache-2.0
#include "runtime/loading.h"

#include "base/cat.h"
#include "platform/process.h"
#include "runtime/backend_list.h"

namespace xlashape::core {
namespace {

void log(const Runtime& runtime, int32_t level, const Backend& backend, const std::string& text) {
  runtime.hooks.log(level, backend.calls.source(), cat({"backend ", backend.name, ": ", text}));
}

// Ends the LOADING state of a backend that this thread set, also when an exception passes.
class Loading {
 public:
  // *is_repeated: whether it fails for the same lack as the last time.
  Loading(Runtime& runtime, Backend& backend, bool* is_repeated)
      : runtime_(runtime), backend_(backend), is_repeated(*is_repeated) {}
  ~Loading() {
    {
      const std::lock_guard guard(runtime_.lock);
      is_repeated = state == XLASHAPE_BACKEND_STATE_NOT_LOADED && backend_.detail == detail;
      backend_.detail.swap(detail);
      backend_.profile_refusal.swap(profile_refusal);
      backend_.status = status;
      backend_.state.store(state, std::memory_order_release);
      if (state == XLASHAPE_BACKEND_STATE_READY && backend_.origin != Origin::kBuiltIn) shadow_others();
      if (state == XLASHAPE_BACKEND_STATE_FAILED) use_next(runtime_, backend_.name);
    }
    runtime_.changed.notify_all();
  }
  Loading(const Loading&) = delete;

  Status run(Error* err) {
    std::string profile;
    {
      const std::lock_guard guard(runtime_.lock);
      if (const char* const lines = runtime_.profile.profile.find(backend_.name)) profile = lines;
    }
    status = load(backend_, runtime_.hooks, profile, &detail, &profile_refusal, err);
    if (status != XLASHAPE_STATUS_NO_MEMORY)
      state = status == XLASHAPE_STATUS_OK ? XLASHAPE_BACKEND_STATE_READY : XLASHAPE_BACKEND_STATE_FAILED;
    return status;
  }

 private:
  // Only a ready backend takes others of its name out of use.
  void shadow_others() {
    for (int32_t i = 0; i < count_of(runtime_); ++i) {
      Backend& other = at(runtime_, i);
      if (&other == &backend_ || other.name != backend_.name || other.shadowed) continue;
      if (other.origin == Origin::kBuiltIn || other.state == XLASHAPE_BACKEND_STATE_NOT_LOADED) other.shadowed = true;
    }
  }

  Runtime& runtime_;
  Backend& backend_;
  bool& is_repeated;
  std::string detail, profile_refusal;
  Status status = XLASHAPE_STATUS_NO_MEMORY;
  // The state for lack of memory or descriptors: a later operation tries again. A backend that the program added fails
  // instead.
  int32_t state = backend_.origin == Origin::kAdded ? XLASHAPE_BACKEND_STATE_FAILED : XLASHAPE_BACKEND_STATE_NOT_LOADED;
};

// The backend itself or one of its name that may take its place, if it is being loaded. The lock is held.
const Backend* loading_backend(const Runtime& runtime, const Backend& backend) {
  if (backend.state == XLASHAPE_BACKEND_STATE_LOADING) return &backend;
  for (int32_t i = 0; i < count_of(runtime) && backend.origin != Origin::kBuiltIn; ++i) {
    const Backend& b = at(runtime, i);
    if (b.name == backend.name && b.state == XLASHAPE_BACKEND_STATE_LOADING) return &b;
  }
  return nullptr;
}

}  // namespace

Status load_and_log(Runtime& runtime, Backend& backend, Error* err) {
  bool is_repeated = false;
  const Status status = Loading(runtime, backend, &is_repeated).run(err);
  if (is_repeated) return status;
  guarded(nullptr, [&] {
    const bool ready = status == XLASHAPE_STATUS_OK;
    const bool is_lacking = backend.state == XLASHAPE_BACKEND_STATE_NOT_LOADED;
    std::string line = cat({ready ? "ready, " : "not in use, ", location_of(backend), ": "}), refusal;
    {
      const std::lock_guard guard(runtime.lock);
      line += backend.detail;
      refusal = backend.profile_refusal;
    }
    if (is_lacking) line += "; later plans try again";
    log(runtime, ready ? XLASHAPE_LOG_INFO : XLASHAPE_LOG_WARNING, backend, line);
    if (ready && !refusal.empty())
      log(runtime, XLASHAPE_LOG_WARNING, backend, cat({"it does not use the profile: ", refusal}));
    return XLASHAPE_STATUS_OK;
  });
  return status;
}

bool begin_loading(Runtime& runtime, Backend& backend, std::unique_lock<std::mutex>& guard) {
  for (;;) {
    const int32_t state = backend.state;
    if (backend.shadowed || state == XLASHAPE_BACKEND_STATE_READY || state == XLASHAPE_BACKEND_STATE_FAILED)
      return false;
    const Backend* const other = loading_backend(runtime, backend);
    if (other == nullptr) break;
    // A hook calls the library while its thread is loading, or this is a child that was forked meanwhile.
    if (other->loader == std::this_thread::get_id() || other->loader_process != process_id()) return false;
    runtime.changed.wait(guard);
  }
  backend.loader = std::this_thread::get_id();
  backend.loader_process = process_id();
  backend.state.store(XLASHAPE_BACKEND_STATE_LOADING, std::memory_order_release);
  return true;
}

Status settle(Runtime& runtime, Backend& backend) {
  std::unique_lock guard(runtime.lock);
  if (!begin_loading(runtime, backend, guard)) return XLASHAPE_STATUS_OK;
  guard.unlock();
  return load_and_log(runtime, backend, nullptr);
}

bool is_settled(const Backend& backend) {
  const int32_t state = backend.state.load(std::memory_order_acquire);
  return state == XLASHAPE_BACKEND_STATE_READY || state == XLASHAPE_BACKEND_STATE_FAILED || backend.shadowed;
}

}  // namespace xlashape::core
