/* Leaves out what every backend must have. */
#include "plugin.h"
ENTRY(no_slots) {
  const xlashape_status status = open_as("no_slots", host, backend, err);
  backend->plan_execute = NULL;
  return status;
}
