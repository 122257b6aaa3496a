/* Asks for a plan that no memory holds, at an alignment that there is not. */
#include "plugin.h"
static xlashape_status size(void* self, const xlashape_op* op, int64_t* bytes, int64_t* align, xlashape_error* err) {
  (void)err;
  (void)self;
  *bytes = is_past_smoke(op) ? (size_t)-1 : 8;
  *align = is_past_smoke(op) ? 3 : 8;
  return XLASHAPE_STATUS_OK;
}
static xlashape_status init(void* self, const xlashape_op* op, void* storage, xlashape_error* err) {
  (void)self, (void)op, (void)storage, (void)err;
  return XLASHAPE_STATUS_OK;
}
ENTRY(garbage_plan) {
  const xlashape_status status = open_as("garbage_plan", host, backend, err);
  backend->plan_size = size;
  backend->plan_init = init;
  return status;
}
