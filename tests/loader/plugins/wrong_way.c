/* One of its ways moves wrong bytes. */
#include "chooses.h"
static xlashape_status run_it(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                              xlashape_error* err) {
  const xlashape_status status = honest_execute(self, storage, op, run, err);
  if (way_of(storage) == 1 && is_past_smoke(op) && run->task_begin == 0 && op->relayout->elements > 0)
    *(unsigned char*)(uintptr_t)(run->dst + (uint64_t)(run->dst_byte_offset + op->relayout->dst_low)) ^= 1;
  return status;
}
ENTRY(wrong_way) {
  const xlashape_status status = open_chooses("wrong_way", host, backend, err);
  backend->plan_execute = run_it;
  return status;
}
