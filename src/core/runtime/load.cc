// SPDX-License-Identifier: Apache-2.0
// Brings a backend from a file into use: maps, opens, checks and tests it. Each stage has a name for the report.
#include <cstring>

#include "base/line.h"
#include "platform/library.h"
#include "runtime/backend.h"
#include "runtime/smoke.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

constexpr size_t kMostDetail = 1024;

Status find_entry(const FoundBackend& found, xlashape_backend_open_fn* open, const char** stage, Error* err) {
  if constexpr (kDynamicBackends) {
    void* address;
    XLASHAPE_TRY(open_symbol(found.path, "xlashape_backend_open_" + found.entry, &address, stage, err));
    *open = reinterpret_cast<xlashape_backend_open_fn>(address);
    return XLASHAPE_STATUS_OK;
  }
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s", kNoLoader);
}

// Without dynamic backends, a backend is linked with its sanitizer.
bool is_present(const char* sanitizer) {
  if constexpr (kDynamicBackends) return has_sanitizer(sanitizer);
  return true;
}

Status run_stages(Backend& backend, const Hooks& hooks, const std::string& profile, const char** stage,
                  std::string* detail, std::string* profile_refusal, Error* err) {
  if (const uint64_t missing = backend.needs & ~backend.host.cpu_features[0])
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "it needs %s, which this machine (or XLASHAPE_CPU) lacks",
                feature_names(missing).c_str());
  xlashape_backend_open_fn open = backend.open;
  if (open == nullptr) XLASHAPE_TRY(find_entry(backend.found, &open, stage, err));
  XLASHAPE_TRY(backend.calls.open(backend.host, open, stage, err));
  // Closes a backend that was opened but not accepted, also when an exception passes.
  struct CloseUnlessAccepted {
    const BackendCalls& calls;
    bool accepted = false;
    ~CloseUnlessAccepted() {
      if (!accepted) calls.close();
    }
  } opened{backend.calls};
  const xlashape_backend& table = backend.calls.table();
  *stage = "name";
  if (backend.open == nullptr && table.name[0] == '\0')
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "its table has no name");
  if (backend.open == nullptr && backend.found.entry != table.name)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "it calls itself %s", Quoted(table.name).c_str());
  *stage = "sanitizer";
  if (table.sanitizer[0] != '\0' && !is_present(table.sanitizer))
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "it was built for the %s sanitizer, which this process does not have",
                Quoted(table.sanitizer).c_str());
  *stage = "profile";
  if (!profile.empty()) {
    xlashape_error own;
    own.struct_size = sizeof own;
    if (backend.calls.use_profile(profile.c_str(), &own) != XLASHAPE_STATUS_OK) *profile_refusal = own.message;
  }
  *stage = "smoke test";
  if (!backend.calls.is_for_device()) XLASHAPE_TRY(smoke_test(backend.calls, hooks, err));
  if (backend.calls.thrown() != nullptr) return fail(err, XLASHAPE_STATUS_INTERNAL, "%s", backend.calls.thrown());
  *detail = clean_line({table.build_id, strnlen(table.build_id, kMostDetail)});
  opened.accepted = true;
  return XLASHAPE_STATUS_OK;
}

}  // namespace

Status load(Backend& backend, const Hooks& hooks, const std::string& profile, std::string* detail,
            std::string* profile_refusal, Error* err) {
  const char* stage = "open";
  xlashape_error own;
  own.struct_size = sizeof own;
  own.message[0] = '\0';
  Status status;
  try {
    status = run_stages(backend, hooks, profile, &stage, detail, profile_refusal, &own);
  } catch (const Shortage& shortage) {
    status = fail(&own, XLASHAPE_STATUS_NO_MEMORY, "%s", shortage.what());
  }
  if (status == XLASHAPE_STATUS_OK) return status;
  *detail = std::string(stage) + ": " + own.message;
  return fail(err, status, "backend %s: %s: %s", backend.name.c_str(), stage, own.message);
}

}  // namespace xlashape::core
