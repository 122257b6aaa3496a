/* plan_init writes more than plan_size asked for. */
#include "plugin.h"
static xlashape_status size(void* self, const xlashape_op* op, int64_t* bytes, int64_t* align, xlashape_error* err) {
  (void)err;
  (void)self, (void)op;
  *bytes = 24;
  *align = 8;
  return XLASHAPE_STATUS_OK;
}
static xlashape_status init(void* self, const xlashape_op* op, void* storage, xlashape_error* err) {
  (void)self, (void)err;
  memset(storage, 0x77, is_past_smoke(op) ? 32 : 24);
  return XLASHAPE_STATUS_OK;
}
ENTRY(outside_plan) {
  const xlashape_status status = open_as("outside_plan", host, backend, err);
  backend->plan_size = size;
  backend->plan_init = init;
  return status;
}
