/* Writes to the source, and puts back what was there. */
#include "plugin.h"
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  if (is_past_smoke(op) && op->relayout->elements > 0) {
    volatile unsigned char* first =
        (volatile unsigned char*)(uintptr_t)(run->src + (uint64_t)(run->src_byte_offset + op->relayout->src_low));
    const unsigned char was = *first;
    *first = (unsigned char)~was;
    *first = was;
  }
  return execute(self, storage, op, run, err);
}
ENTRY(writes_source) {
  const xlashape_status status = open_as("writes_source", host, backend, err);
  backend->plan_execute = wrong;
  return status;
}
