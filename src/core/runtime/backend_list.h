/* SPDX-License-Identifier: Apache-2.0 */
// The runtime's list of backends, and which of those of one name is in use. It only grows.
#pragma once
#include <memory>
#include <string>

#include "runtime/runtime.h"
#include "runtime/search.h"

namespace xlashape::core {

inline Backend& at(const Runtime& runtime, int32_t ordinal) {
  return *runtime.backends[ordinal].load(std::memory_order_acquire);
}
inline int32_t count_of(const Runtime& runtime) { return runtime.backend_count.load(std::memory_order_acquire); }

bool has_backend(const Runtime& runtime, std::string_view name);

// One for what was found: the state is ABSENT, or FAILED where that is wrong.
std::unique_ptr<Backend> backend_of(FoundBackend found, Origin origin);

// Appends a backend to the list. Null when the list is full. The lock is held.
Backend* append(Runtime& runtime, std::unique_ptr<Backend> backend);

// The one that was found before, at the same path. The lock is held.
Backend* find_same(const Runtime& runtime, const FoundBackend& found);

// The backend that is, or will be, used under a name: not a failed one, and not the built-in one, which others replace.
// The lock is held.
Backend* backend_in_use(const Runtime& runtime, std::string_view name);

// Where no backend is used under a name, puts a shadowed one into use, and the built-in one until that is ready. The
// lock is held.
void use_next(Runtime& runtime, std::string_view name);

inline constexpr const char* kDenied = "denied by the runtime's options";
void deny(Backend& backend);

// Where it came from, for messages.
std::string location_of(const Backend& backend);

}  // namespace xlashape::core
