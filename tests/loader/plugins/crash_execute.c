/* Dies when it is given elements that the smoke test does not have. */
#include "plugin.h"
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  if (is_past_smoke(op)) *(volatile int*)(uintptr_t)16 = 1;
  return execute(self, storage, op, run, err);
}
ENTRY(crash_execute) {
  const xlashape_status status = open_as("crash_execute", host, backend, err);
  backend->plan_execute = wrong;
  return status;
}
