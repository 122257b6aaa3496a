/* Moves the right number of wrong bytes. */
#include "plugin.h"
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  const xlashape_status status = execute(self, storage, op, run, err);
  if (op->kind == XLASHAPE_OP_RELAYOUT && op->relayout->dst_high > 0 && run->task_begin == 0)
    ((unsigned char*)(uintptr_t)run->dst)[run->dst_byte_offset] ^= 1;
  return status;
}
ENTRY(wrong_everywhere) {
  const xlashape_status status = open_as("wrong_everywhere", host, backend, err);
  backend->plan_execute = wrong;
  return status;
}
