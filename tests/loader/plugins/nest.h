/* A backend for loop nests of bytes without guards, fast enough for arrays of real sizes: what is wrong in the files that
 * include this shows at sizes alone. */
#ifndef NEST_H_
#define NEST_H_
#include "plugin.h"

__extension__ typedef __int128 wide;

#ifndef LENGTH /* of a loop, as it is turned */
#define LENGTH(extent) (extent)
#endif
#ifndef OFFSET /* of bytes, as it is added */
#define OFFSET(bytes) (bytes)
#endif
#ifndef SPLIT /* where a task of so many begins in the outermost loop */
#define SPLIT(extent, task, count) ((int64_t)((wide)(extent) * (task) / (count)))
#endif

static xlashape_status nest_supports(void* self, const xlashape_op* op, xlashape_support* support, xlashape_error* err) {
  (void)err;
  (void)self;
  const xlashape_relayout_ir* ir = op->relayout;
  support->level = XLASHAPE_SUPPORT_NONE;
  if (op->kind == XLASHAPE_OP_RELAYOUT && ir->nest != NULL && ir->nest->guard_count == 0 &&
      ir->nest->loop_count <= 16 && ir->src_container_bits == ir->dst_container_bits && ir->dst_container_bits >= 8 &&
      ir->fill_loops == NULL)
    support->level = XLASHAPE_SUPPORT_NATIVE;
  return XLASHAPE_STATUS_OK;
}

static void turn(const xlashape_relayout_ir* ir, int loop, char* dst, const char* src, int64_t begin, int64_t end) {
  const xlashape_loops* nest = ir->nest;
  const int64_t width = ir->dst_container_bits / 8;
  if (loop == nest->loop_count) {
    memcpy(dst, src, (size_t)width);
    return;
  }
  const int64_t from = nest->src_stride[loop], to = nest->dst_stride[loop];
  if (loop + 1 == nest->loop_count && from == width && to == width) {
    if (end > begin) memcpy(dst + begin * to, src + begin * from, (size_t)((end - begin) * width));
    return;
  }
  for (int64_t i = begin; i < end; ++i)
    turn(ir, loop + 1, dst + OFFSET(i * to), src + OFFSET(i * from), 0,
         loop + 1 < nest->loop_count ? LENGTH(nest->extent[loop + 1]) : 0);
}

static xlashape_status nest_execute(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                                    xlashape_error* err) {
  (void)self, (void)storage, (void)err;
  const xlashape_relayout_ir* ir = op->relayout;
  const char* src = (const char*)(uintptr_t)(run->src + (uint64_t)run->src_byte_offset) + ir->nest->src_offset;
  char* dst = (char*)(uintptr_t)(run->dst + (uint64_t)run->dst_byte_offset) + ir->nest->dst_offset;
  if (ir->nest->loop_count == 0) {
    if (run->task_begin == 0 && run->task_end > 0) turn(ir, 0, dst, src, 0, 0);
    return XLASHAPE_STATUS_OK;
  }
  const int64_t extent = LENGTH(ir->nest->extent[0]);
  turn(ir, 0, dst, src, SPLIT(extent, run->task_begin, run->task_count), SPLIT(extent, run->task_end, run->task_count));
  return XLASHAPE_STATUS_OK;
}

#define NEST_ENTRY(NAME, NAME_TEXT)                                        \
  ENTRY(NAME) {                                                            \
    const xlashape_status status = open_as(NAME_TEXT, host, backend, err); \
    backend->supports = nest_supports;                                     \
    backend->plan_execute = nest_execute;                                  \
    return status;                                                         \
  }
#endif
