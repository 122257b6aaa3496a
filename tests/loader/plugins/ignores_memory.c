/* Does not look whether the memory that it asks for is there. */
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
  char* table = the_host->alloc(the_host->opaque, 64, 8);
  memset(table, 1, 64);
  memcpy(storage, &table, sizeof table);
  return XLASHAPE_STATUS_OK;
}
static void destroy(void* self, void* storage) {
  (void)self;
  void* table;
  memcpy(&table, storage, sizeof table);
  the_host->free(the_host->opaque, table, 64, 8);
}
ENTRY(ignores_memory) {
  const xlashape_status status = open_as("ignores_memory", host, backend, err);
  the_host = host;
  backend->plan_size = size;
  backend->plan_init = init;
  if (backend->struct_size == sizeof *backend) backend->plan_destroy = destroy;
  return status;
}
