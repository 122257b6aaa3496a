/* Takes memory while it executes. */
#include "plugin.h"
static void* volatile kept;
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  kept = malloc(100);
  free(kept);
  return execute(self, storage, op, run, err);
}
ENTRY(mallocs) {
  const xlashape_status status = open_as("mallocs", host, backend, err);
  backend->plan_execute = wrong;
  return status;
}
