/* Built for a sanitizer whose runtime the process does not have. */
#include "plugin.h"
ENTRY(sanitized) {
  const xlashape_status status = open_as("sanitized", host, backend, err);
  backend->sanitizer = "address";
  return status;
}
