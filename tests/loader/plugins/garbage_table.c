/* Says that it filled more than there is. */
#include "plugin.h"
ENTRY(garbage_table) {
  const xlashape_status status = open_as("garbage_table", host, backend, err);
  backend->struct_size = 0xFFFFFF00u;
  return status;
}
