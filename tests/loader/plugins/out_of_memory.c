/* Its allocations fail, in open's way of checking and in plan_init. */
#include "plugin.h"
static xlashape_status size(void* self, const xlashape_op* op, size_t* bytes, size_t* align) {
  (void)self, (void)op;
  *bytes = 16;
  *align = 16;
  return XLASHAPE_OK;
}
static xlashape_status init(void* self, const xlashape_op* op, int32_t device, void* storage, xlashape_error* err) {
  (void)self, (void)device, (void)storage;
  if (!is_past_smoke(op)) return XLASHAPE_OK;
  if (err != NULL) strcpy(err->message, "no memory for the twiddle factors");
  return XLASHAPE_NO_MEMORY;
}
ENTRY(out_of_memory) {
  const xlashape_status status = open_as("out_of_memory", host, backend, err);
  backend->plan_size = size;
  backend->plan_init = init;
  return status;
}
