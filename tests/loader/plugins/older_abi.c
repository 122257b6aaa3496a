/* Speaks one that is gone. */
#include "plugin.h"
ENTRY(older_abi) {
  const xlashape_status status = open_as("older_abi", host, backend, err);
  backend->abi_version = 0;
  return status;
}
