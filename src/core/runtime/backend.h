/* SPDX-License-Identifier: Apache-2.0 */
// One backend of a runtime: where it came from, its state, and its table once it is ready.
#pragma once
#include <atomic>
#include <string>
#include <thread>

#include "runtime/backend_calls.h"
#include "runtime/backend_options.h"
#include "runtime/cpu.h"
#include "runtime/hooks.h"
#include "runtime/profile.h"
#include "runtime/search.h"
#include "xlashape_runtime.h"

namespace xlashape::core {

struct Backend {
  // Fixed before others see it.
  FoundBackend found;
  Origin origin = Origin::kBuiltIn;
  const std::string& name = found.name;
  int32_t priority = 0;
  const Hooks* hooks = nullptr;
  const BackendOptions* options = nullptr;
  xlashape_host host{};                     // given to the backend, which may write to it: never read again
  xlashape_backend_open_fn open = nullptr;  // this and the next three: for a backend that is linked in
  void* user = nullptr;
  xlashape_release_fn release = nullptr;
  uint64_t needs = 0;  // processor features that it requires

  // A thread that has seen the state READY may use the slots; the rest is read and written under the runtime's lock.
  BackendCalls calls;
  std::atomic<int32_t> state{XLASHAPE_BACKEND_STATE_NOT_LOADED};
  std::atomic<bool> shadowed{false};   // another backend of this name is used
  Status status = XLASHAPE_STATUS_OK;  // why it failed
  std::string detail;                  // build and targets when ready; stage and reason when failed
  std::string profile_refusal;         // why it does not use its part of the profile
  std::thread::id loader;              // while LOADING
  int64_t loader_process = 0;
  std::atomic<bool> retired{false};  // it threw, and others of its name are used again
  int64_t refusals = 0;              // plans that it was chosen for and could not make
  std::string last_refusal;

  // State and detail as callers see them: a backend that threw an exception counts as failed. Read the detail under the
  // lock.
  int32_t current_state() const {
    const int32_t now = state.load(std::memory_order_acquire);
    return now == XLASHAPE_BACKEND_STATE_READY && calls.thrown() != nullptr ? XLASHAPE_BACKEND_STATE_FAILED : now;
  }
  const char* current_detail() const {
    const char* const thrown = state == XLASHAPE_BACKEND_STATE_READY ? calls.thrown() : nullptr;
    return thrown != nullptr ? thrown : detail.c_str();
  }
};

// Maps, opens and tests the backend: everything between "found" and "in use". Writes the slots; *detail is the text for
// reports, *profile_refusal why the backend refuses its part of the profile. Called without the lock, since plugin code
// runs. `profile`: its lines, "" for none.
Status load(Backend& backend, const Hooks& hooks, const std::string& profile, std::string* detail,
            std::string* profile_refusal, Error* err);

// Fills the host table for a backend. Hooks, options and texts must live as long as the backend.
void fill_host(Backend& backend, const Hooks& hooks, const BackendOptions& options, const Cpu& cpu, int32_t ordinal);

}  // namespace xlashape::core
