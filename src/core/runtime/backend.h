// One backend as the runtime holds it: where it came from, what became of it, and its table once it is ready.
#pragma once
#include <atomic>
#include <string>
#include <thread>

#include "runtime/cpu.h"
#include "runtime/hooks.h"
#include "runtime/search.h"
#include "xlashape_backend.h"

namespace xlashape {

struct Backend {
  // Fixed before others see it.
  Found found;
  Origin origin = Origin::kBuiltIn;
  const std::string& name = found.name;
  int32_t priority = 0;
  xlashape_host host{};
  xlashape_backend_open open = nullptr;  // of one that is linked in

  // The table may be used by who saw the state READY; the rest is read and written under the runtime's lock.
  xlashape_backend table{};
  std::atomic<int32_t> state{XLASHAPE_BACKEND_ABSENT};
  std::atomic<bool> shadowed{false};  // another one of this name serves
  Status status = XLASHAPE_OK;        // why it failed
  std::string detail;                 // build and targets when ready; stage and reason when failed
  std::string shadow;                 // what shadows it
  std::thread::id loader;             // while LOADING
  int64_t loader_process = 0;
  int64_t refusals = 0;  // plans that it was chosen for and could not make
  std::string last_refusal;
};

// Opens a backend by its entry function: negotiates the version, checks the table, fills missing slots with stubs.
// On failure *stage is where it went wrong.
Status open_backend(const xlashape_host& host, xlashape_backend_open open, xlashape_backend* table, const char** stage,
                    Error* err);

// Maps, opens and tests the backend: everything between "found" and "in use". Writes table and host; *detail is what to
// tell people. No lock is held meanwhile: plugin code runs.
Status load(Backend& backend, const Hooks& hooks, std::string* detail, Error* err);

// The host table that a backend gets. `opaque` and the texts live as long as the runtime and the backend.
void fill_host(Backend& backend, const Hooks& hooks, const Cpu& cpu, int32_t ordinal);

// Answers that a backend gives about an operation, checked.
bool is_sound(const xlashape_support& support);
Status part_size(const xlashape_backend& table, const xlashape_op& op, size_t* bytes, size_t* alignment, Error* err);

}  // namespace xlashape
