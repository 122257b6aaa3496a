// SPDX-License-Identifier: Apache-2.0
#include "runtime/select.h"

#include <algorithm>
#include <chrono>

#include "base/cat.h"
#include "base/status.h"
#include "ir/compiler.h"
#include "runtime/registry.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

bool better(const Selection& a, const Selection& b) {
  if (b.backend == nullptr) return true;
  if (a.support.level != b.support.level) return a.support.level > b.support.level;
  if (a.backend->priority != b.backend->priority) return a.backend->priority > b.backend->priority;
  return a.backend->name < b.backend->name;
}

// Whether no answer makes it better than `best`, so that it need not be asked.
bool cannot_be_better(const Backend& backend, const Selection& best) {
  return best.backend != nullptr && best.support.level == XLASHAPE_SUPPORT_NATIVE &&
         best.backend->priority > backend.priority;
}

// Whether a backend threw an exception after it became ready, and is still in use.
bool has_thrown(const Runtime& runtime, int32_t count) {
  for (int32_t i = 0; i < count; ++i) {
    const Backend& backend = *runtime.backends[i].load(std::memory_order_acquire);
    if (backend.calls.thrown() != nullptr && !backend.retired.load(std::memory_order_acquire)) [[unlikely]]
      return true;
  }
  return false;
}

// The longest time for which backends are not looked for again after a shortage.
constexpr int64_t kRetryAfter = 1'000'000'000;

int64_t steady_ns() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Loads what this operation may need. One atomic read where that has been done.
void make_ready(Runtime& runtime, const xlashape_op& op, const SelectionRequest& request) {
  const uint32_t done = runtime.done.load(std::memory_order_acquire);
  const bool device = !is_on_host(op);
  const bool by_name = !request.name.empty() && !request.allow_fallback;
  // A backend for devices can be asked for by name, where all others for the host are loaded already.
  const bool host_loaded = (done & Runtime::kHostLoaded) != 0;
  if ((done & Runtime::kDeviceLoaded) != 0 || (host_loaded && !device && !by_name)) return;
  if (by_name && (done & Runtime::kSearched) != 0) {
    bool ready = false, absent = false;
    const int32_t count = runtime.backend_count.load(std::memory_order_acquire);
    for (int32_t i = 0; i < count; ++i) {
      const Backend& b = *runtime.backends[i].load(std::memory_order_acquire);
      if (b.name != request.name || b.shadowed.load(std::memory_order_acquire)) continue;
      const int32_t state = b.current_state();
      ready |= state == XLASHAPE_BACKEND_STATE_READY;
      absent |= state == XLASHAPE_BACKEND_STATE_NOT_LOADED || state == XLASHAPE_BACKEND_STATE_LOADING;
    }
    if (!absent && (ready || host_loaded)) return;
  }
  // Where descriptors or memory were short, the others do for now: later plans try again, after twice as long each
  // time.
  if (!device && !by_name) {
    const int64_t at = runtime.retry_at.load(std::memory_order_relaxed);
    if (at != 0 && steady_ns() < at) return;
  }
  const bool is_short = !load_backends(runtime, by_name ? request.name : std::string_view(), device);
  if (!is_short && by_name) return;
  const int64_t before = runtime.retry_after.load(std::memory_order_relaxed);
  const int64_t after = is_short ? std::clamp(2 * before, int64_t{1}, kRetryAfter) : 0;
  runtime.retry_after.store(after, std::memory_order_relaxed);
  runtime.retry_at.store(is_short ? steady_ns() + after : 0, std::memory_order_relaxed);
}

XLASHAPE_COLD Status explain(Runtime& runtime, const xlashape_op& op, const SelectionRequest& request, bool known,
                             Error* err) {
  const Status code = XLASHAPE_STATUS_NOT_FOUND;
  const char* kSee = "see the runtime's report";
  const Quoted name(request.name);
  // What was not searched for, or found and not loaded, may be there later.
  const auto lacking = [&] {
    return fail(err, XLASHAPE_STATUS_NO_MEMORY,
                "backend %s cannot be loaded now: descriptors or memory are short; later plans try again",
                name.c_str());
  };
  if (!known && (runtime.done.load(std::memory_order_acquire) & Runtime::kSearched) == 0) return lacking();
  if (!known) return fail(err, code, "no backend is named %s: %s", name.c_str(), kSee);
  if (request.name.empty())
    return fail(err, code, "no backend does this operation (memory spaces %d to %d): %s", op.src_space, op.dst_space,
                kSee);
  const Backend* ready = nullptr;
  {
    const std::lock_guard guard(runtime.lock);
    for (int32_t i = 0; i < runtime.backend_count; ++i) {
      const Backend& b = *runtime.backends[i].load();
      if (b.name != request.name || b.shadowed) continue;
      if (b.current_state() == XLASHAPE_BACKEND_STATE_FAILED)
        return fail(err, code, "backend %s is not in use: %s: %s", name.c_str(), b.current_detail(), kSee);
      if (b.current_state() == XLASHAPE_BACKEND_STATE_READY)
        ready = &b;
      else if (b.current_state() == XLASHAPE_BACKEND_STATE_NOT_LOADED)
        return lacking();
    }
  }
  xlashape_error why;
  why.struct_size = sizeof why;
  why.message[0] = '\0';
  xlashape_support support;
  if (ready != nullptr) ready->calls.supports(op, &support, &why);
  if (why.message[0] != '\0')
    return fail(err, code, "backend %s does not do this operation: %s", name.c_str(), why.message);
  return fail(err, code, "backend %s does not do this operation (memory spaces %d to %d)", name.c_str(), op.src_space,
              op.dst_space);
}

}  // namespace

Status select_backend(Runtime& runtime, const xlashape_op& op, const SelectionRequest& request, Selection* choice,
                      Error* err) {
  if (has_thrown(runtime, runtime.backend_count.load(std::memory_order_acquire))) [[unlikely]]
    retire_thrown(runtime);
  make_ready(runtime, op, request);
  Selection best;
  bool known = request.name.empty();
  // The last ones first: those that are built in come first, and have the lowest priority.
  for (int32_t i = runtime.backend_count.load(std::memory_order_acquire); i-- > 0;) {
    Backend& backend = *runtime.backends[i].load(std::memory_order_acquire);
    const bool is_wanted = !request.name.empty() && backend.name == request.name;
    known |= is_wanted;
    if (!request.name.empty() && !is_wanted && !request.allow_fallback) continue;
    // Check the state first: until it is READY, the loading thread writes the slots.
    if (backend.current_state() != XLASHAPE_BACKEND_STATE_READY || backend.shadowed.load(std::memory_order_acquire) ||
        (request.tried >> i & 1) != 0)
      continue;
    // Host data goes to a device only where its backend is asked for by name.
    if (!is_wanted && is_on_host(op) && backend.calls.is_for_device()) continue;
    if (!is_wanted && cannot_be_better(backend, best)) continue;
    Selection candidate{&backend, {}};
    if (!backend.calls.supports(op, &candidate.support)) continue;
    if (is_wanted) {
      *choice = candidate;
      return backend.calls.check_device(op.device, err);
    }
    if (better(candidate, best)) best = candidate;
  }
  if (best.backend == nullptr) return explain(runtime, op, request, known, err);
  *choice = best;
  return best.backend->calls.check_device(op.device, err);
}

XLASHAPE_COLD bool try_another(Runtime& runtime, const Selection& choice, SelectionRequest* request,
                               const char* reason) {
  Backend& backend = *choice.backend;
  {
    const std::lock_guard guard(runtime.lock);
    ++backend.refusals;
    backend.last_refusal = reason;
  }
  runtime.hooks.log(XLASHAPE_LOG_WARNING, backend.calls.source(), cat({"backend ", backend.name, ": ", reason}));
  request->tried |= uint64_t{1} << (backend.calls.source() - 1);
  return request->name.empty() || request->allow_fallback;
}

}  // namespace xlashape::core
