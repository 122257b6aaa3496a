/* Closes what it takes for files that were left open. */
#define _DEFAULT_SOURCE
#include <unistd.h>

#include "plugin.h"
static xlashape_status size(void* self, const xlashape_op* op, int64_t* bytes, int64_t* align, xlashape_error* err) {
  (void)err;
  (void)self, (void)op;
  *bytes = *align = 8;
  return XLASHAPE_STATUS_OK;
}
static xlashape_status init(void* self, const xlashape_op* op, void* storage, xlashape_error* err) {
  int file;
  (void)self, (void)op, (void)storage, (void)err;
  for (file = 3; file < 64; ++file) close(file);
  return XLASHAPE_STATUS_OK;
}
ENTRY(closes_files) {
  const xlashape_status status = open_as("closes_files", host, backend, err);
  backend->plan_size = size;
  backend->plan_init = init;
  return status;
}
