/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins that convert values, and go wrong there. */
#include "plugin.h"

/* f32 to bf16 in row-major order, without rounding. */
static xlashape_status truncates_supports(void* self, const xlashape_op* op, xlashape_support* support,
                                          xlashape_error* err) {
  if (op->kind != XLASHAPE_OP_RELAYOUT_VALUES) return supports(self, op, support, err);
  const xlashape_relayout_ir* ir = op->relayout;
  const int plain = ir->src_container_bits == 32 && ir->dst_container_bits == 16 && ir->dst->sum_count == 0 &&
                    ir->dst->positions == ir->elements;
  support->level = plain ? XLASHAPE_SUPPORT_WORKS : XLASHAPE_SUPPORT_NONE;
  return XLASHAPE_STATUS_OK;
}
static xlashape_status truncates_execute(void* self, const void* storage, const xlashape_op* op,
                                         const xlashape_run* run, xlashape_error* err) {
  if (op->kind != XLASHAPE_OP_RELAYOUT_VALUES) return execute(self, storage, op, run, err);
  const uint32_t* src = (const uint32_t*)(uintptr_t)(run->src + (uint64_t)run->src_byte_offset);
  uint16_t* dst = (uint16_t*)(uintptr_t)(run->dst + (uint64_t)run->dst_byte_offset);
  for (int64_t i = 0; i < op->relayout->elements && run->task_begin == 0; ++i) dst[i] = (uint16_t)(src[i] >> 16);
  return XLASHAPE_STATUS_OK;
}
ENTRY(truncates) {
  const xlashape_status status = open_as("truncates", host, backend, err);
  backend->supports = truncates_supports;
  backend->plan_execute = truncates_execute;
  return status;
}
