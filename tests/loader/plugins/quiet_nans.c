/* Treats 64-bit elements as numbers: signalling NaNs come out quiet. */
#include "plugin.h"
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  const xlashape_status status = execute(self, storage, op, run, err);
  if (op->kind != XLASHAPE_OP_RELAYOUT || op->relayout->dst_container_bits != 64 || run->task_begin > 0) return status;
  for (int64_t at = op->relayout->dst_low; at + 8 <= op->relayout->dst_high; at += 8) {
    uint64_t bits;
    unsigned char* p = (unsigned char*)(uintptr_t)run->dst + run->dst_byte_offset + at;
    memcpy(&bits, p, 8);
    if ((bits & 0x7FF0000000000000u) == 0x7FF0000000000000u && (bits & 0xFFFFFFFFFFFFFu) != 0) bits |= 1ull << 51;
    memcpy(p, &bits, 8);
  }
  return status;
}
ENTRY(quiet_nans) {
  const xlashape_status status = open_as("quiet_nans", host, backend, err);
  backend->plan_execute = wrong;
  return status;
}
