/* Takes its source from where the caller's memory begins, wherever in it the array is. Small offsets only: with large
 * ones it would die, and what it read could not be found wrong. */
#include "plugin.h"
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  xlashape_run other = *run;
  if (op->kind == XLASHAPE_OP_RELAYOUT && run->src_byte_offset < 4096) other.src_byte_offset = 0;
  return execute(self, storage, op, &other, err);
}
ENTRY(ignores_src_offset) {
  const xlashape_status status = open_as("ignores_src_offset", host, backend, err);
  backend->plan_execute = wrong;
  return status;
}
