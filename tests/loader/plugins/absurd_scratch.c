/* Wants more scratch memory than there is. */
#include "plugin.h"
static xlashape_status wrong(void* self, const xlashape_op* op, xlashape_support* support, xlashape_error* err) {
  support->scratch_bytes = INT64_MAX;
  return supports(self, op, support, err);
}
ENTRY(absurd_scratch) {
  const xlashape_status status = open_as("absurd_scratch", host, backend, err);
  backend->supports = wrong;
  return status;
}
