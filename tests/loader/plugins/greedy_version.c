/* Opens whatever it is offered, and fills its whole table into less room. */
#include "plugin.h"
ENTRY(greedy_version) {
  xlashape_host told = *host;
  told.abi_min = told.abi_max = XLASHAPE_BACKEND_ABI_VERSION;
  backend->struct_size = (uint32_t)sizeof *backend;
  return open_as("greedy_version", &told, backend, err);
}
