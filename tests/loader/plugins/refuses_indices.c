/* Nothing is wrong with it: it takes no index batches. */
#include "plugin.h"
static xlashape_status refusing(void* self, const xlashape_op* op, xlashape_support* support, xlashape_error* err) {
  const xlashape_status status = supports(self, op, support, err);
  if (op->kind != XLASHAPE_OP_RELAYOUT) support->level = XLASHAPE_SUPPORT_NONE;
  return status;
}
ENTRY(refuses_indices) {
  const xlashape_status status = open_as("refuses_indices", host, backend, err);
  backend->supports = refusing;
  return status;
}
