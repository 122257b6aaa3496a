/* Overwrites the size of the answer that it fills. */
#include "plugin.h"
static xlashape_status wrong(void* self, const xlashape_op* op, xlashape_support* support, xlashape_error* err) {
  support->struct_size = 4;
  return supports(self, op, support, err);
}
ENTRY(resizes_answer) {
  const xlashape_status status = open_as("resizes_answer", host, backend, err);
  backend->supports = wrong;
  return status;
}
