/* Only says so. */
#include "plugin.h"
ENTRY(says_sanitized) {
  const xlashape_status status = open_as("says_sanitized", host, backend, err);
  backend->sanitizer = "memory";
  return status;
}
