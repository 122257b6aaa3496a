// The runtime's backends and their states: absent -> loading -> ready or failed. Each is loaded at most once, and nothing
// before the first operation.
#pragma once
#include "runtime/runtime.h"

namespace xlashape::core {

// Looks through the places, once. Maps nothing.
void search(Runtime& runtime);

// Makes every backend ready (or failed) that may serve: those for CPU memory, with `device` all. With a name only those
// of that name.
void load_backends(Runtime& runtime, std::string_view name, bool device);

// Where the backend comes from that serves under the name of a shadowed one. The lock is held.
std::string shadowed_by(const Runtime& runtime, const Backend& backend);

// Lets others serve under the names of backends that threw an exception since they became ready.
void retire_thrown(Runtime& runtime);

// The ready backend that works in a memory space; of several the one of the highest priority.
Status find_space(Runtime& runtime, xlashape_memory_space space, const Backend** backend, Error* err);

// A backend that is linked into the program, as xlashape_runtime_add_backend gets it.
struct Linked {
  std::string_view name;
  xlashape_backend_open open;
  void* user = nullptr;
  xlashape_release release = nullptr;
  uint64_t needs = 0;  // XLASHAPE_CPU_*, all of which it needs
};

// What a backend's priority is where neither its manifest nor the program says it.
int32_t default_priority(std::string_view name);

// Those that are part of the library.
Status add_built_in(Runtime& runtime, Error* err);

// Adds a backend by its entry function; by the path of its shared object or manifest.
Status add_backend(Runtime& runtime, const Linked& linked, Origin origin, int32_t priority, Error* err);
Status load_backend(Runtime& runtime, std::string_view path, Error* err);

}  // namespace xlashape::core
