// SPDX-License-Identifier: Apache-2.0
#include "runtime/registry.h"

#include <memory>

#include "platform/process.h"
#include "runtime/backend_list.h"
#include "runtime/loading.h"

namespace xlashape::core {
namespace {

Status load_found(Runtime& runtime, const std::string& given, FoundBackend found, Error* err) {
  const std::string name = found.name;
  if (is_denied(runtime, name))
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s: backend %s is %s", given.c_str(), name.c_str(), kDenied);
  std::unique_lock guard(runtime.lock);
  Backend* backend = find_same(runtime, found);
  const Backend* const first = backend_in_use(runtime, name);
  if (first != nullptr && first != backend && first->state != XLASHAPE_BACKEND_STATE_NOT_LOADED && found.wrong.empty())
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s: a backend named %s is there already: %s", given.c_str(),
                name.c_str(), location_of(*first).c_str());
  // A file that does not exist is not listed.
  if (backend == nullptr && found.path.empty())
    return fail(err, XLASHAPE_STATUS_NOT_FOUND, "%s: %s", given.c_str(), found.wrong.c_str());
  if (backend == nullptr) {
    backend = append(runtime, backend_of(std::move(found), Origin::kExplicit));
    if (backend == nullptr)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the runtime holds %d backends already", Runtime::kMaxBackends);
  }
  backend->shadowed = false;  // asked for by path, which overrides others
  if (begin_loading(runtime, *backend, guard)) {
    guard.unlock();
    const Status status = load_and_log(runtime, *backend, nullptr);
    guard.lock();
    if (backend->state == XLASHAPE_BACKEND_STATE_NOT_LOADED)
      return fail(err, status, "%s: %s", given.c_str(), backend->current_detail());
  }
  switch (backend->current_state()) {
    case XLASHAPE_BACKEND_STATE_READY:
      return XLASHAPE_STATUS_OK;
    case XLASHAPE_BACKEND_STATE_FAILED:
      return fail(err, backend->status != XLASHAPE_STATUS_OK ? backend->status : XLASHAPE_STATUS_INTERNAL, "%s: %s",
                  given.c_str(), backend->current_detail());
    default:
      return fail(err, XLASHAPE_STATUS_BUSY, "%s: this thread is loading it already", given.c_str());
  }
}

}  // namespace

bool load_backends(Runtime& runtime, std::string_view name, bool device) {
  bool all_settled = search(runtime), is_lacking = !all_settled;
  for (int32_t i = 0; i < count_of(runtime); ++i) {
    Backend& backend = at(runtime, i);
    const bool is_wanted = name.empty() ? device || backend.found.memory != Memory::kDevice : backend.name == name;
    if (!is_wanted) continue;
    is_lacking |= settle(runtime, backend) == XLASHAPE_STATUS_NO_MEMORY;
    all_settled &= is_settled(backend);
  }
  if (name.empty() && all_settled)
    runtime.done.fetch_or(Runtime::kHostLoaded | (device ? Runtime::kDeviceLoaded : 0), std::memory_order_release);
  return !is_lacking;
}

void retire_thrown(Runtime& runtime) {
  for (int32_t i = 0; i < count_of(runtime); ++i) {
    Backend& backend = at(runtime, i);
    if (backend.calls.thrown() == nullptr || backend.retired.load(std::memory_order_acquire)) [[likely]]
      continue;
    const std::lock_guard guard(runtime.lock);
    if (backend.current_state() != XLASHAPE_BACKEND_STATE_FAILED) continue;  // it threw while being loaded
    use_next(runtime, backend.name);
    backend.retired.store(true, std::memory_order_release);
  }
}

Status find_space(Runtime& runtime, xlashape_memory_space space, const Backend** result, Error* err) {
  if ((runtime.done.load(std::memory_order_acquire) & Runtime::kDeviceLoaded) == 0) load_backends(runtime, {}, true);
  const Backend* best = nullptr;
  for (int32_t i = 0; i < count_of(runtime); ++i) {
    const Backend& b = at(runtime, i);
    if (b.current_state() != XLASHAPE_BACKEND_STATE_READY || b.shadowed) continue;
    if ((b.calls.table().memory_spaces & XLASHAPE_SPACE_BIT(space)) == 0) continue;
    if (best == nullptr || b.priority > best->priority || (b.priority == best->priority && b.name < best->name))
      best = &b;
  }
  *result = best;
  if (best != nullptr) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_NOT_FOUND, "no backend works in memory space %d: see the runtime's report", space);
}

Status add_backend(Runtime& runtime, const Linked& linked, Origin origin, int32_t priority, Error* err) {
  const std::string_view name = linked.name;
  const bool denied = is_denied(runtime, name);
  if (denied && origin != Origin::kBuiltIn)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "backend %s is %s", Quoted(name).c_str(), kDenied);
  auto made = std::make_unique<Backend>();
  made->found.name = made->found.entry = name;
  made->origin = origin;
  made->priority = priority;
  made->open = linked.open;
  made->user = linked.user;
  made->needs = linked.needs;
  made->state = XLASHAPE_BACKEND_STATE_LOADING;
  made->loader = std::this_thread::get_id();
  made->loader_process = process_id();
  if (denied) deny(*made);
  Backend* backend;
  {
    const std::lock_guard guard(runtime.lock);
    for (int32_t i = 0; i < count_of(runtime); ++i) {
      const Backend& other = at(runtime, i);
      const int32_t state = other.current_state();
      if (other.name == name && !other.shadowed &&
          (state == XLASHAPE_BACKEND_STATE_READY || state == XLASHAPE_BACKEND_STATE_LOADING))
        return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "a backend named %s is there already: %s",
                    Quoted(name).c_str(), location_of(other).c_str());
    }
    backend = append(runtime, std::move(made));
    if (backend == nullptr)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the runtime holds %d backends already", Runtime::kMaxBackends);
  }
  if (denied) return XLASHAPE_STATUS_OK;
  XLASHAPE_TRY(load_and_log(runtime, *backend, err));
  backend->release = linked.release;  // on failure `user` stays the caller's
  return XLASHAPE_STATUS_OK;
}

Status load_backend(Runtime& runtime, std::string_view path, Error* err) {
  if constexpr (kDynamicBackends)
    return load_found(runtime, std::string(path), inspect_file(std::string(path), this_machine(runtime.cpu.features)),
                      err);
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s: %s", Quoted(path).c_str(), kNoLoader);
}

}  // namespace xlashape::core
