/* Reads the last byte of a vector that begins behind the source. */
#include "plugin.h"
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  if (is_past_smoke(op) && op->relayout->elements > 0)
    (void)*(volatile unsigned char*)(uintptr_t)(run->src + (uint64_t)(run->src_byte_offset + op->relayout->src_high) +
                                                31);
  return execute(self, storage, op, run, err);
}
ENTRY(reads_on) {
  const xlashape_status status = open_as("reads_on", host, backend, err);
  backend->plan_execute = wrong;
  return status;
}
