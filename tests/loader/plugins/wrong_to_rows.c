/* Right save for a last 8-bit element that goes to an array in row-major order. */
#include "plugin.h"
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  const xlashape_status status = execute(self, storage, op, run, err);
  if (op->kind != XLASHAPE_OP_RELAYOUT || op->relayout->value_bits != 8 || run->task_begin > 0 || run->task_end == 0)
    return status;
  const xlashape_map_ir* dst = op->relayout->dst;
  if (op->relayout->dst_container_bits == 8 && dst->sum_count == 0 && dst->output_count > 1 && op->relayout->elements > 0 &&
      dst->positions == op->relayout->elements && dst->output_value[dst->output_count - 1] == dst->rank - 1)
    ++((unsigned char*)(uintptr_t)run->dst)[run->dst_byte_offset + dst->positions - 1];
  return status;
}
ENTRY(wrong_to_rows) {
  const xlashape_status status = open_as("wrong_to_rows", host, backend, err);
  backend->plan_execute = wrong;
  return status;
}
