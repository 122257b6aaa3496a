// The C entry points of the section "Runtimes and backends".
#include <cstdio>
#include <cstring>

#include "api/answer.h"
#include "base/line.h"
#include "base/struct_io.h"
#include "runtime/registry.h"

using namespace xlashape;

namespace {

constexpr size_t kFirstOptionsSize = offsetof(xlashape_runtime_options, verify_positions);

template <size_t kSize>
void copy_text(char (&to)[kSize], const std::string& from) {
  const size_t size = std::min(from.size(), kSize - 1);
  std::memcpy(to, from.data(), size);
  to[size] = '\0';
}

template <size_t kSize>
void copy_line(char (&to)[kSize], std::string_view from) {
  clean_line(from, false, to, kSize);
}

}  // namespace

extern "C" {

xlashape_status xlashape_runtime_create(const xlashape_runtime_options* options, xlashape_runtime** runtime,
                                        xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(runtime, "runtime", err));
    xlashape_runtime_options own{};
    if (options != nullptr) XLASHAPE_TRY(read_struct(options, kFirstOptionsSize, &own, "options", err));
    Ref<Runtime> made;
    XLASHAPE_TRY(make_runtime(own, &made, err));
    *runtime = made.leak();
    return XLASHAPE_OK;
  });
}

xlashape_runtime* xlashape_runtime_retain(xlashape_runtime* runtime) { return Ref<Runtime>::share(runtime).leak(); }
void xlashape_runtime_release(xlashape_runtime* runtime) { release(runtime); }

xlashape_status xlashape_runtime_load_backend(xlashape_runtime* runtime, const char* path, size_t path_len,
                                              xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(path, "path", err));
    if (path_len == 0) return fail(err, XLASHAPE_INVALID_ARGUMENT, "path is empty");
    if (std::memchr(path, '\0', path_len) != nullptr)  // the system would look at what stands before it
      return fail(err, XLASHAPE_INVALID_ARGUMENT, "path holds a NUL");
    Runtime* rt = runtime_or_default(runtime, err);
    return rt == nullptr ? XLASHAPE_NO_MEMORY : load_backend(*rt, {path, path_len}, err);
  });
}

xlashape_status xlashape_runtime_add_backend(xlashape_runtime* runtime, const char* name, size_t name_len,
                                             xlashape_backend_open open, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(name, "name", err));
    if (name_len == 0) return fail(err, XLASHAPE_INVALID_ARGUMENT, "name is empty");
    if (open == nullptr) return fail(err, XLASHAPE_INVALID_ARGUMENT, "open is NULL");
    Runtime* rt = runtime_or_default(runtime, err);
    return rt == nullptr ? XLASHAPE_NO_MEMORY : add_backend(*rt, {name, name_len}, open, Origin::kAdded, 0, err);
  });
}

xlashape_status xlashape_runtime_report(xlashape_runtime* runtime, char* text, size_t capacity, size_t* needed,
                                        xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    Runtime* rt = runtime_or_default(runtime, err);
    if (rt == nullptr) return XLASHAPE_NO_MEMORY;
    return answer_text(report(*rt), text, capacity, needed, err);
  });
}

int64_t xlashape_runtime_backend_count(xlashape_runtime* runtime) {
  int64_t count = 0;
  guarded(nullptr, [&]() -> Status {
    Runtime* rt = runtime_or_default(runtime, nullptr);
    if (rt == nullptr) return XLASHAPE_NO_MEMORY;
    search(*rt);
    count = rt->backend_count.load();
    return XLASHAPE_OK;
  });
  return count;
}

xlashape_status xlashape_runtime_backend_info(xlashape_runtime* runtime, int64_t ordinal, xlashape_backend_info* info,
                                              xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_out_struct(info, sizeof(xlashape_backend_info), "info", err));
    Runtime* rt = runtime_or_default(runtime, err);
    if (rt == nullptr) return XLASHAPE_NO_MEMORY;
    search(*rt);
    if (ordinal < 0 || ordinal >= rt->backend_count)
      return fail(err, XLASHAPE_OUT_OF_RANGE, "backend %lld is not in [0, %d)", static_cast<long long>(ordinal),
                  rt->backend_count.load());
    const Backend& backend = *rt->backends[ordinal].load();
    xlashape_backend_info own{};
    own.priority = backend.priority;
    copy_text(own.name, backend.name);
    copy_text(own.path, backend.found.path.empty() ? backend.found.manifest : backend.found.path);
    {
      const std::lock_guard guard(rt->lock);
      own.state = backend.current_state();
      copy_line(own.detail, backend.shadowed ? "shadowed by " + shadowed_by(*rt, backend) : backend.current_detail());
    }
    own.device_count = -1;
    if (own.state == XLASHAPE_BACKEND_READY) {
      own.abi_version = backend.slots.table().abi_version;
      own.memory_space = backend.slots.table().memory_space;
      own.device_count = backend.slots.device_count();  // without the lock: it is the backend's code
    }
    write_struct(info, own);
    return XLASHAPE_OK;
  });
}

}  // extern "C"
