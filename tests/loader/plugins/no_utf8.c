/* Its build_id is no UTF-8. */
#include "plugin.h"
ENTRY(no_utf8) {
  const xlashape_status status = open_as("no_utf8", host, backend, err);
  backend->build_id = "1.0 \xC3(";
  return status;
}
