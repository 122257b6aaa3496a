/* Writes a byte behind the array, where the smoke test does not look. */
#include "plugin.h"
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  const xlashape_status status = execute(self, storage, op, run, err);
  if (is_past_smoke(op) && run->task_begin == 0)
    ((unsigned char*)(uintptr_t)run->dst)[run->dst_byte_offset + op->relayout->dst_high] ^= 0x55;
  return status;
}
ENTRY(outside_array) {
  const xlashape_status status = open_as("outside_array", host, backend, err);
  backend->plan_execute = wrong;
  return status;
}
