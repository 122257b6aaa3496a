/* Never comes back. */
#include "plugin.h"
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  for (volatile int i = 0; is_past_smoke(op); ++i) continue;
  return execute(self, storage, op, run, err);
}
ENTRY(hangs) {
  const xlashape_status status = open_as("hangs", host, backend, err);
  backend->plan_execute = wrong;
  return status;
}
