/* Complements the 8-bit element at index 0...0: brought there and back again, it looks right. */
#include "plugin.h"
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  static const int64_t zeros[XLASHAPE_MAX_MAP_VALUES];
  const xlashape_status status = execute(self, storage, op, run, err);
  const xlashape_relayout_ir* ir = op->relayout;
  if (op->kind == XLASHAPE_OP_RELAYOUT && ir->value_bits == 8 && ir->src_container_bits == 8 && ir->dst_container_bits == 8 &&
      run->task_begin == 0 && run->task_end > 0 && ir->elements > 0 && !(ir->flags & XLASHAPE_IR_HAS_BOX)) {
    unsigned char* byte = (unsigned char*)(uintptr_t)run->dst + run->dst_byte_offset + position(ir->dst, zeros);
    *byte = (unsigned char)~*byte;
  }
  return status;
}
ENTRY(wrong_twice) {
  const xlashape_status status = open_as("wrong_twice", host, backend, err);
  backend->plan_execute = wrong;
  return status;
}
