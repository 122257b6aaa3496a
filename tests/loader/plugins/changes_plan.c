/* Keeps notes in the plan while it executes, which many threads may do at once. */
#include "plugin.h"
static xlashape_status size(void* self, const xlashape_op* op, int64_t* bytes, int64_t* align, xlashape_error* err) {
  (void)err;
  (void)self, (void)op;
  *bytes = 8;
  *align = 8;
  return XLASHAPE_STATUS_OK;
}
static xlashape_status init(void* self, const xlashape_op* op, void* storage, xlashape_error* err) {
  (void)self, (void)op, (void)err;
  memset(storage, 0, 8);
  return XLASHAPE_STATUS_OK;
}
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  ++*(int64_t*)(uintptr_t)storage;
  return execute(self, storage, op, run, err);
}
ENTRY(changes_plan) {
  const xlashape_status status = open_as("changes_plan", host, backend, err);
  backend->plan_size = size;
  backend->plan_init = init;
  backend->plan_execute = wrong;
  return status;
}
