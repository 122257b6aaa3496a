/* SPDX-License-Identifier: Apache-2.0 */
/* xlashape: the structs and texts of other projects: strides, PJRT, DLPack, MLIR, CuTe, NumPy. The rules of xlashape.h
 * hold. These functions follow the formats of others, which change: docs/interop.md, docs/versioning.md.
 */
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
#define XLASHAPE_STRIDES_COMPACT (1u << 0) /* UNSUPPORTED, too, where strides leave gaps: no padded widths */
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

/* MLIR: "tensor<128x256xbf16>", "tensor<?xf32>", "tensor<?x4xf32, #stablehlo.bounds<8, ?>>", "!stablehlo.token". A
 * layout other than plain row-major needs XLASHAPE_PRINT_WITHOUT_LAYOUT in the printer's flags. */
XLASHAPE_API xlashape_status xlashape_shape_print_mlir(const xlashape_shape* shape, uint32_t flags,
                                                       char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                       int64_t capacity, int64_t* needed, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_shape_parse_mlir(const char* text XLASHAPE_LEN(text_len), int64_t text_len,
                                                       uint32_t flags, xlashape_shape** shape, xlashape_error* err);
/* CuTe: "(2,3):(3,1)", strides in elements; a tiled dimension is a mode of several, the fastest first:
 * "((8,2),(128,3)):((128,3072),(1,1024))". UNSUPPORTED where tiles pad a dimension or do not nest. The parser takes no
 * modes inside modes; the text has no element type, so `type` gives it; its flags: STRIDES_COMPACT. */
XLASHAPE_API xlashape_status xlashape_shape_print_cute(const xlashape_shape* shape, uint32_t flags,
                                                       char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                       int64_t capacity, int64_t* needed, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_shape_parse_cute(const char* text XLASHAPE_LEN(text_len), int64_t text_len,
                                                       xlashape_element_type type, uint32_t flags,
                                                       xlashape_shape** shape, xlashape_error* err);
/* NumPy: "{'shape': (2, 3), 'strides': (12, 4), 'dtype': 'float32'}", the keywords of numpy.ndarray; small types by
 * their names in ml_dtypes. The parser takes any order, 'typestr' or 'descr' ('<f4') for 'dtype', and reads missing
 * strides or None as row-major; its flags: STRIDES_COMPACT. */
XLASHAPE_API xlashape_status xlashape_shape_print_numpy(const xlashape_shape* shape, uint32_t flags,
                                                        char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                        int64_t capacity, int64_t* needed, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_shape_parse_numpy(const char* text XLASHAPE_LEN(text_len), int64_t text_len,
                                                        uint32_t flags, xlashape_shape** shape, xlashape_error* err);

#ifdef __cplusplus
}
#endif
#endif /* XLASHAPE_INTEROP_H_ */
