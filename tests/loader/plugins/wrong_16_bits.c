/* Right for every element size but one: 16-bit elements come out with their bytes swapped in the last one. */
#include "plugin.h"
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  const xlashape_status status = execute(self, storage, op, run, err);
  if (op->kind == XLASHAPE_OP_RELAYOUT && op->relayout->dst_container_bits == 16 && run->task_begin == 0 &&
      op->relayout->elements > 1) {
    unsigned char* last = (unsigned char*)(uintptr_t)run->dst + run->dst_byte_offset + op->relayout->dst_high - 2;
    const unsigned char kept = last[0];
    last[0] = last[1];
    last[1] = kept;
  }
  return status;
}
ENTRY(wrong_16_bits) {
  const xlashape_status status = open_as("wrong_16_bits", host, backend, err);
  backend->plan_execute = wrong;
  return status;
}
