/* SPDX-License-Identifier: Apache-2.0 */
/* Backends for loop nests of bytes without guards, fast enough for arrays of real sizes: what is wrong in them shows at
 * sizes alone. */
#include "plugin.h"

__extension__ typedef __int128 wide;

enum { NO_FAULT, SHORT_LOOPS, COUNTS_BYTES, NEAR_OFFSETS, NARROW_SPLIT };

/* Of a loop, as it is turned. */
static int64_t length_of(int fault, const xlashape_relayout_ir* ir, int64_t extent) {
  if (fault == SHORT_LOOPS && extent > 4096) return extent - 1;
  return fault == COUNTS_BYTES && ir->elements > INT32_MAX ? 0 : extent;
}

/* Of bytes, as it is added. */
static int64_t offset_of(int fault, int64_t bytes) { return fault == NEAR_OFFSETS ? (int32_t)bytes : bytes; }

/* Where a task of so many begins in the outermost loop. */
static int64_t split(int fault, int64_t extent, int64_t task, int64_t count) {
  if (fault == NARROW_SPLIT) return (int64_t)((uint32_t)extent * (uint64_t)(uint32_t)task / (uint64_t)(uint32_t)count);
  return (int64_t)((wide)extent * task / count);
}

static xlashape_status nest_supports(void* self, const xlashape_op* op, xlashape_support* support,
                                     xlashape_error* err) {
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

static void turn(int fault, const xlashape_relayout_ir* ir, int loop, char* dst, const char* src, int64_t begin,
                 int64_t end) {
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
    turn(fault, ir, loop + 1, dst + offset_of(fault, i * to), src + offset_of(fault, i * from), 0,
         loop + 1 < nest->loop_count ? length_of(fault, ir, nest->extent[loop + 1]) : 0);
}

static xlashape_status nest_execute(int fault, const xlashape_op* op, const xlashape_run* run) {
  const xlashape_relayout_ir* ir = op->relayout;
  const char* src = (const char*)(uintptr_t)(run->src + (uint64_t)run->src_byte_offset) + ir->nest->src_offset;
  char* dst = (char*)(uintptr_t)(run->dst + (uint64_t)run->dst_byte_offset) + ir->nest->dst_offset;
  if (ir->nest->loop_count == 0) {
    if (run->task_begin == 0 && run->task_end > 0) turn(fault, ir, 0, dst, src, 0, 0);
    return XLASHAPE_STATUS_OK;
  }
  const int64_t extent = length_of(fault, ir, ir->nest->extent[0]);
  turn(fault, ir, 0, dst, src, split(fault, extent, run->task_begin, run->task_count),
       split(fault, extent, run->task_end, run->task_count));
  return XLASHAPE_STATUS_OK;
}

#define NESTS(name, fault)                                                                      \
  static xlashape_status name##_execute(void* self, const void* storage, const xlashape_op* op, \
                                        const xlashape_run* run, xlashape_error* err) {         \
    (void)self, (void)storage, (void)err;                                                       \
    return nest_execute(fault, op, run);                                                        \
  }                                                                                             \
  ENTRY(name) {                                                                                 \
    const xlashape_status status = open_as(#name, host, backend, err);                          \
    backend->supports = nest_supports;                                                          \
    backend->plan_execute = name##_execute;                                                     \
    return status;                                                                              \
  }

/* Nothing is wrong with it. */
NESTS(nests, NO_FAULT)

/* Leaves out the last round of loops of more than 4096. */
NESTS(short_loops, SHORT_LOOPS)

/* Moves nothing of arrays with more elements than 31 bits count. */
NESTS(counts_bytes, COUNTS_BYTES)

/* Adds up offsets of less than 2 GiB only. */
NESTS(near_offsets, NEAR_OFFSETS)

/* Takes the numbers of tasks, and of what they share, for 32-bit ones. */
NESTS(narrow_split, NARROW_SPLIT)
