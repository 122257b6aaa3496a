// SPDX-License-Identifier: Apache-2.0
#include "runtime/runtime.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/cat.h"
#include "platform/files.h"
#include "platform/location.h"
#include "platform/processor.h"
#include "runtime/registry.h"
#include "xlashape_runtime.h"

xlashape_runtime::~xlashape_runtime() {
  for (int32_t i = 0; i < backend_count; ++i) {
    xlashape::core::Backend* backend = backends[i];
    if (backend->state == XLASHAPE_BACKEND_STATE_READY) backend->calls.close();
    if (backend->release != nullptr) backend->release(backend->user);
    delete backend;
  }
  pool.reset();
  if (is_made) hooks.release();
}

namespace xlashape::core {
namespace {

// The maximal length of the options' texts: more than any list of folders needs.
constexpr size_t kTextLimit = 64 << 10;
constexpr uint32_t kKnownFlags = XLASHAPE_RUNTIME_NO_ENVIRONMENT | XLASHAPE_RUNTIME_NO_LIBRARY_DIR |
                                 XLASHAPE_RUNTIME_NO_INSTALL_DIR | XLASHAPE_RUNTIME_LOAD_NOW;

int32_t parallel_for(void* pool, int64_t count, void* task_opaque, Pool::Task task) {
  return static_cast<Pool*>(pool)->run(count, task_opaque, task) ? 0 : 1;
}

// Makes do with fewer threads where the system does not start all.
Status read_threads(Runtime& runtime, const xlashape_runtime_options& options, Error* err) {
  if (options.threads != XLASHAPE_THREADS_ALL && (options.threads < 0 || options.threads > kMaxThreads))
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                "options.threads is %d, it must be within 0 and %d, or XLASHAPE_THREADS_ALL", options.threads,
                kMaxThreads);
  if (options.executor != nullptr) {
    if (options.threads != 0 && options.threads != 1)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                  "options.threads is %d, and options.executor is given: give one of the two", options.threads);
    runtime.workers = cat({std::to_string(runtime.hooks.executor.max_workers), ", those of options.executor"});
    return XLASHAPE_STATUS_OK;
  }
  const int32_t given = options.threads != 0 ? options.threads : worker_count(runtime.environment.threads);
  if (given == 0) {
    runtime.workers = "1, as neither options.threads nor XLASHAPE_THREADS asks for more";
    return XLASHAPE_STATUS_OK;
  }
  const char* const by = options.threads != 0 ? "options.threads" : "XLASHAPE_THREADS";
  std::string why = cat({", as ", by, " says"});
  auto asked = static_cast<uint32_t>(given);
  if (given == XLASHAPE_THREADS_ALL) {
    const Processors all = processors();
    asked = std::min<uint32_t>(all.usable(), kMaxThreads);
    why = cat({", all that this process may use (", all.describe(), ")", why});
  }
  runtime.workers = std::to_string(asked) + why;
  if (asked == 1) return XLASHAPE_STATUS_OK;
  runtime.pool = std::make_unique<Pool>(asked);
  const uint32_t workers = runtime.pool->workers();
  if (workers > 1)
    runtime.hooks.executor = {sizeof(xlashape_executor), workers, runtime.pool.get(), parallel_for, nullptr};
  if (workers < asked) {
    runtime.workers = cat({std::to_string(workers), " of ", runtime.workers, ": ", runtime.pool->shortage()});
    runtime.hooks.log(XLASHAPE_LOG_WARNING, 0, "threads: " + runtime.workers);
  }
  return XLASHAPE_STATUS_OK;
}

Status read_verify(Runtime& runtime, const xlashape_runtime_options& options, Error* err) {
  if (options.verify_count < 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "options.verify_count is %lld, it must not be negative",
                ll(options.verify_count));
  runtime.verify_count =
      options.verify_count != 0 ? options.verify_count : std::max<int64_t>(whole_number(runtime.environment.verify), 0);
  return XLASHAPE_STATUS_OK;
}

// Reads a text of the options, whose length is limited.
Status read_text(const char* given, const char* name, std::string* text, Error* err) {
  if (given == nullptr) return XLASHAPE_STATUS_OK;
  text->assign(given, strnlen(given, kTextLimit + 1));
  if (text->size() <= kTextLimit) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "options.%s is longer than %zu bytes", name, kTextLimit);
}

// Reads which backends may be used, and their options.
Status read_choices(Runtime& runtime, const xlashape_runtime_options& options, Error* err) {
  XLASHAPE_TRY(read_text(options.backend, "backend", &runtime.backend, err));
  runtime.backend_or_any = remove_or_any(&runtime.backend);
  if (runtime.backend.empty()) {
    runtime.backend = runtime.environment.backend;
    runtime.backend_or_any = runtime.environment.backend_or_any;
  }
  XLASHAPE_TRY(read_text(options.denied_backends, "denied_backends", &runtime.denied, err));
  std::string own;
  XLASHAPE_TRY(read_text(options.backend_options, "backend_options", &own, err));
  XLASHAPE_TRY(runtime.backend_options.add(own, "options.backend_options", err));
  runtime.backend_options_ignored =
      runtime.backend_options.add(runtime.environment.backend_options, "", nullptr) != XLASHAPE_STATUS_OK;
  return XLASHAPE_STATUS_OK;
}

Status read_folders(Runtime& runtime, const char* folders, Error* err) {
  if constexpr (kDynamicBackends) {
    runtime.option_folders = absolute_folders(folders, kTextLimit);
    if (runtime.option_folders.size() <= kTextLimit) return XLASHAPE_STATUS_OK;
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "options.backend_dirs is longer than %zu bytes", kTextLimit);
  }
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "options.backend_dirs: %s", kNoLoader);
}

}  // namespace

bool is_denied(const Runtime& runtime, std::string_view backend) {
  std::string_view rest = runtime.denied;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(','));
    if (name == backend) return true;
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
  }
  return false;
}

Status make_runtime(const xlashape_runtime_options& options, PlanSmokeForm plan_smoke_form, Ref<Runtime>* result,
                    Error* err) {
  if ((options.flags & ~kKnownFlags) != 0)
    return fail(err, XLASHAPE_STATUS_INCOMPATIBLE, "options.flags 0x%x holds bits that this library (%s) does not know",
                options.flags, xlashape_version());
  auto runtime = Ref<Runtime>::adopt(new Runtime);
  XLASHAPE_TRY(read_hooks(options, &runtime->hooks, err));
  runtime->hooks.plan_smoke_form = plan_smoke_form;
  runtime->flags = options.flags;
  if (options.backend_dirs != nullptr) XLASHAPE_TRY(read_folders(*runtime, options.backend_dirs, err));
  if ((options.flags & XLASHAPE_RUNTIME_NO_ENVIRONMENT) == 0) runtime->environment = read_environment();
  XLASHAPE_TRY(read_choices(*runtime, options, err));
  runtime->hooks.stderr_level = log_level(runtime->environment.log);
  warn_of_variables(*runtime);
  XLASHAPE_TRY(read_verify(*runtime, options, err));
  XLASHAPE_TRY(read_threads(*runtime, options, err));
  runtime->cpu = detect_cpu();
  uint64_t features;
  if (options.cpu != nullptr && !features_up_to(options.cpu, &features))
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "options.cpu is %s, it must be one of %s",
                Quoted(options.cpu).c_str(), kLevelNames);
  if (options.cpu != nullptr || features_up_to(runtime->environment.cpu, &features)) runtime->cpu.features &= features;
  const bool reads = (options.flags & XLASHAPE_RUNTIME_NO_ENVIRONMENT) == 0;
  runtime->profile.processor = machine_identity(runtime->cpu);
  XLASHAPE_TRY(find_profile(options.profile, reads ? &runtime->environment : nullptr, &runtime->profile, err));
  XLASHAPE_TRY(add_built_in(*runtime, err));
  if ((options.flags & XLASHAPE_RUNTIME_LOAD_NOW) != 0 && !load_backends(*runtime, {}, true))
    return fail(err, XLASHAPE_STATUS_NO_MEMORY,
                "not all backends can be loaded now, as the options ask: descriptors or memory are short");
  runtime->is_made = true;
  *result = std::move(runtime);
  return XLASHAPE_STATUS_OK;
}

std::vector<SearchPlace> places_of(const Runtime& runtime) {
  if constexpr (kDynamicBackends) {
    const Location location = own_location();
    const std::string library = location.in_program || location.file.empty() ? "" : folder_of(location.file);
    return search_places({runtime.option_folders, runtime.environment.backend_path, library, XLASHAPE_BACKEND_DIR,
                          runtime.flags, location.unknown});
  }
  return {};
}

}  // namespace xlashape::core
