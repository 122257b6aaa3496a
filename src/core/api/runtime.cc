// SPDX-License-Identifier: Apache-2.0
// The C entry points of the section "Runtimes and backends".
#include "exec/runtime.h"

#include "api/answer.h"
#include "base/line.h"
#include "base/struct_io.h"
#include "runtime/registry.h"
#include "xlashape_runtime.h"

using namespace xlashape::core;

namespace {

// The backend of that ordinal, after a search of all places.
Status backend_at(Runtime** runtime, int64_t ordinal, const Backend** backend, Error* err) {
  XLASHAPE_TRY(or_default(runtime, err));
  search(**runtime);
  const int32_t count = (*runtime)->backend_count.load();
  if (ordinal < 0 || ordinal >= count)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "backend %lld is not in [0, %d)", ll(ordinal), count);
  *backend = (*runtime)->backends[ordinal].load();
  return XLASHAPE_STATUS_OK;
}

std::string detail_of(Runtime& runtime, const Backend& backend) {
  const std::lock_guard guard(runtime.lock);
  return backend.shadowed ? "shadowed by " + shadowed_by(runtime, backend) : backend.current_detail();
}

}  // namespace

extern "C" {

xlashape_status xlashape_runtime_create(const xlashape_runtime_options* options, xlashape_runtime** runtime,
                                        xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(runtime, "runtime", err));
    xlashape_runtime_options own{};
    if (options != nullptr) XLASHAPE_TRY(read_struct(options, &own, "options", err));
    Ref<Runtime> made;
    XLASHAPE_TRY(create_runtime(own, &made, err));
    *runtime = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_runtime_set_default(xlashape_runtime* runtime, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(runtime, "runtime", err));
    return set_default_runtime(*runtime, err);
  });
}

xlashape_runtime* xlashape_runtime_retain(xlashape_runtime* runtime) { return Ref<Runtime>::share(runtime).leak(); }
void xlashape_runtime_release(xlashape_runtime* runtime) { release(runtime); }

xlashape_status xlashape_runtime_load_backend(xlashape_runtime* runtime, const char* path, int64_t path_len,
                                              xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_text(path, "path", path_len, err));
    if (path_len == 0) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "path is empty");
    const std::string_view given = view(path, path_len);
    if (given.find('\0') != given.npos)  // the system would use only what precedes it
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "path contains a NUL");
    XLASHAPE_TRY(or_default(&runtime, err));
    return load_backend(*runtime, given, err);
  });
}

xlashape_status xlashape_runtime_add_backend(xlashape_runtime* runtime, const char* name, int64_t name_len,
                                             xlashape_backend_open_fn open, void* user, xlashape_release_fn release,
                                             int32_t priority, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_text(name, "name", name_len, err));
    if (name_len == 0) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "name is empty");
    if (open == nullptr) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "open is NULL");
    XLASHAPE_TRY(or_default(&runtime, err));
    return add_backend(*runtime, {view(name, name_len), open, user, release}, Origin::kAdded, priority, err);
  });
}

xlashape_status xlashape_runtime_report(xlashape_runtime* runtime, char* text, int64_t capacity, int64_t* needed,
                                        xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(or_default(&runtime, err));
    return answer_text(report(*runtime), text, capacity, needed, err);
  });
}

int64_t xlashape_runtime_backend_count(xlashape_runtime* runtime) {
  int64_t count = 0;
  guarded(nullptr, [&]() -> Status {
    XLASHAPE_TRY(or_default(&runtime, nullptr));
    search(*runtime);
    count = runtime->backend_count.load();
    return XLASHAPE_STATUS_OK;
  });
  return count;
}

xlashape_status xlashape_runtime_backend_info(xlashape_runtime* runtime, int64_t ordinal, xlashape_backend_info* info,
                                              xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_out_struct(info, "info", err));
    const Backend* backend;
    XLASHAPE_TRY(backend_at(&runtime, ordinal, &backend, err));
    xlashape_backend_info own{};
    own.priority = backend->priority;
    own.state = backend->current_state();
    own.device_count = -1;
    if (own.state == XLASHAPE_BACKEND_STATE_READY) {
      own.abi_version = backend->calls.table().abi_version;
      own.memory_spaces = backend->calls.table().memory_spaces;
      own.device_count = backend->calls.device_count();
    }
    write_struct(info, own);
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_runtime_backend_text(xlashape_runtime* runtime, int64_t ordinal, int32_t which, char* text,
                                              int64_t capacity, int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    const Backend* backend;
    XLASHAPE_TRY(backend_at(&runtime, ordinal, &backend, err));
    const FoundBackend& found = backend->found;
    switch (which) {
      case XLASHAPE_BACKEND_TEXT_NAME:
        return answer_text(backend->name, text, capacity, needed, err);
      case XLASHAPE_BACKEND_TEXT_PATH:
        return answer_text(found.path.empty() ? found.manifest : found.path, text, capacity, needed, err);
      case XLASHAPE_BACKEND_TEXT_DETAIL:
        return answer_text(clean_line(detail_of(*runtime, *backend)), text, capacity, needed, err);
      default:
        return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "which is %d, it must be one of XLASHAPE_BACKEND_TEXT_*",
                    which);
    }
  });
}

xlashape_status xlashape_runtime_device_text(xlashape_runtime* runtime, int64_t ordinal, int32_t device, char* text,
                                             int64_t capacity, int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    const Backend* backend;
    XLASHAPE_TRY(backend_at(&runtime, ordinal, &backend, err));
    if (backend->current_state() != XLASHAPE_BACKEND_STATE_READY)
      return fail(err, XLASHAPE_STATUS_NOT_FOUND, "backend %s is not in use: see the runtime's report",
                  backend->name.c_str());
    XLASHAPE_TRY(backend->calls.check_device(device, err));
    char line[1024];
    backend->calls.device_info(device, line, sizeof line);
    return answer_text(line, text, capacity, needed, err);
  });
}

}  // extern "C"
