/* SPDX-License-Identifier: Apache-2.0 */
// The runtime: hooks and backends. The list of backends only grows, so that choosing one takes no lock.
#pragma once
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/ref.h"
#include "runtime/backend.h"
#include "runtime/backend_options.h"
#include "runtime/environment.h"
#include "runtime/pool.h"
#include "runtime/profile.h"
#include "runtime/wisdom.h"
#include "xlashape_runtime.h"

struct xlashape_runtime final : xlashape::core::RefCounted {
  static constexpr int kMaxBackends = 64;

  // Fixed at creation.
  int64_t verify_count = 0;  // of each execution; beside the executor, which each execution reads, too
  xlashape::core::Hooks hooks{};
  xlashape::core::Cpu cpu;  // its features filtered by XLASHAPE_CPU
  xlashape::core::Environment environment;
  std::string backend;          // for plans whose options name none; "": any
  bool backend_or_any = false;  // others may stand in for it
  std::string denied;           // names of backends that are not used, ',' between them
  xlashape::core::BackendOptions backend_options;
  bool backend_options_ignored = false;  // those of the environment are malformed
  std::string option_folders;
  xlashape::core::ProfileSource profile;
  uint32_t flags = 0;
  bool is_made = false;                        // creation succeeded: it releases its hooks
  std::unique_ptr<xlashape::core::Pool> pool;  // if several workers were asked for, without an executor
  std::string workers;                         // how many there are and why, for the report

  std::atomic<uint64_t> verified{0};  // executions so far
  xlashape::core::Wisdom wisdom;

  // What has been done, as bits. They are set last, so that a thread that sees them needs no lock.
  static constexpr uint32_t kSearched = 1, kHostLoaded = 2, kDeviceLoaded = 4;
  std::atomic<uint32_t> done{0};
  // After a shortage of descriptors or memory: when backends are looked for again, by a steady clock, and for how long
  // that was put off, in ns. 0: nothing is lacking.
  std::atomic<int64_t> retry_at{0}, retry_after{0};
  std::atomic<int32_t> backend_count{0};
  std::atomic<xlashape::core::Backend*> backends[kMaxBackends] = {};

  // Never held while a hook or a backend runs.
  std::mutex lock;
  std::condition_variable changed;      // a backend is no longer LOADING
  std::vector<std::string> search_log;  // the report's lines about places

  ~xlashape_runtime();
  static void destroy(xlashape_runtime* runtime) noexcept { delete runtime; }
};

namespace xlashape::core {

using Runtime = ::xlashape_runtime;

// `plan_smoke_form` makes the relayout of the smoke test.
Status make_runtime(const xlashape_runtime_options& options, PlanSmokeForm plan_smoke_form, Ref<Runtime>* runtime,
                    Error* err);

// Whether the options forbid its use.
bool is_denied(const Runtime& runtime, std::string_view backend);

// The folders, in search order.
std::vector<SearchPlace> places_of(const Runtime& runtime);

// Everything the runtime knows, one line each.
std::string report(Runtime& runtime);

// Logs a warning for each environment variable whose value is not valid.
void warn_of_variables(const Runtime& runtime);

}  // namespace xlashape::core
