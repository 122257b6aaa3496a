/* Takes memory from the host for each plan and keeps it. */
#include "plugin.h"
static const xlashape_host* the_host;
static xlashape_status size(void* self, const xlashape_op* op, int64_t* bytes, int64_t* align, xlashape_error* err) {
  (void)err;
  (void)self, (void)op;
  *bytes = sizeof(void*);
  *align = sizeof(void*);
  return XLASHAPE_STATUS_OK;
}
static xlashape_status init(void* self, const xlashape_op* op, void* storage, xlashape_error* err) {
  (void)self, (void)op, (void)err;
  void* kept = the_host->alloc(the_host->opaque, 32, 8);
  memcpy(storage, &kept, sizeof kept);
  return kept != NULL ? XLASHAPE_STATUS_OK : XLASHAPE_STATUS_NO_MEMORY;
}
ENTRY(leaks) {
  const xlashape_status status = open_as("leaks", host, backend, err);
  the_host = host;
  backend->plan_size = size;
  backend->plan_init = init;
  return status;
}
