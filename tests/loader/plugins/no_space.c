/* Works in a memory that there is not. */
#include "plugin.h"
ENTRY(no_space) {
  const xlashape_status status = open_as("no_space", host, backend, err);
  backend->memory_spaces = 0;
  return status;
}
