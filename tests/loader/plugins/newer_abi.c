/* Speaks a plugin ABI that is yet to come, whatever was offered. */
#include "plugin.h"
ENTRY(newer_abi) {
  const xlashape_status status = open_as("newer_abi", host, backend, err);
  backend->abi_version = 7u << 16 | 3u;
  return status;
}
