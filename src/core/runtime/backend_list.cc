// SPDX-License-Identifier: Apache-2.0
#include "runtime/backend_list.h"

#include "runtime/registry.h"

namespace xlashape::core {

bool has_backend(const Runtime& runtime, std::string_view name) {
  for (int32_t i = 0; i < count_of(runtime); ++i)
    if (at(runtime, i).name == name) return true;
  return false;
}

std::unique_ptr<Backend> backend_of(FoundBackend found, Origin origin) {
  auto made = std::make_unique<Backend>();
  made->origin = origin;
  made->priority = found.has_priority ? found.priority : default_priority(found.name);
  made->found = std::move(found);
  if (!made->found.wrong.empty()) {
    made->detail = made->found.wrong;
    made->status = XLASHAPE_STATUS_NOT_FOUND;
    made->state = XLASHAPE_BACKEND_STATE_FAILED;
  }
  return made;
}

Backend* append(Runtime& runtime, std::unique_ptr<Backend> backend) {
  const int32_t ordinal = count_of(runtime);
  if (ordinal == Runtime::kMaxBackends) return nullptr;
  fill_host(*backend, runtime.hooks, runtime.backend_options, runtime.cpu, ordinal);
  runtime.backends[ordinal].store(backend.get(), std::memory_order_release);
  runtime.backend_count.store(ordinal + 1, std::memory_order_release);
  return backend.release();
}

Backend* find_same(const Runtime& runtime, const FoundBackend& found) {
  for (int32_t i = 0; i < count_of(runtime) && !found.path.empty(); ++i) {
    const FoundBackend& there = at(runtime, i).found;
    if (there.name == found.name && there.entry == found.entry && there.path == found.path) return &at(runtime, i);
  }
  return nullptr;
}

Backend* backend_in_use(const Runtime& runtime, std::string_view name) {
  for (int32_t i = 0; i < count_of(runtime); ++i) {
    Backend& b = at(runtime, i);
    if (b.name == name && !b.shadowed && b.origin != Origin::kBuiltIn &&
        b.current_state() != XLASHAPE_BACKEND_STATE_FAILED)
      return &b;
  }
  return nullptr;
}

void use_next(Runtime& runtime, std::string_view name) {
  if (backend_in_use(runtime, name) != nullptr) return;
  bool found = false;
  for (int32_t i = 0; i < count_of(runtime); ++i) {
    Backend& next = at(runtime, i);
    const bool is_built_in = next.origin == Origin::kBuiltIn;
    if (next.name != name || !next.shadowed) continue;
    if (!is_built_in && (found || next.state != XLASHAPE_BACKEND_STATE_NOT_LOADED)) continue;
    found |= !is_built_in;
    next.shadowed = false;
  }
  if (found) runtime.done.fetch_and(~(Runtime::kHostLoaded | Runtime::kDeviceLoaded));
}

void deny(Backend& backend) {
  backend.detail = kDenied;
  backend.status = XLASHAPE_STATUS_UNSUPPORTED;
  backend.state = XLASHAPE_BACKEND_STATE_FAILED;
}

std::string location_of(const Backend& backend) {
  const FoundBackend& found = backend.found;
  return !found.path.empty() ? found.path : !found.manifest.empty() ? found.manifest : origin_name(backend.origin);
}

const char* origin_name(Origin origin) {
  constexpr const char* kNames[] = {
      "added by the program", "loaded by path", "options.backend_dirs",  "XLASHAPE_BACKEND_PATH", "beside the library",
      "install folder",       "built in",       "left out of this build"};
  return kNames[static_cast<size_t>(origin)];
}

int32_t default_priority(std::string_view name) { return name == "scalar" ? -100 : name == "simd" ? 100 : 0; }

std::string shadowed_by(const Runtime& runtime, const Backend& backend) {
  const Backend* const other = backend_in_use(runtime, backend.name);
  return other != nullptr ? location_of(*other) : "";
}

}  // namespace xlashape::core
