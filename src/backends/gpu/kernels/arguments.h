/* SPDX-License-Identifier: Apache-2.0 */
// The argument blocks of the kernels: the same bytes for the planner, the host dialect and the devices. Offsets and
// strides are bytes unless stated otherwise. A block and the three pointers before it stay below the 1024 bytes that
// OpenCL guarantees.
#ifndef XLASHAPE_GPU_ARGUMENTS_H_
#define XLASHAPE_GPU_ARGUMENTS_H_

#include "types.h"

#define XS_MAX_LOOPS 16
#define XS_MAX_GUARDS 4
#define XS_MAX_DIMENSIONS 8

// x / extent = mulhi(2x, magic) >> shift; with 32-bit magics for 0 <= x < 2^31, with 64-bit ones for 0 <= x < 2^63.
typedef struct XsLoop {
  xs_i64 extent;
  xs_u64 magic;
  xs_i64 src_stride;
  xs_i64 dst_stride;
  xs_i64 step;  // along its guard
  xs_i32 shift;
  xs_i32 guard;  // -1: none
} XsLoop;

// Each block starts with these two, to which an execution adds its offsets.
#define XS_OFFSETS   \
  xs_i64 src_offset; \
  xs_i64 dst_offset

// A loop nest, innermost loop last; each iteration moves one element, or is padding where a guard says so.
typedef struct XsNest {
  XS_OFFSETS;
  xs_i64 total;  // iterations
  xs_i32 loop_count;
  xs_i32 guard_count;
  xs_i32 fills;            // 1: where a guard fails, `fill` is written; 2: nothing else is written (not xs_convert)
  xs_i32 src_bits;         // from here on: xs_convert only
  xs_i32 dst_bits;         // 8 and more
  xs_i32 src_unit_bits;    // of the source strides: 8, or the bits of a packed container
  xs_i64 src_unit_offset;  // in these units, instead of a part of src_offset
  xs_i32 value_bits;
  xs_i32 reserved;
  xs_u64 fill[2];  // one element as it is in memory
  xs_i64 low[XS_MAX_GUARDS];
  xs_i64 high[XS_MAX_GUARDS];
  XsLoop loop[XS_MAX_LOOPS];
} XsNest;

// Planes to transpose. Along a the destination is contiguous, along b the source. The loops are outside the planes.
typedef struct XsTile {
  XS_OFFSETS;
  xs_i64 extent_a;
  xs_i64 extent_b;
  xs_i64 src_step_a;
  xs_i64 dst_step_b;
  xs_i64 step_a;  // along the guards of a and b
  xs_i64 step_b;
  xs_i32 guard_a;
  xs_i32 guard_b;
  XsLoop tiles_a;  // extent and magic: how many tiles
  XsLoop tiles_b;
  xs_i32 loop_count;
  xs_i32 guard_count;
  xs_i32 is_aligned;  // every row of both sides starts at a multiple of 16 bytes
  xs_i32 reserved;
  xs_i64 low[XS_MAX_GUARDS];
  xs_i64 high[XS_MAX_GUARDS];
  XsLoop loop[XS_MAX_LOOPS - 4];
} XsTile;

// Few contiguous elements: planes of `few` x `many`, contiguous along `few` on one side and along `many` on the other.
typedef struct XsFew {
  XS_OFFSETS;
  xs_i64 many;
  xs_i64 row_step;  // between the rows of the side that is contiguous along `many`
  xs_i32 few;
  xs_i32 piece;       // elements of `many` for one block: few * piece elements fit the shared memory
  xs_i32 is_aligned;  // pieces start at multiples of 16 bytes on both sides
  xs_i32 loop_count;
  XsLoop pieces;  // extent and magic: how many pieces `many` has
  XsLoop loop[XS_MAX_LOOPS - 4];
} XsFew;

// A part of a slice's loop: a factor that starts again after `extent`.
typedef struct XsFactor {
  xs_i64 stride;  // of the side whose rows it counts
  xs_i64 step;    // along its guard
  xs_u32 magic;
  xs_u16 extent;
  xs_u16 spot;  // its stride in shared memory, in bytes
  xs_i32 shift;
  xs_i32 guard;  // -1: none
} XsFactor;

// Slices of several small dimensions: on each side, `rows` rows of `run` contiguous elements. The factors are four
// lists, each innermost first: of the source's rows, the destination's rows, the destination's runs, the source's runs.
#define XS_MAX_FACTORS 12
#define XS_PACK_LISTS 4
#define XS_SRC_ROWS 0
#define XS_DST_ROWS 1
#define XS_DST_RUN 2
#define XS_SRC_RUN 3
#define XS_PACK_ROWS 256
#define XS_PACK_RUN 512
#define XS_PACK_CHUNKS 672
typedef struct XsPack {
  XS_OFFSETS;
  xs_i32 src_rows;
  xs_i32 dst_rows;
  xs_i32 dst_run;
  xs_i32 src_run;
  xs_u32 src_magic;  // of the runs
  xs_u32 dst_magic;
  xs_i32 src_shift;
  xs_i32 dst_shift;
  xs_i32 pitch;        // between the source's rows in shared memory, in bytes
  xs_i32 src_aligned;  // rows begin and end at multiples of 16 bytes
  xs_i32 dst_aligned;
  xs_i32 fills;  // 1: where a guard fails, `fill` is written
  xs_i32 loop_count;
  xs_i32 guard_count;
  xs_i32 factor_end[XS_PACK_LISTS];
  xs_i32 limits;  // a bit for each guard that ends a loop: nothing is beyond it, not even padding
  xs_i32 reserved;
  xs_u64 fill[2];
  xs_i64 low[XS_MAX_GUARDS];
  xs_i64 high[XS_MAX_GUARDS];
  xs_i64 most[XS_MAX_GUARDS];  // how far the slice extends along each
  XsFactor factor[XS_MAX_FACTORS];
  XsLoop loop[XS_MAX_LOOPS - 8];  // outside the slices
} XsPack;

// Two or four rows, which one side has interleaved. Chunks of 16 bytes of that side are pieces of all rows; each
// iteration of the loops moves one.
typedef struct XsZip {
  XS_OFFSETS;
  xs_i64 total;  // chunks
  xs_i32 element;
  xs_i32 loop_count;
  xs_i32 guard_count;
  xs_i32 fills;  // 1: where a guard fails, `fill` is written
  xs_u64 fill[2];
  xs_i64 low[XS_MAX_GUARDS];
  xs_i64 high[XS_MAX_GUARDS];
  xs_i64 last[XS_MAX_GUARDS];  // a chunk that begins below it ends below `high`
  XsLoop row;                  // within a chunk: its rows
  XsLoop run;                  // and the elements of each
  XsLoop loop[XS_MAX_LOOPS - 2];
} XsZip;

// Fills `count` positions from `first` on.
typedef struct XsRun {
  XS_OFFSETS;
  xs_i64 count;
  xs_i32 bytes;  // per position
  xs_i32 reserved;
  xs_u64 fill[2];
} XsRun;

// Runs both index maps, for relayouts without a nest. The tables hold the maps (common/tables.h).
typedef struct XsProgram {
  XS_OFFSETS;
  xs_i64 count;  // threads: positions, bytes of packed positions, or elements
  xs_i64 first;  // the first position, or byte
  xs_i64 positions;
  xs_i32 src_map;  // where in the tables
  xs_i32 dst_map;
  xs_i32 box;  // src_base, dst_base, extent: rank numbers each
  xs_i32 has_box;
  xs_i32 fills;
  xs_i32 src_bits;
  xs_i32 dst_bits;
  xs_i32 value_bits;
  xs_u64 fill[2];
} XsProgram;

// A batch of index conversions. If `counts` is set, the first two words of the tables get the smallest number of a bad
// entry and the count of bad entries. These words belong to the plan, so executions on a caller's queue do not write
// them.
typedef struct XsIndex {
  XS_OFFSETS;
  xs_i64 count;
  xs_i64 index_step;  // in int64 units, as dimension_step
  xs_i64 dimension_step;
  xs_i64 positions;
  xs_i32 mark_invalid;
  xs_i32 map;  // where in the tables, for maps with sums
  xs_i32 rank;
  xs_i32 counts;
  xs_i64 dimension[XS_MAX_DIMENSIONS];  // maps without sums, in the order of the outputs: most major first
  xs_i64 stride[XS_MAX_DIMENSIONS];
  xs_u64 magic[XS_MAX_DIMENSIONS];
  xs_i32 shift[XS_MAX_DIMENSIONS];
  xs_i32 axis[XS_MAX_DIMENSIONS];
} XsIndex;

#endif  // XLASHAPE_GPU_ARGUMENTS_H_
