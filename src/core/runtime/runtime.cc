#include "runtime/runtime.h"

#include <algorithm>
#include <memory>

#include "runtime/files.h"
#include "runtime/location.h"
#include "runtime/registry.h"

extern "C" xlashape_status xlashape_backend_open_scalar(const xlashape_host*, xlashape_backend*, xlashape_error*);

xlashape_runtime::~xlashape_runtime() {
  for (int32_t i = 0; i < backend_count; ++i) {
    xlashape::Backend* backend = backends[i];
    if (backend->state == XLASHAPE_BACKEND_STATE_READY) backend->slots.close();
    if (backend->release != nullptr) backend->release(backend->user);
    delete backend;
  }
  pool.reset();
  if (is_made) hooks.release();
}

namespace xlashape {
namespace {

// Lists of folders that no path on earth needs.
constexpr size_t kFoldersLimit = 64 << 10;
constexpr uint32_t kKnownFlags =
    XLASHAPE_RUNTIME_NO_ENVIRONMENT | XLASHAPE_RUNTIME_NO_LIBRARY_DIR | XLASHAPE_RUNTIME_NO_INSTALL_DIR;

constexpr int32_t kMaxThreads = 4096;

int32_t parallel_for(void* pool, int64_t count, void* task_opaque, Pool::Task task) {
  return static_cast<Pool*>(pool)->run(count, task_opaque, task) ? 0 : 1;
}

// Threads that the system does not give are done without.
Status read_threads(Runtime& runtime, const xlashape_runtime_options& options, Error* err) {
  if (options.threads < 0 || options.threads > kMaxThreads)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "options.threads is %d, it must be within 0 and %d",
                options.threads, kMaxThreads);
  if (options.threads <= 1) return XLASHAPE_STATUS_OK;
  if (options.executor != nullptr)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                "options.threads is %d and options.executor is given: one of them", options.threads);
  const auto asked = static_cast<uint32_t>(options.threads);
  runtime.pool = std::make_unique<Pool>(asked);
  const uint32_t workers = runtime.pool->workers();
  if (workers > 1)
    runtime.hooks.executor = {sizeof(xlashape_executor), workers, runtime.pool.get(), parallel_for, nullptr};
  if (workers < asked) {
    runtime.hooks.log(XLASHAPE_LOG_WARNING, 0, "threads: " + runtime.pool->describe());
  }
  return XLASHAPE_STATUS_OK;
}

Status read_verify(Runtime& runtime, const xlashape_runtime_options& options, Error* err) {
  if (options.verify_positions < 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "options.verify_positions is %lld, it must not be negative",
                static_cast<long long>(options.verify_positions));
  runtime.verify_positions = options.verify_positions != 0
                                 ? options.verify_positions
                                 : std::max<int64_t>(verify_positions(runtime.environment.verify), 0);
  return XLASHAPE_STATUS_OK;
}

}  // namespace

Status make_runtime(const xlashape_runtime_options& options, Ref<Runtime>* result, Error* err) {
  if ((options.flags & ~kKnownFlags) != 0)
    return fail(err, XLASHAPE_STATUS_INCOMPATIBLE, "options.flags 0x%x holds bits that this library (%s) does not know",
                options.flags, xlashape_version());
  auto runtime = Ref<Runtime>::adopt(new Runtime);
  XLASHAPE_TRY(read_hooks(options, &runtime->hooks, err));
  runtime->flags = options.flags;
  if (options.backend_dirs != nullptr) {
    runtime->option_folders = absolute_folders(options.backend_dirs, kFoldersLimit);
    if (runtime->option_folders.size() > kFoldersLimit)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "options.backend_dirs is longer than %zu bytes",
                  kFoldersLimit);
  }
  if ((options.flags & XLASHAPE_RUNTIME_NO_ENVIRONMENT) == 0) runtime->environment = read_environment();
  runtime->hooks.stderr_level = log_level(runtime->environment.log);
  XLASHAPE_TRY(read_verify(*runtime, options, err));
  XLASHAPE_TRY(read_threads(*runtime, options, err));
  runtime->cpu = detect_cpu();
  uint64_t features;
  if (features_up_to(runtime->environment.cpu, &features)) runtime->cpu.features &= features;
  XLASHAPE_TRY(add_backend(*runtime, {"scalar", xlashape_backend_open_scalar}, Origin::kBuiltIn, -100, err));
  runtime->is_made = true;
  *result = std::move(runtime);
  return XLASHAPE_STATUS_OK;
}

Status default_runtime(Runtime** result, Error* err) {
  static std::atomic<Runtime*> made{nullptr};
  *result = made.load(std::memory_order_acquire);
  if (*result != nullptr) return XLASHAPE_STATUS_OK;
  Ref<Runtime> runtime;
  const xlashape_runtime_options options{};
  XLASHAPE_TRY(guarded(err, [&] { return make_runtime(options, &runtime, err); }));
  if (made.compare_exchange_strong(*result, runtime.get(), std::memory_order_acq_rel)) *result = runtime.leak();
  return XLASHAPE_STATUS_OK;
}

std::vector<Place> places_of(const Runtime& runtime) {
  const Location location = own_location();
  const std::string library = location.in_program || location.file.empty() ? "" : folder_of(location.file);
  return search_places({runtime.option_folders, runtime.environment.backend_path, library, XLASHAPE_BACKEND_DIR,
                        runtime.flags, location.unknown});
}

}  // namespace xlashape
