// From a file to a backend in use: mapped, opened, checked and tried, each step with a name for the report.
#include <cstring>

#include "runtime/backend.h"
#include "runtime/library.h"
#include "runtime/smoke.h"

namespace xlashape {
namespace {

bool on_cpu(const xlashape_backend& table) {
  return table.memory_space == 0 || table.memory_space == XLASHAPE_SPACE_CPU;
}

Status run_stages(Backend& backend, const Hooks& hooks, const char** stage, std::string* detail, Error* err) {
  xlashape_backend_open open = backend.open;
  if (open == nullptr) {
    void* address;
    XLASHAPE_TRY(open_symbol(backend.found.path, "xlashape_backend_open_" + backend.found.entry, &address, stage, err));
    open = reinterpret_cast<xlashape_backend_open>(address);
  }
  xlashape_backend& table = backend.table;
  XLASHAPE_TRY(open_backend(backend.host, open, &table, stage, err));
  // What was opened and is not taken is closed, also when an exception goes through.
  struct Closing {
    const xlashape_backend& table;
    bool taken = false;
    ~Closing() {
      if (!taken) table.close(table.self);
    }
  } closing{table};
  *stage = "name";
  if (backend.open == nullptr && backend.found.entry != table.name)
    return fail(err, XLASHAPE_INVALID_ARGUMENT, "it calls itself %s", Quoted(table.name).c_str());
  *stage = "sanitizer";
  if (table.sanitizer[0] != '\0' && !has_sanitizer(table.sanitizer))
    return fail(err, XLASHAPE_UNSUPPORTED, "it was built for the %s sanitizer, which this process does not have",
                Quoted(table.sanitizer).c_str());
  *stage = "smoke test";
  if (on_cpu(table)) XLASHAPE_TRY(smoke_test(table, hooks, err));
  *detail = table.build_id;
  closing.taken = true;
  return XLASHAPE_OK;
}

}  // namespace

Status load(Backend& backend, const Hooks& hooks, std::string* detail, Error* err) {
  const char* stage = "open";
  xlashape_error own;
  own.struct_size = sizeof own;
  own.message[0] = '\0';
  const Status status = run_stages(backend, hooks, &stage, detail, &own);
  if (status == XLASHAPE_OK) return status;
  own.message[sizeof own.message - 1] = '\0';  // a slot may have written it
  const char* reason = own.message[0] != '\0' ? own.message : xlashape_status_name(status);
  *detail = std::string(stage) + ": " + reason;
  return fail(err, status, "backend %s: %s: %s", backend.name.c_str(), stage, reason);
}

}  // namespace xlashape
