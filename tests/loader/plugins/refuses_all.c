/* Nothing is wrong with it: it takes no operation at all. */
#include "plugin.h"
static xlashape_status refusing(void* self, const xlashape_op* op, xlashape_support* support, xlashape_error* err) {
  const xlashape_status status = supports(self, op, support, err);
  support->level = XLASHAPE_SUPPORT_NONE;
  return status;
}
ENTRY(refuses_all) {
  const xlashape_status status = open_as("refuses_all", host, backend, err);
  backend->supports = refusing;
  return status;
}
