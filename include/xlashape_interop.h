/* SPDX-License-Identifier: Apache-2.0 */
/* xlashape: the structs and texts of other projects: strides, PJRT, DLPack, and the words in which people describe
 * arrays and layouts. The rules of xlashape.h hold. These functions follow the formats of others, which change:
 * docs/interop.md, docs/versioning.md. */
#ifndef XLASHAPE_INTEROP_H_
#define XLASHAPE_INTEROP_H_

#include "xlashape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* == Interop ======================================================================================================= *
 * The structs and texts of other projects, read and written as documented there: none of their headers is needed. What
 * the other side cannot express is UNSUPPORTED, with the reason; see docs/interop.md.
 *     xlashape_layout_from_pjrt(args->device_layout, XLASHAPE_TYPE_BF16, dimensions, rank, 0, &layout, &err);        */

/* Strides to a layout: dimensions are ordered by stride, the smallest most minor; of equal strides the higher dimension
 * is more minor (as in XLA). Strides of dimensions of size 1 count for that order only, and so do all strides of an
 * array without elements. A gap after a dimension becomes its padded width. UNSUPPORTED: strides of 0, negative ones,
 * overlapping dimensions, a most minor dimension whose elements are not neighbours, strides that do not divide each
 * other. */
#define XLASHAPE_STRIDES_COMPACT (1u << 1) /* UNSUPPORTED, too, where strides leave gaps: no padded widths */
XLASHAPE_API xlashape_status xlashape_layout_from_byte_strides(
    xlashape_element_type type, const int64_t* dimensions XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
    const int64_t* byte_strides XLASHAPE_LEN(rank) XLASHAPE_NULLABLE, int64_t rank, uint32_t flags,
    xlashape_layout** layout, xlashape_error* err);

/* PJRT_Buffer_Type's number for an element type, and the reverse; 0 (INVALID in both) where there is none. */
XLASHAPE_API int32_t xlashape_element_type_to_pjrt(xlashape_element_type type);
XLASHAPE_API xlashape_element_type xlashape_element_type_from_pjrt(int32_t number);
/* A PJRT_Buffer_MemoryLayout, Tiled or Strides, with all fields of version 0. Its struct_sizes are not looked at, as
 * XLA's own client does not set them; neither are extensions. `type`, `flags`: for Strides, as above. The layouts
 * extension's serialised form is the layout's text: xlashape_layout_parse. */
XLASHAPE_API xlashape_status xlashape_layout_from_pjrt(const void* memory_layout, xlashape_element_type type,
                                                       const int64_t* dimensions XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                       int64_t rank, uint32_t flags, xlashape_layout** layout,
                                                       xlashape_error* err);
#define XLASHAPE_PJRT_STRIDES (1u << 0) /* Strides in place of Tiled; only Strides can express padded_dimensions */
#define XLASHAPE_PJRT_DROP (1u << 1)    /* omit E, L, S, SC, M and PV, for which the struct has no field */
/* A PJRT_Buffer_MemoryLayout at the start of `out`, followed by the arrays that it points to: valid as long as `out`
 * stays where it is. `out` must be aligned for int64_t. UNSUPPORTED for tiles with `*` or `d`, on which XLA ends the
 * process (PjRtLayout's constructor); from_pjrt reads them, as runtimes of before October 2026 may have them. */
XLASHAPE_API xlashape_status xlashape_shape_to_pjrt(const xlashape_shape* shape, uint32_t flags,
                                                    uint8_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                    int64_t capacity, int64_t* needed, xlashape_error* err);

#define XLASHAPE_DLPACK_SUB_BYTE_PADDED (1u << 8) /* DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED: a byte each */
/* The shape of a DLTensor; flags may also hold STRIDES_COMPACT. Types of less than 8 bits are packed and so get E(n)
 * unless SUB_BYTE_PADDED is given. `data`, `device` and `byte_offset` are ignored. */
XLASHAPE_API xlashape_status xlashape_shape_from_dlpack(const void* tensor, uint32_t flags, xlashape_shape** shape,
                                                        xlashape_error* err);
/* A DLTensor at the start of `out`, followed by its shape and strides, as in xlashape_shape_to_pjrt. */
XLASHAPE_API xlashape_status xlashape_shape_to_dlpack(const xlashape_shape* shape, uint32_t flags,
                                                      void* data XLASHAPE_NULLABLE, xlashape_memory_space device_type,
                                                      int32_t device_id, int64_t byte_offset,
                                                      uint8_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                      int64_t capacity, int64_t* needed, xlashape_error* err);

/* == Words ========================================================================================================= *
 * Arrays and layouts as people write them: docs/words.md lists all forms. xlashape_shape_parse takes XLA's text alone.
 *     xlashape_shape_read("float32[1,64,56,56]{nChw16c}", 29, 0, NULL, &shape, &err);
 *     xlashape_shape_with_words(photo, "HWC->CHW", 8, 0, &to, &planes, &err);                                        */

/* The type of a name in any project: "float32", "torch.bfloat16", "i32", "f8E4M3FN", "<f4", "uint8_t", "BF16".
 * NOT_FOUND with the nearest name, and for names that projects use for different types ("float"). */
XLASHAPE_API xlashape_status xlashape_element_type_read(const char* name XLASHAPE_LEN(name_len), int64_t name_len,
                                                        xlashape_element_type* type, xlashape_error* err);
/* The shape that a text describes: XLA's text with element types of any name and a layout's words in the braces,
 * "i32[2,3]{col}"; tensor<2x3xf32>, memref<2x3xf32, strided<[1, 2]>>, 2x3xf32; NumPy's {'shape': (2, 3), 'dtype':
 * '<f4'} with or without 'strides'; ShapeDtypeStruct(shape=(2, 3), dtype=float32); (2, 3) float32; CuTe's layout behind
 * a type, "f32 ((8,2),(128,3)):((128,3072),(1,1024))"; the shape of a line of HLO. `offset`: gets how many elements lie
 * before the first one of a memref; where it is NULL, any but 0 is UNSUPPORTED. `flags`: STRIDES_COMPACT, and
 * SHAPE_KEEP_MISSING_LAYOUT, without which a text that says no layout is row-major. */
XLASHAPE_API xlashape_status xlashape_shape_read(const char* text XLASHAPE_LEN(text_len), int64_t text_len,
                                                 uint32_t flags, int64_t* offset XLASHAPE_NULLABLE,
                                                 xlashape_shape** shape, xlashape_error* err);
/* The array in the layout that a text asks for: XLA's, "{0,1:T(8,128)}" or "T(8,128)"; row, col, C, F, channels_last; a
 * permutation as in NumPy, "2,0,1" or "permute(0, 3, 1, 2)"; "NHWC->NCHW", "h w c -> c h w"; a tag of oneDNN, TVM, ONNX
 * Runtime, "nChw16c"; the attributes of linalg.pack; jax's Layout(...); CuTe's and a memref's layout; tt-metal's
 * Tile([32, 32]); a target, "tpu:v5e", for what its compiler chooses; the text of an array with these dimensions. An
 * element type in front, "bf16{1,0}" or "int8 col", is that of `destination` and `result`: a relayout to them takes
 * XLASHAPE_PLAN_CONVERT where it is another one than the shape's. The type alone keeps the layout, but for E(n): packed
 * elements are packed in the new type's bits, or take whole bytes. `destination` has the dimensions of `shape`, and is
 * what its elements are moved to. `result` is the same memory as an array whose dimensions are in the order that the
 * text asks for; it equals `destination` unless the text permutes. Where the text says a layout, nothing of the old one
 * remains. Sizes that blocks do not divide are padded. UNSUPPORTED for what no layout says, such as a swizzle;
 * NOT_FOUND for a "tpu:" that is no target. `flags`: STRIDES_COMPACT. */
XLASHAPE_API xlashape_status xlashape_shape_with_words(const xlashape_shape* shape,
                                                       const char* text XLASHAPE_LEN(text_len), int64_t text_len,
                                                       uint32_t flags, xlashape_shape** destination,
                                                       xlashape_shape** result XLASHAPE_NULLABLE, xlashape_error* err);

typedef int32_t xlashape_notation;
#define XLASHAPE_NOTATION_MLIR 1   /* tensor<2x3xf32>; no layout but row-major, or with PRINT_WITHOUT_LAYOUT */
#define XLASHAPE_NOTATION_MEMREF 2 /* memref<2x3xf32, strided<[1, 2]>>; tiles as an affine_map */
#define XLASHAPE_NOTATION_CUTE 3   /* (2,3):(3,1); tiled dimensions as modes of several, the fastest first */
#define XLASHAPE_NOTATION_NUMPY 4  /* {'shape': (2, 3), 'strides': (12, 4), 'dtype': 'float32'}, names of ml_dtypes */
#define XLASHAPE_NOTATION_ONEDNN 5 /* aBcd16b: the layout alone, as are the next two */
#define XLASHAPE_NOTATION_PACK 6   /* outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [16] */
#define XLASHAPE_NOTATION_JAX 7    /* Layout(major_to_minor=(0, 1), tiling=None, sub_byte_element_size_in_bits=0) */
/* The shape in another project's notation, which the functions above read. UNSUPPORTED where it cannot say where the
 * elements lie, with the reason. Memory spaces are not said, nor E(n), but for that by JAX; docs/interop.md. `flags`:
 * PRINT_WITHOUT_LAYOUT, of MLIR. */
XLASHAPE_API xlashape_status xlashape_shape_print_as(const xlashape_shape* shape, xlashape_notation notation,
                                                     uint32_t flags,
                                                     char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                     int64_t capacity, int64_t* needed, xlashape_error* err);

#ifdef __cplusplus
}
#endif
#endif /* XLASHAPE_INTEROP_H_ */
