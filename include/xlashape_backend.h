/* SPDX-License-Identifier: Apache-2.0 */
/* xlashape backends: what a plugin sees. Includes xlashape_runtime.h for statuses, errors, memory spaces, queues and
 * executors only: a plugin calls none of the library's functions and never links it.
 *
 * A backend is a shared object `<name>.so` that exports one function, named after it:
 *
 *     XLASHAPE_BACKEND_ENTRY(name)(const xlashape_host* host, xlashape_backend* backend, xlashape_error* err) { ... }
 *
 * It gets a host table, fills a backend table, and from then on sees only operations in the forms below (map_ir,
 * relayout_ir): plain arrays that the core derives. It never sees a shape, a layout, a tile or a text.
 *
 * Both tables and every struct are append-only and start with struct_size. A backend reads no further than the size it
 * is given, fills no further than the struct_size that the core preset, and does not touch what it does not know.
 * Nothing may throw, abort, print or longjmp through these functions; an exception counts as that slot's failure, and
 * the backend gets no new plans. An error record belongs to the core: its message, whatever it holds, is shown as one
 * line of UTF-8, under the backend's number. docs/backends.md is the tutorial.
 */
#ifndef XLASHAPE_BACKEND_H_
#define XLASHAPE_BACKEND_H_

#include "xlashape_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

#define XLASHAPE_BACKEND_ABI_VERSION 1u /* 0.1: major << 16 | minor */

/* Limits of what the core passes to backends. */
#define XLASHAPE_MAX_MAP_VALUES 1024 /* rank + value_count of a map */
#define XLASHAPE_MAX_LOOPS 2048      /* of a nest, and so its guards */

/* == The index map =============================================================================================== *
 *
 * A straight-line program from a multidimensional index to a position, and back.
 *
 * Values 0 .. rank-1 are the logical indices. Sum s adds up coefficient x value over its terms; it is then divided into
 * its values, outermost (largest divisor) first, each from the remainder of the one before. The position is the sum of
 * stride x value over the outputs.
 *
 *     for s in 0 .. sum_count-1:
 *       x = sum of term_coefficient[t] * value[term_value[t]]  for t in sum_first_term[s] .. sum_first_term[s+1]-1
 *       for v in sum_first_value[s] .. sum_first_value[s+1]-1:
 *         value[rank + v] = x / value_divisor[v];  x = x mod value_divisor[v]
 *     position = first_position + sum of output_stride[o] * value[output_value[o]]  for o in 0 .. output_count-1
 *
 * Backwards: outputs are most major first, and each stride divides the one before, so
 *     value[output_value[o]] = position / output_stride[o];  position = position mod output_stride[o];
 * other values are 0. Then the sums from last to first: x = sum of value_divisor[v] * value[rank + v] over
 * the values of s; x >= sum_bound[s] means padding; else x is divided into its terms, largest coefficient first, in
 * the same way. (A sum without terms only checks its bound.) Finally an index >= its dimension means padding, and so
 * does any position >= data_positions. rank + value_count is at most XLASHAPE_MAX_MAP_VALUES.
 *
 * A *strided* side has no inverse: output_extent is NULL, and strides may be 0 or negative. They are in bytes, or in
 * containers; then no element's position is below 0.
 *
 * Reciprocals: for 0 <= x < 2^63,  x / d = mulhi64(2x, magic) >> shift  exactly, with l = ceil(log2 d),
 * magic = ceil(2^(63+l) / d), shift = l.                                                                            */
typedef struct xlashape_map_ir {
  uint32_t struct_size;
  int32_t unit_bits; /* bits per position: the container's width; 8 where strides are in bytes */
  int32_t rank;
  int32_t sum_count;
  int32_t value_count; /* values beyond the logical indices: value rank + v is described at [v] below */
  int32_t term_count;
  int32_t output_count;
  int32_t reserved;
  int64_t positions;              /* of the whole storage, including the tail; -1 for a strided side */
  int64_t data_positions;         /* without the tail */
  const int64_t* dimensions;      /* [rank] logical bounds */
  const int32_t* sum_first_term;  /* [sum_count + 1] */
  const int32_t* sum_first_value; /* [sum_count + 1] */
  const int64_t* sum_bound;       /* [sum_count] */
  const int32_t* term_value;      /* [term_count] */
  const int64_t* term_coefficient;
  const uint64_t* term_magic;   /* reciprocal of term_coefficient */
  const int32_t* term_shift;
  const int64_t* value_divisor; /* [value_count] */
  const uint64_t* value_magic;  /* reciprocal of value_divisor */
  const int32_t* value_shift;
  const int32_t* output_value;  /* [output_count] */
  const int64_t* output_stride;
  const int64_t* output_extent; /* NULL on a strided side, as are the next two */
  const uint64_t* output_magic; /* reciprocal of output_stride */
  const int32_t* output_shift;
  int64_t first_position; /* of index 0...0; 0 unless the side is strided */
} xlashape_map_ir;

/* == The loop nest =============================================================================================== *
 *
 * Loops in any order (each combination of loop indices is one element, or none):
 *     offset = base + sum of i[l] * stride[l]
 * A loop with guard[l] = g >= 0 is part of a ragged dimension: over all loops with that guard
 *     low[g] <= sum of i[l] * step[l] < high[g]
 * must hold, or there is no element. Along one guard, loops come outermost first, and the step of each is the product
 * of the steps inside it (a mixed-radix number); step is 0 for unguarded loops. A nest has at most XLASHAPE_MAX_LOOPS
 * loops, and no more guards than loops. On each side the absolute values of the offset of i = 0...0 and of extent times
 * stride of all loops have a sum that fits int64_t, and so has every subset of them, also where a guard says that there
 * is no element. */
typedef struct xlashape_loops {
  uint32_t struct_size;
  int32_t loop_count;
  int32_t guard_count;
  int32_t reserved;
  const int64_t* extent;     /* [loop_count] */
  const int64_t* src_stride; /* in units of relayout_ir.src_unit_bits; NULL for fill loops */
  const int64_t* dst_stride; /* in units of relayout_ir.dst_unit_bits */
  const int64_t* step;
  const int32_t* guard;
  const int64_t* low; /* [guard_count] */
  const int64_t* high;
  int64_t src_offset; /* the base: where i = 0...0 lies, even if a guard excludes it; in the units of the strides */
  int64_t dst_offset;
} xlashape_loops;

/* == The value step =============================================================================================== *
 *
 * What happens to an element between its two containers, for operations of the kind XLASHAPE_OP_RELAYOUT_VALUES. A
 * backend that does not know the kind, or not this step, refuses the operation.
 *
 * XLASHAPE_VALUES_SRC_HIGH_FIRST, _DST_HIGH_FIRST: the packed containers of that side start in the *highest* bits of a
 * byte, so that container j of a byte has bits 8 - (j + 1) * container_bits and up. Spare bits are then the lowest.
 *
 * XLASHAPE_VALUES_CONVERT: the low bits of the source's container are a number of the format `src`; the destination's
 * container gets that number in the format `dst`, and zeros above it. Without this flag bits are moved, as without the
 * step. Numbers are converted as XLA and ml_dtypes do.
 *
 * To a float: the nearest number, of two equally near ones the one whose last bit is 0 (without a fraction: the larger
 * one). Beyond the largest: infinity; NaN where there is none; the largest where there is neither. A NaN becomes the
 * quiet NaN with its sign; without a NaN, the zero of the other sign. Without a zero, 0 and negative numbers become
 * NaN, and what is below the smallest becomes that.
 *
 * From a float to an integer: the fraction is cut off; beyond the range its nearest end; NaN is 0. From an integer to
 * another one: the low bits. To a bool: whether it is not 0, as NaN is not. From a bool: 0, or 1 for any byte but 0.
 *
 * XLASHAPE_VALUES_SATURATE: an integer becomes the nearest end of another one's range, and what is beyond the largest
 * finite float (infinity, too) becomes that.
 *
 * XLASHAPE_VALUES_QUANTIZE, with s = scale[c] and z = zero_point[c] of the element's channel c: a real x becomes the
 * integer round(x / s) + z, or the nearest end of the range; round() is to the nearest, of two to the even one, and NaN
 * becomes z. Or it becomes the float x / s, converted as above.
 *
 * XLASHAPE_VALUES_DEQUANTIZE: the integer q becomes (q - z) * s, the float q becomes q * s, converted as above. x / s,
 * q - z and the product are rounded to f32, or to f64 where the real type is that.
 *
 * The channel is 0 where scale_count is 1, else the source's index (with src_base) along scale_dimension; in the nest
 * it is scale_offset + sum of i[l] * scale_step[l]. */
#define XLASHAPE_NUMBER_BOOL 1
#define XLASHAPE_NUMBER_UNSIGNED 2
#define XLASHAPE_NUMBER_SIGNED 3
#define XLASHAPE_NUMBER_FLOAT 4
#define XLASHAPE_FLOAT_INFINITY (1u << 0)      /* exponent all ones, as IEEE 754 has it; then NaN, too */
#define XLASHAPE_FLOAT_NAN (1u << 1)           /* without infinity: all ones; without a negative zero: its place */
#define XLASHAPE_FLOAT_NEGATIVE_ZERO (1u << 2)
#define XLASHAPE_FLOAT_ZERO (1u << 3)          /* else the lowest exponent is a normal one, and there is no sign */

/* How bits mean a number. */
typedef struct xlashape_number {
  xlashape_element_type type;
  int32_t kind;
  int32_t bits;
  int32_t fraction_bits; /* of a float, as are the next two; the exponent has the rest, below the sign */
  int32_t exponent_bias;
  uint32_t specials;
} xlashape_number;

#define XLASHAPE_VALUES_CONVERT (1u << 0)
#define XLASHAPE_VALUES_SATURATE (1u << 1)
#define XLASHAPE_VALUES_QUANTIZE (1u << 2)
#define XLASHAPE_VALUES_DEQUANTIZE (1u << 3)
#define XLASHAPE_VALUES_SRC_HIGH_FIRST (1u << 4)
#define XLASHAPE_VALUES_DST_HIGH_FIRST (1u << 5)
typedef struct xlashape_value_ir {
  uint32_t struct_size;
  uint32_t flags;
  xlashape_number src;
  xlashape_number dst;
  int32_t scale_count; /* 0: none */
  int32_t scale_dimension;
  int32_t loop_count; /* the nest's where there are channels, else 0 */
  int32_t reserved;
  const float* scale;        /* [scale_count] */
  const int32_t* zero_point; /* [scale_count] */
  const int64_t* scale_step; /* [loop_count] */
  int64_t scale_offset;
} xlashape_value_ir;

/* == The relayout ================================================================================================= *
 *
 * Meaning. With a box, or onto a strided destination: for every index i of `extent`, write the source element at
 * src_base + i to the destination's dst_base + i; nothing else is touched. Otherwise, for every destination position in
 * order: run the inverse of the destination map, then write the source element found there, or the fill.
 * Boxes of one destination may be written at the same time. Where containers are packed, a byte on the CPU may hold
 * elements of two of them, so its other bits may change at any moment: such a byte is changed atomically (compare and
 * exchange; or `and`, then `or`), one whose elements are all in the box by an ordinary store.
 *
 * An element: with `values`, see the value step below. Else, when both containers are equally wide, its bits are moved
 * as they are. Else its low `value_bits` are
 * taken, whatever is above them, and all bits above them in the destination's container are 0, also where the value has
 * a sign (as XLA and ml_dtypes have an int4 in a byte). Containers of whole bytes are numbers in the machine's byte
 * order. Packed containers (1, 2, 4 bits) start in the lowest bits of a byte; bits of the destination's last byte that
 * belong to no position are spare: with the policy FILL_PADDING they are written as 0, also where has_padding is 0,
 * else they keep their values.
 *
 * `nest` is the fast form with the same meaning for the elements, or NULL where the two sides have no common factors or
 * the loops would not fit 64 bits.
 * `fill_loops` lists all factors of the destination: a position whose guards hold is an element, any other is padding;
 * the tail is positions data_positions .. positions. It is given when nest is and there is something to fill. */
#define XLASHAPE_IR_HAS_BOX (1u << 16)     /* only the box is written */
#define XLASHAPE_IR_IS_IDENTITY (1u << 17) /* both sides lay out every position alike: src may equal dst, and then
                                              memcpy of a buffer onto itself is not allowed */
#define XLASHAPE_IR_KEEP_IN_CACHE (1u << 1) /* the caller reads the result at once */
typedef struct xlashape_relayout_ir {
  uint32_t struct_size;
  uint32_t flags;
  int32_t value_bits;
  int32_t reserved;
  int32_t src_container_bits; /* 1, 2, 4, 8, 16, 32, 64, 128 */
  int32_t dst_container_bits;
  xlashape_fill_policy fill_policy; /* PRESERVE with a box */
  int32_t has_padding;              /* some destination position, in the tail or elsewhere, holds no element */
  uint8_t fill[16];                 /* one destination container as stored in memory; packed: in the low bits */
  const xlashape_map_ir* src;
  const xlashape_map_ir* dst;
  const int64_t* src_base; /* [rank] */
  const int64_t* dst_base;
  const int64_t* extent;
  int64_t elements; /* product of extent */
  int64_t src_low;  /* bytes touched lie in [pointer + low, pointer + high) */
  int64_t src_high;
  int64_t dst_low;
  int64_t dst_high;
  int32_t src_unit_bits; /* units of the nest's strides: 8 (bytes), or the container's bits when packed */
  int32_t dst_unit_bits;
  const xlashape_loops* nest;
  const xlashape_loops* fill_loops;
  const xlashape_value_ir* values; /* NULL, but for an operation of the kind XLASHAPE_OP_RELAYOUT_VALUES */
} xlashape_relayout_ir;

/* == Operations ================================================================================================== */

#define XLASHAPE_OP_TO_LINEAR 1           /* multidimensional indices -> linear */
#define XLASHAPE_OP_TO_MULTIDIMENSIONAL 2 /* linear -> multidimensional indices */
#define XLASHAPE_OP_RELAYOUT 3
#define XLASHAPE_OP_RELAYOUT_VALUES 4 /* with a value step */
typedef struct xlashape_op {
  uint32_t struct_size;
  int32_t kind;
  xlashape_memory_space src_space;
  xlashape_memory_space dst_space;
  const xlashape_relayout_ir* relayout;
  const xlashape_map_ir* map; /* for an index batch, as are the next three */
  int64_t index_step;         /* index i, dimension d at i * index_step + d * dimension_step, in int64 units */
  int64_t dimension_step;
  uint32_t flags; /* XLASHAPE_INDEX_MARK_INVALID */
  int32_t device; /* 0: the one that is current in the calling thread, or the backend's first; or XLASHAPE_DEVICE(n) */
} xlashape_op;

#define XLASHAPE_SUPPORT_NONE 0
#define XLASHAPE_SUPPORT_WORKS 1
#define XLASHAPE_SUPPORT_NATIVE 2
typedef struct xlashape_support {
  uint32_t struct_size;
  int32_t level;
  int64_t src_alignment; /* bytes; 0 means 1 */
  int64_t dst_alignment;
  int64_t scratch_bytes; /* that an execution may be given, at most 4 GiB; it may be given none: see xlashape_run */
  int64_t scratch_alignment;
  int64_t src_preferred_alignment; /* what is fastest; 0 means src_alignment */
  int64_t dst_preferred_alignment;
} xlashape_support;

/* One execution of tasks [task_begin, task_end) out of task_count, on the calling thread, or enqueued on the queue. */
typedef struct xlashape_run {
  uint32_t struct_size;
  int32_t reserved;
  xlashape_queue queue;
  uint64_t src; /* addresses (or cl_mem + offset) of position 0; index batches: the input */
  uint64_t dst; /* index batches: the output */
  int64_t src_byte_offset;
  int64_t dst_byte_offset;
  int64_t task_begin;
  int64_t task_end;
  int64_t task_count;
  int64_t count;          /* index batches: number of indices; tasks split [0, count) evenly in multiples of 64 */
  int64_t* first_invalid; /* index batches: in: count; out: the number, within the whole batch and not within the tasks,
                             of the smallest invalid index among those run, if smaller. Each call has its own: no
                             atomics. NULL with a queue, which requires MARK_INVALID */
  int64_t* invalid_count; /* with MARK_INVALID, nullable, NULL with a queue: add the number of invalid entries. Each
                             call has its own */
  uint64_t scratch;      /* of the whole execution, so shared by its tasks, in the destination's space; 0: the caller
                            has none, and the backend reserves it in plan_size, asks its host, or does without */
  int64_t scratch_bytes; /* at least what `supports` answered */
} xlashape_run;

/* == Measuring =================================================================================================== *
 * A plan may have several ways to run, its *candidates*: all move the same bytes, and which is fastest depends on the
 * machine. Where a program asks for it (xlashape_plan_create_measured) they are timed, and the core keeps the text
 * of the fastest. */
#define XLASHAPE_MAX_CANDIDATES 64             /* that the core asks for, of one plan */
#define XLASHAPE_CHOICE_BYTES 256              /* of a candidate's text, with its NUL */
#define XLASHAPE_CALIBRATION_BYTES (16 * 1024) /* of a backend's lines about a processor, with their NUL */

/* How `calibrate` is to measure. */
typedef struct xlashape_calibration {
  uint32_t struct_size;
  int32_t reserved;
  int64_t budget_ns;                 /* about as long as it may take; more than 0 */
  const xlashape_executor* executor; /* never NULL, nor is its parallel_for; max_workers 1: the calling thread */
  xlashape_progress_fn progress;     /* nullable: to be called now and then, on the calling thread */
  void* progress_opaque;
  const int32_t* cancel; /* nullable: once it is not 0 the answer is CANCELLED; read by an atomic load (acquire) */
} xlashape_calibration;

/* == The two tables ============================================================================================== */

typedef struct xlashape_host {
  uint32_t struct_size;
  uint32_t abi_min; /* plugin ABI versions that this core supports */
  uint32_t abi_max;
  uint32_t source; /* ordinal of this backend + 1: for err->source and log */
  void* opaque;    /* passed back to the functions below */
  void*(XLASHAPE_CALL* alloc)(void* opaque, size_t size, size_t alignment);
  void(XLASHAPE_CALL* free)(void* opaque, void* pointer, size_t size, size_t alignment);
  void(XLASHAPE_CALL* log)(void* opaque, int32_t level, uint32_t source, const char* text, int64_t text_len);
  uint64_t cpu_features[4]; /* XLASHAPE_CPU_*, filtered by the operating system and by XLASHAPE_CPU */
  int64_t l1_bytes;         /* data caches, per core; 0 unknown */
  int64_t l2_bytes;
  int64_t l3_bytes;
  const char* manifest_path; /* "" without one */
  int64_t process_id;        /* of the process that loaded the backend: compare after fork */
  void* user;                /* what xlashape_runtime_add_backend was given; NULL for a backend that was found */
  /* The value that the runtime's options, or XLASHAPE_BACKEND_OPTIONS, give this backend for a key; NULL where they
   * give none. Valid as long as the host table. `key` is the key without the backend's name: "kernels" of
   * "cuda.kernels=portable". */
  const char*(XLASHAPE_CALL* option)(void* opaque, const char* key);
} xlashape_host;

/* cpu_features[0] */
#define XLASHAPE_CPU_SSE2 (1ull << 0)
#define XLASHAPE_CPU_SSSE3 (1ull << 1)
#define XLASHAPE_CPU_SSE4 (1ull << 2)    /* with POPCNT, PCLMUL and AES */
#define XLASHAPE_CPU_AVX2 (1ull << 3)    /* with BMI2, FMA, F16C */
#define XLASHAPE_CPU_AVX3 (1ull << 4)    /* AVX-512 F, VL, DQ, BW, CD */
#define XLASHAPE_CPU_AVX3_DL (1ull << 5) /* with IFMA, VBMI, VBMI2, VNNI, BITALG, GFNI, ... */
#define XLASHAPE_CPU_NEON (1ull << 32)
#define XLASHAPE_CPU_SVE (1ull << 33)

/* `supports` and `plan_execute` are there; `plan_size` and `plan_init` are both there or both NULL; every other slot
 * may be NULL. `self` is what open stored. Slots may be called from several threads at once. A backend is opened once
 * for each runtime that uses it, each time with a separate host table, which lives until close has returned, and closed
 * with the runtime: keep what belongs to a host in `self`. Threads that execute have at least 256 KiB of stack,
 * including the library's frames; the conformance kit runs plan_execute on such a thread. `device`, in the slots and in
 * an operation: 0 is the device that is current in the calling thread, or the first; else it is
 * XLASHAPE_DEVICE(n). */
typedef struct xlashape_backend {
  uint32_t struct_size; /* preset by the core: fill no further */
  uint32_t abi_version; /* chosen by open, within [abi_min, abi_max] */
  void* self;
  const char* name;       /* static text, the entry name */
  const char* build_id;   /* static text: version, targets */
  const char* sanitizer;  /* "" or "address", "thread", ...: what it was built with */
  uint64_t memory_spaces; /* that it works in, XLASHAPE_SPACE_BIT of each, at least one. A backend without the CPU's
                             works for a device: plans between host buffers choose it only by name */

  /* Releases everything; no callback comes after it. */
  void(XLASHAPE_CALL* close)(void* self);
  int32_t(XLASHAPE_CALL* device_count)(void* self);
  /* One line about a device, as `describe` gives one. */
  int64_t(XLASHAPE_CALL* device_info)(void* self, int32_t device, char* text, int64_t capacity);

  /* Whether and how well this backend does the operation: `support` comes zeroed, which means no. The status is OK for
   * a no, too; the message in `err` then says why, and is shown where this backend was asked for by name. `err` is NULL
   * when the reason is not needed. Pure; allocates nothing. */
  xlashape_status(XLASHAPE_CALL* supports)(void* self, const xlashape_op* op, xlashape_support* support,
                                           xlashape_error* err);
  /* The core allocates `bytes` at `alignment` for the backend's part of the plan. `op` and all it points to live as
   * long as the plan, so plan_init may keep the pointer. plan_init may compile or tune. */
  xlashape_status(XLASHAPE_CALL* plan_size)(void* self, const xlashape_op* op, int64_t* bytes, int64_t* alignment,
                                            xlashape_error* err);
  xlashape_status(XLASHAPE_CALL* plan_init)(void* self, const xlashape_op* op, void* storage, xlashape_error* err);
  /* The number of tasks that it prefers for that many workers; any number must work. Without this slot it is one. */
  int64_t(XLASHAPE_CALL* plan_tasks)(void* self, const void* storage, const xlashape_op* op, int64_t max_workers);
  /* Re-entrant, allocates nothing, writes only what its tasks own: tasks of one execution write disjoint bytes. */
  xlashape_status(XLASHAPE_CALL* plan_execute)(void* self, const void* storage, const xlashape_op* op,
                                               const xlashape_run* run, xlashape_error* err);
  /* Releases everything but the storage itself. Called on any thread. */
  void(XLASHAPE_CALL* plan_destroy)(void* self, void* storage);
  /* Writes one line without newline, cut at capacity and NUL-terminated; returns its full length, without NUL. */
  int64_t(XLASHAPE_CALL* describe)(void* self, const void* storage, const xlashape_op* op, char* text,
                                   int64_t capacity);

  /* Memory of its devices, for xlashape_memory_alloc and the functions after it. `queue` is never NULL; of the kind
   * XLASHAPE_QUEUE_NONE: the call waits. `bytes` is 0 or more, addresses of the CPU + bytes do not overflow, and
   * nothing else has been checked: compare `bytes` with what there is behind an address, as a sum of the two may
   * overflow. */
  xlashape_status(XLASHAPE_CALL* memory_alloc)(void* self, int32_t device, int32_t space, int64_t bytes,
                                               uint64_t* address, xlashape_error* err);
  xlashape_status(XLASHAPE_CALL* memory_free)(void* self, int32_t device, uint64_t address, int32_t space,
                                              xlashape_error* err);
  xlashape_status(XLASHAPE_CALL* memory_copy)(void* self, int32_t device, uint64_t src, int32_t src_space, uint64_t dst,
                                              int32_t dst_space, int64_t bytes, const xlashape_queue* queue,
                                              xlashape_error* err);
  xlashape_status(XLASHAPE_CALL* memory_fill)(void* self, int32_t device, uint64_t dst, int32_t space, int32_t byte,
                                              int64_t bytes, const xlashape_queue* queue, xlashape_error* err);
  xlashape_status(XLASHAPE_CALL* queue_sync)(void* self, int32_t device, const xlashape_queue* queue,
                                             xlashape_error* err);
  /* Events between queues, for xlashape_queue_wait_event and xlashape_queue_signal_event; both only enqueue. */
  xlashape_status(XLASHAPE_CALL* queue_wait_event)(void* self, int32_t device, const xlashape_queue* queue,
                                             uint64_t event, xlashape_error* err);
  xlashape_status(XLASHAPE_CALL* queue_signal_event)(void* self, int32_t device, const xlashape_queue* queue,
                                               uint64_t* event, xlashape_error* err);

  /* The ways in which this plan could run: writes the text of candidate `index` as `describe` writes one: one line of
   * printable ASCII, at most XLASHAPE_CHOICE_BYTES - 1 bytes; 0: there is no such candidate, and none after it.
   * Candidate 0 is how the plan runs now. A text holds nothing of this process or this plan: it is stored, and given to
   * plan_choose elsewhere. Pure. This slot and plan_choose are both there or both NULL. */
  int64_t(XLASHAPE_CALL* plan_candidate)(void* self, const void* storage, const xlashape_op* op, int64_t index,
                                         char* text, int64_t capacity);
  /* Makes a plan, which plan_init has made and nothing executes, run as `choice` says: a text of plan_candidate, from
   * here or another machine, of this operation or another one, or any other text. Whatever is accepted moves the right
   * bytes. INVALID_ARGUMENT, and the plan as it was, for a text that the backend does not understand, or that does not
   * suit this operation. */
  xlashape_status(XLASHAPE_CALL* plan_choose)(void* self, void* storage, const xlashape_op* op, const char* choice,
                                              xlashape_error* err);
  /* Measures the machine: writes lines "key = value\n", NUL-terminated, keys of 1 to 64 characters a-z, 0-9, '_' and
   * '.', each once, values decimal int64_t. *needed counts the NUL; with more than `capacity`, which is at least
   * XLASHAPE_CALIBRATION_BYTES, the status is OUT_OF_RANGE. Changes nothing in `self`. */
  xlashape_status(XLASHAPE_CALL* calibrate)(void* self, const xlashape_calibration* how, char* text, int64_t capacity,
                                            int64_t* needed, xlashape_error* err);
  /* Gives the lines that an earlier `calibrate` wrote for this processor, NUL-terminated, in the form that the core has
   * checked; what they say may be anything. Called at most once, after open and before any other slot but close. A
   * failure is logged as a warning; the backend must then work as if it was never called. */
  xlashape_status(XLASHAPE_CALL* use_profile)(void* self, const char* text, xlashape_error* err);

  /* How long one execution of this plan takes on `max_workers` workers (1 or more), from what use_profile was given:
   * *ns is 1 or more, arrays as after earlier executions, in the caches where they fit. UNSUPPORTED, with the reason in
   * `err` (nullable), where it is not known. Pure, and measures nothing: a prediction of the same plan is always the
   * same. */
  xlashape_status(XLASHAPE_CALL* plan_predict)(void* self, const void* storage, const xlashape_op* op,
                                               int64_t max_workers, int64_t* ns, xlashape_error* err);

  /* How many bytes of a thread's stack plan_execute takes at most for this plan, with all that it calls and whatever
   * tasks it is given: 1 or more. Without this slot nothing is known but the 256 KiB above. Pure. */
  int64_t(XLASHAPE_CALL* plan_stack)(void* self, const void* storage, const xlashape_op* op);
} xlashape_backend;

/* The head of a backend's entry function, which must be exported and have C linkage. */
#ifdef __cplusplus
#define XLASHAPE_BACKEND_LINKAGE extern "C"
#else
#define XLASHAPE_BACKEND_LINKAGE
#endif
#if defined(_WIN32)
#define XLASHAPE_BACKEND_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define XLASHAPE_BACKEND_EXPORT __attribute__((visibility("default")))
#else
#define XLASHAPE_BACKEND_EXPORT
#endif
/* `name` may be a macro that gives the name. */
#define XLASHAPE_BACKEND_ENTRY(name) XLASHAPE_BACKEND_ENTRY_OF(name)
#define XLASHAPE_BACKEND_ENTRY_OF(name) \
  XLASHAPE_BACKEND_LINKAGE XLASHAPE_BACKEND_EXPORT xlashape_status XLASHAPE_CALL xlashape_backend_open_##name

#ifdef __cplusplus
}
#endif
#endif /* XLASHAPE_BACKEND_H_ */
