/* Takes memory by malloc for each plan, and forgets it. */
#include "plugin.h"
static void* volatile lost;
static xlashape_status size(void* self, const xlashape_op* op, int64_t* bytes, int64_t* align, xlashape_error* err) {
  (void)err;
  (void)self, (void)op;
  *bytes = 8;
  *align = 8;
  return XLASHAPE_STATUS_OK;
}
static xlashape_status init(void* self, const xlashape_op* op, void* storage, xlashape_error* err) {
  (void)self, (void)op, (void)storage, (void)err;
  lost = malloc(200);
  return XLASHAPE_STATUS_OK;
}
ENTRY(loses_memory) {
  const xlashape_status status = open_as("loses_memory", host, backend, err);
  backend->plan_size = size;
  backend->plan_init = init;
  return status;
}
