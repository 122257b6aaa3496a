/* SPDX-License-Identifier: Apache-2.0 */
/* xlashape: the machines that XLA compiles for, and the layouts that their compilers choose. The rules of xlashape.h
 * hold. The answers are those of compilers of a date, docs/targets.md, and change with them: docs/versioning.md. */
#ifndef XLASHAPE_TARGET_H_
#define XLASHAPE_TARGET_H_

#include "xlashape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* == Targets ======================================================================================================= *
 * Which layout a compiler chooses for an array that a program takes or returns, and what else is known of the machines
 * that it compiles for. For TPUs the answers are those of their own compiler, libtpu, of the date in docs/targets.md,
 * which is not needed for them. Compiler flags, layouts that a program asks for, and intermediate arrays are not
 * covered.
 *     xlashape_target_from_name("tpu:v5e", 7, &target, &err);
 *     xlashape_shape_for_target(shape, target, 0, &result, &err);          f32[1000,3] -> f32[1000,3]{0,1:T(4,128)}  */

/* A target's place among those of the library in use, which list more with each release: store its name. */
typedef int32_t xlashape_target;
/* Targets run from 0 to this, exclusive. */
XLASHAPE_API int64_t xlashape_target_count(void);
/* "tpu:v5e"; docs/targets.md has all. NULL for a number that is no target. Static text. */
XLASHAPE_API const char* xlashape_target_name(xlashape_target target);
/* The target with that name, or as others call it: "v5e", "v5e:2x2", "TPU v5 lite", "cuda". NOT_FOUND otherwise, with
 * the names that exist. */
XLASHAPE_API xlashape_status xlashape_target_from_name(const char* name XLASHAPE_LEN(name_len), int64_t name_len,
                                                       xlashape_target* target, xlashape_error* err);

typedef struct xlashape_target_info {
  uint32_t struct_size;
  int32_t lanes;           /* of a vector register: the most minor side of tiles; 0 where there are no tiles */
  int32_t sublanes;        /* of a vector register: the rows of a tile of 32-bit elements, or fewer */
  int32_t pointer_bytes;   /* of one entry in the table that stands for a tuple in memory */
  int32_t tuple_alignment; /* bytes to which the size of that table is rounded up */
  int32_t reserved;
} xlashape_target_info;
XLASHAPE_API xlashape_status xlashape_target_properties(xlashape_target target,
                                                        xlashape_target_info* info XLASHAPE_INOUT, xlashape_error* err);
/* Bytes of the table of pointers that stands for a tuple of that many elements. */
XLASHAPE_API xlashape_status xlashape_target_tuple_bytes(xlashape_target target, int64_t elements, int64_t* bytes,
                                                         xlashape_error* err);
/* What a layout's memory space S(n) is there: "hbm", "vmem", "smem" or "host". UNSUPPORTED where that is not known. */
XLASHAPE_API xlashape_status xlashape_target_memory_space_name(xlashape_target target, int64_t memory_space,
                                                               char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                               int64_t capacity, int64_t* needed, xlashape_error* err);

/* The layout that the compiler chooses for an array; a bounded dynamic dimension counts as its bound. With
 * `minor_to_major` (`rank` entries) that order is kept and only the tiles are chosen, as for a layout that jax gives
 * as major_to_minor. Allocates the layout and nothing else, except for ranks above 6 also its order. UNSUPPORTED:
 * types that the target lacks, unbounded dimensions. OVERFLOW where the array in its layout takes more bytes than fit
 * int64. (libtpu ends the process where the elements alone do; where only some layouts do, it counts those modulo 2^64
 * and may choose one that takes more.) */
XLASHAPE_API xlashape_status xlashape_target_layout(xlashape_target target, xlashape_element_type type,
                                                    const int64_t* dimensions XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                    const int64_t* minor_to_major XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                    int64_t rank, xlashape_layout** layout, xlashape_error* err);
/* With it, arrays that have a layout keep its order (minor_to_major), and only the tiles are chosen. */
#define XLASHAPE_TARGET_KEEP_ORDER (1u << 0)
/* The same shape with that layout for every array inside. What the layouts were before counts only with KEEP_ORDER, and
 * then only their order. Tokens and opaques in tuples stay; alone they are UNSUPPORTED. If an array of a tuple fails,
 * err->index is its number among the arrays inside. */
XLASHAPE_API xlashape_status xlashape_shape_for_target(const xlashape_shape* shape, xlashape_target target,
                                                       uint32_t flags, xlashape_shape** result, xlashape_error* err);

#ifdef __cplusplus
}
#endif
#endif /* XLASHAPE_TARGET_H_ */
