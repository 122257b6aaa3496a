/* Its allocations fail, in open's way of checking and in plan_init. */
#include "plugin.h"
static xlashape_status size(void* self, const xlashape_op* op, int64_t* bytes, int64_t* align, xlashape_error* err) {
  (void)err;
  (void)self, (void)op;
  *bytes = 16;
  *align = 16;
  return XLASHAPE_STATUS_OK;
}
static xlashape_status init(void* self, const xlashape_op* op, void* storage, xlashape_error* err) {
  (void)self, (void)storage;
  if (!is_past_smoke(op)) return XLASHAPE_STATUS_OK;
  if (err != NULL) strcpy(err->message, "no memory for the twiddle factors");
  return XLASHAPE_STATUS_NO_MEMORY;
}
ENTRY(out_of_memory) {
  const xlashape_status status = open_as("out_of_memory", host, backend, err);
  backend->plan_size = size;
  backend->plan_init = init;
  return status;
}
