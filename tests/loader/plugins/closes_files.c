/* Closes what it takes for files that were left open. */
#define _DEFAULT_SOURCE
#include <unistd.h>

#include "plugin.h"
static xlashape_status size(void* self, const xlashape_op* op, size_t* bytes, size_t* align) {
  (void)self, (void)op;
  *bytes = *align = 8;
  return XLASHAPE_OK;
}
static xlashape_status init(void* self, const xlashape_op* op, int32_t device, void* storage, xlashape_error* err) {
  int file;
  (void)self, (void)op, (void)device, (void)storage, (void)err;
  for (file = 3; file < 64; ++file) close(file);
  return XLASHAPE_OK;
}
ENTRY(closes_files) {
  const xlashape_status status = open_as("closes_files", host, backend, err);
  backend->plan_size = size;
  backend->plan_init = init;
  return status;
}
