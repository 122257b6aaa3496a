/* SPDX-License-Identifier: Apache-2.0 */
// The runtime's backends and their states: absent -> loading -> ready or failed. Each is loaded at most once, and none
// before the first operation.
#pragma once
#include "runtime/runtime.h"
#include "xlashape_runtime.h"

namespace xlashape::core {

// Searches all places, once. Maps nothing. False where descriptors or memory are short: it must be called again.
bool search(Runtime& runtime);

// Makes every backend ready or failed that may be used: those for CPU memory, or with `device` all. With a name, only
// those of that name. False as above.
bool load_backends(Runtime& runtime, std::string_view name, bool device);

// The location of the backend that is used in place of a shadowed one. The lock is held.
std::string shadowed_by(const Runtime& runtime, const Backend& backend);

// Puts other backends into use in place of those of the same name that threw an exception after they became ready.
void retire_thrown(Runtime& runtime);

// The ready backend that works in a memory space; of several, the one with the highest priority.
Status find_space(Runtime& runtime, xlashape_memory_space space, const Backend** backend, Error* err);

// A backend that is linked into the program: the arguments of xlashape_runtime_add_backend.
struct Linked {
  std::string_view name;
  xlashape_backend_open_fn open;
  void* user = nullptr;
  xlashape_release_fn release = nullptr;
  uint64_t needs = 0;  // XLASHAPE_CPU_*, all of them required
};

// A backend's priority where neither its manifest nor the program gives one.
int32_t default_priority(std::string_view name);

// Backends that the library was built without although nothing but a package was lacking, or simd although it is the
// default. Ends with a name that is null.
struct LeftOut {
  const char *name, *why;
};
extern const LeftOut kLeftOut[];
extern const bool kSimdIsBuilt;

// Adds the backends that are part of the library.
Status add_built_in(Runtime& runtime, Error* err);

// Adds a backend by its entry function, or by the path of its shared object or manifest.
Status add_backend(Runtime& runtime, const Linked& linked, Origin origin, int32_t priority, Error* err);
Status load_backend(Runtime& runtime, std::string_view path, Error* err);

}  // namespace xlashape::core
