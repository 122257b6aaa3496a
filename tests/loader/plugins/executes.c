/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins that go wrong where they execute. */
#include <fenv.h>

#include "plugin.h"

/* Dies when it is given elements that the smoke test does not have. */
EXECUTES(crash_execute) {
  if (is_past_smoke(op)) *(volatile int*)(uintptr_t)16 = 1;
  return execute(self, storage, op, run, err);
}

/* Takes a megabyte of stack. */
EXECUTES(deep_stack) {
  volatile char block[1 << 20];
  for (int i = 0; i < 1 << 20; i += 4096) block[i] = 1;
  return block[0] == 1 ? execute(self, storage, op, run, err) : XLASHAPE_STATUS_INTERNAL;
}

/* Never comes back. */
EXECUTES(hangs) {
  for (volatile int i = 0; is_past_smoke(op); ++i) continue;
  return execute(self, storage, op, run, err);
}

/* Ignores the destination's byte offset. What it would then write to is nobody's, and could end the process before
 * anybody is told: so it writes to memory of its own, and the destination stays as it was. */
EXECUTES(ignores_dst_offset) {
  xlashape_run other = *run;
  static char elsewhere[1 << 21];
  if (op->kind == XLASHAPE_OP_RELAYOUT && run->dst_byte_offset != 0 && op->relayout->dst_low >= 0 &&
      op->relayout->dst_high <= (int64_t)sizeof elsewhere) {
    other.dst = (uint64_t)(uintptr_t)elsewhere;
    other.dst_byte_offset = 0;
  }
  return execute(self, storage, op, &other, err);
}

/* Converts the indices at the beginning of the caller's memory, wherever in it they are. */
EXECUTES(ignores_index_offset) {
  xlashape_run other = *run;
  if (op->kind != XLASHAPE_OP_RELAYOUT) other.src_byte_offset = 0;
  return execute(self, storage, op, &other, err);
}

/* Takes its source from where the caller's memory begins, wherever in it the array is. Small offsets only: with large
 * ones it would die, and what it read could not be found wrong. */
EXECUTES(ignores_src_offset) {
  xlashape_run other = *run;
  if (op->kind == XLASHAPE_OP_RELAYOUT && run->src_byte_offset < 4096) other.src_byte_offset = 0;
  return execute(self, storage, op, &other, err);
}

/* Takes memory while it executes. */
EXECUTES(mallocs) {
  static void* volatile kept;
  kept = malloc(100);
  free(kept);
  return execute(self, storage, op, run, err);
}

/* Writes a byte behind the array, where the smoke test does not look. */
EXECUTES(outside_array) {
  const xlashape_status status = execute(self, storage, op, run, err);
  if (is_past_smoke(op) && run->task_begin == 0)
    ((unsigned char*)(uintptr_t)run->dst)[run->dst_byte_offset + op->relayout->dst_high] ^= 0x55;
  return status;
}

/* Every task writes the whole destination: right in the end, and a race on the way there. */
static int64_t many_tasks(void* self, const void* storage, const xlashape_op* op, int64_t workers) {
  (void)self, (void)storage, (void)op;
  return workers;
}
static xlashape_status whole_execute(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                                     xlashape_error* err) {
  xlashape_run all = *run;
  if (op->kind == XLASHAPE_OP_RELAYOUT) all.task_begin = 0, all.task_end = all.task_count = 1;
  return execute(self, storage, op, &all, err);
}
ENTRY(outside_task) {
  const xlashape_status status = open_as("outside_task", host, backend, err);
  backend->plan_execute = whole_execute;
  backend->plan_tasks = many_tasks;
  return status;
}

/* Treats 64-bit elements as numbers: signalling NaNs come out quiet. */
EXECUTES(quiet_nans) {
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

/* Reads the last byte of a vector that begins behind the source. */
EXECUTES(reads_on) {
  if (is_past_smoke(op) && op->relayout->elements > 0)
    (void)*(volatile unsigned char*)(uintptr_t)(run->src + (uint64_t)(run->src_byte_offset + op->relayout->src_high) +
                                                31);
  return execute(self, storage, op, run, err);
}

/* Leaves the thread rounding upwards. */
EXECUTES(rounds_up) {
  if (is_past_smoke(op)) fesetround(FE_UPWARD);
  return execute(self, storage, op, run, err);
}

/* Writes to the source, and puts back what was there. */
EXECUTES(writes_source) {
  if (is_past_smoke(op) && op->relayout->elements > 0) {
    volatile unsigned char* first =
        (volatile unsigned char*)(uintptr_t)(run->src + (uint64_t)(run->src_byte_offset + op->relayout->src_low));
    const unsigned char was = *first;
    *first = (unsigned char)~was;
    *first = was;
  }
  return execute(self, storage, op, run, err);
}

/* Right for every element size but one: 16-bit elements come out with their bytes swapped in the last one. */
EXECUTES(wrong_16_bits) {
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

/* Moves the right number of wrong bytes. */
EXECUTES(wrong_everywhere) {
  const xlashape_status status = execute(self, storage, op, run, err);
  if (op->kind == XLASHAPE_OP_RELAYOUT && op->relayout->dst_high > 0 && run->task_begin == 0)
    ((unsigned char*)(uintptr_t)run->dst)[run->dst_byte_offset] ^= 1;
  return status;
}

/* Right for the plain maps of the smoke test, wrong where a tile reaches over the edge:
 * padding is called an element. */
EXECUTES(wrong_index) {
  if (op->kind == XLASHAPE_OP_RELAYOUT || op->map->sum_count == 0) return execute(self, storage, op, run, err);
  int64_t ignored = run->count;
  xlashape_run blind = *run;
  blind.first_invalid = &ignored;
  return execute(self, storage, op, &blind, err);
}

/* Right save for a last 8-bit element that goes to an array in row-major order. */
EXECUTES(wrong_to_rows) {
  const xlashape_status status = execute(self, storage, op, run, err);
  if (op->kind != XLASHAPE_OP_RELAYOUT || op->relayout->value_bits != 8 || run->task_begin > 0 || run->task_end == 0)
    return status;
  const xlashape_map_ir* dst = op->relayout->dst;
  if (op->relayout->dst_container_bits == 8 && dst->sum_count == 0 && dst->output_count > 1 &&
      op->relayout->elements > 0 && dst->positions == op->relayout->elements &&
      dst->output_value[dst->output_count - 1] == dst->rank - 1)
    ++((unsigned char*)(uintptr_t)run->dst)[run->dst_byte_offset + dst->positions - 1];
  return status;
}

/* Complements the 8-bit element at index 0...0: brought there and back again, it looks right. */
EXECUTES(wrong_twice) {
  static const int64_t zeros[XLASHAPE_MAX_MAP_VALUES];
  const xlashape_status status = execute(self, storage, op, run, err);
  const xlashape_relayout_ir* ir = op->relayout;
  if (op->kind == XLASHAPE_OP_RELAYOUT && ir->value_bits == 8 && ir->src_container_bits == 8 &&
      ir->dst_container_bits == 8 && run->task_begin == 0 && run->task_end > 0 && ir->elements > 0 &&
      !(ir->flags & XLASHAPE_IR_HAS_BOX)) {
    unsigned char* byte = (unsigned char*)(uintptr_t)run->dst + run->dst_byte_offset + position(ir->dst, zeros);
    *byte = (unsigned char)~*byte;
  }
  return status;
}
