/* Its build_id looks like another line of a report. */
#include "plugin.h"
ENTRY(two_lines) {
  const xlashape_status status = open_as("two_lines", host, backend, err);
  backend->build_id = "1.0\n  scalar ready";
  return status;
}
