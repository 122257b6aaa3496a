/* Leaves its name out, and gives that of its entry by a macro. */
#include "plugin.h"
#define NAME no_name
XLASHAPE_BACKEND_ENTRY(NAME)(const xlashape_host* host, xlashape_backend* backend, xlashape_error* err) {
  const xlashape_status status = open_as("no_name", host, backend, err);
  backend->name = NULL;
  return status;
}
