/* Leaves the thread rounding upwards. */
#include <fenv.h>

#include "plugin.h"
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  if (is_past_smoke(op)) fesetround(FE_UPWARD);
  return execute(self, storage, op, run, err);
}
ENTRY(rounds_up) {
  const xlashape_status status = open_as("rounds_up", host, backend, err);
  backend->plan_execute = wrong;
  return status;
}
