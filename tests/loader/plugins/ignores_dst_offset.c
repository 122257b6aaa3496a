/* Ignores the destination's byte offset. What it would then write to is nobody's, and could end the process before
 * anybody is told: so it writes to memory of its own, and the destination stays as it was. */
#include "plugin.h"
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  xlashape_run other = *run;
  static char elsewhere[1 << 21];
  if (op->kind == XLASHAPE_OP_RELAYOUT && run->dst_byte_offset != 0 && op->relayout->dst_low >= 0 &&
      op->relayout->dst_high <= (int64_t)sizeof elsewhere) {
    other.dst = (uint64_t)(uintptr_t)elsewhere;
    other.dst_byte_offset = 0;
  }
  return execute(self, storage, op, &other, err);
}
ENTRY(ignores_dst_offset) {
  const xlashape_status status = open_as("ignores_dst_offset", host, backend, err);
  backend->plan_execute = wrong;
  return status;
}
