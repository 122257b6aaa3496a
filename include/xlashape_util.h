/* xlashape: utilities for shapes and layouts, bitcasts, measuring, and other projects' forms (PJRT, DLPack, MLIR, CuTe,
 * NumPy).
 *
 * The rules of xlashape.h hold here, too: errors, threads, ownership, arrays, results of variable size. The promise
 * differs: these functions follow XLA's ShapeUtil and LayoutUtil and the formats of other projects, which change;
 * xlashape.h will be frozen first. docs/versioning.md says what that means for a program.
 */
#ifndef XLASHAPE_UTIL_H_
#define XLASHAPE_UTIL_H_

#include "xlashape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* == Shape utilities ============================================================================================= *
 * New shapes from old ones (ShapeUtil, LayoutUtil). Each function says what happens to the layout. Where a layout
 * cannot be adapted the answer is UNSUPPORTED, never a layout with another meaning. A missing layout stays missing.
 *     xlashape_shape_permute_dimensions(shape, permutation, 3, 0, &result, &err);                                   */

/* c64 gives f32, c128 f64; and the reverse. TYPE_INVALID for other types. */
XLASHAPE_API xlashape_element_type xlashape_element_type_complex_component(xlashape_element_type type);
XLASHAPE_API xlashape_element_type xlashape_element_type_complex(xlashape_element_type type);
/* The integral type of 1, 2, 4, 8, 16, 32 or 64 bits, else TYPE_INVALID. */
XLASHAPE_API xlashape_element_type xlashape_element_type_integral(int32_t bits, int32_t is_signed);

/* A layout with the dimensions most major first, the reverse of minor_to_major
 * (LayoutUtil::MakeLayoutFromMajorToMinor). */
XLASHAPE_API xlashape_status
xlashape_layout_create_major_to_minor(const int64_t* major_to_minor XLASHAPE_LEN(rank) XLASHAPE_NULLABLE, int64_t rank,
                                      xlashape_layout** layout, xlashape_error* err);
/* The same layout with `dimension` moved to the major or the minor end. Splits follow their dimensions; tiles stay
 * where they are and so apply to the new order. */
XLASHAPE_API xlashape_status xlashape_layout_move_dimension_to_major(const xlashape_layout* layout, int64_t dimension,
                                                                     xlashape_layout** result, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_layout_move_dimension_to_minor(const xlashape_layout* layout, int64_t dimension,
                                                                     xlashape_layout** result, xlashape_error* err);
/* The layout without those dimensions, the others renumbered (Layout::DeleteDimension). Their widths and splits go with
 * them. UNSUPPORTED when a tile covers one of them. */
XLASHAPE_API xlashape_status xlashape_layout_delete_dimensions(
    const xlashape_layout* layout, const int64_t* dimensions XLASHAPE_LEN(count) XLASHAPE_NULLABLE, int64_t count,
    xlashape_layout** result, xlashape_error* err);
/* 1 when those dimensions, in any order, are neighbours in minor_to_major, and always for none or one. 0 for numbers
 * out of range and repeated ones. */
XLASHAPE_API int32_t xlashape_layout_are_dimensions_consecutive(
    const xlashape_layout* layout, const int64_t* dimensions XLASHAPE_LEN(count) XLASHAPE_NULLABLE, int64_t count);

/* Fields of a layout, all but minor_to_major. */
#define XLASHAPE_LAYOUT_FIELD_ALL (1u << 0) /* the whole layout */
#define XLASHAPE_LAYOUT_FIELD_TILES (1u << 1)
#define XLASHAPE_LAYOUT_FIELD_ELEMENT_SIZE (1u << 2)
#define XLASHAPE_LAYOUT_FIELD_MEMORY_SPACE (1u << 3)
#define XLASHAPE_LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT (1u << 4)
#define XLASHAPE_LAYOUT_FIELD_SPLIT_CONFIGS (1u << 5)
#define XLASHAPE_LAYOUT_FIELD_PADDING (1u << 6) /* padded_dimensions and padding_value */
#define XLASHAPE_LAYOUT_FIELD_METADATA_PREFIX (1u << 7)
#define XLASHAPE_LAYOUT_FIELD_OF_DEVICE (1u << 31) /* all that the library in use knows and a host's layout lacks */
/* 1 when the layout of any array inside sets any of those fields: LayoutUtil::HasAnyLayout (ALL),
 * HasCustomElementSizeInBits (ELEMENT_SIZE), and the reverse of ShapeUtil::DeviceShapeIsHostShape (OF_DEVICE). */
XLASHAPE_API int32_t xlashape_shape_has_layout_fields(const xlashape_shape* shape, uint32_t fields);
/* The same shape with those fields unset in every array inside: LayoutUtil::ClearLayout, ClearTiles,
 * ShapeUtil::DeviceShapeToHostShape. It is stored differently in memory. A layout without minor_to_major that loses its
 * memory space gets the row-major one. */
XLASHAPE_API xlashape_status xlashape_shape_without_layout_fields(const xlashape_shape* shape, uint32_t fields,
                                                                  xlashape_shape** result, xlashape_error* err);
/* 1 when every array inside has a layout (LayoutUtil::HasLayout); tokens, opaques and the empty tuple need none. */
XLASHAPE_API int32_t xlashape_shape_has_all_layouts(const xlashape_shape* shape);
/* Row-major order for every array inside (LayoutUtil::SetToDefaultLayout); the rest of its layout is kept: tiles apply
 * to the new order, splits and widths follow their dimensions. Arrays without a layout get one, `{:S(5)}` becomes
 * `{1,0:S(5)}`. */
XLASHAPE_API xlashape_status xlashape_shape_with_default_layouts(const xlashape_shape* shape, xlashape_shape** result,
                                                                 xlashape_error* err);
/* `to` with the layouts of `from`, array by array (LayoutUtil::CopyLayoutBetweenShapes); a missing one removes that of
 * `to`. INVALID_ARGUMENT where the tuples or ranks differ, or a layout does not fit. */
XLASHAPE_API xlashape_status xlashape_shape_copy_layouts(const xlashape_shape* from, const xlashape_shape* to,
                                                         xlashape_shape** result, xlashape_error* err);
/* E(n) set to the value's bits for arrays of s1, u1, ... s4, u4, f4e2m1fn that have a layout, unset for other types,
 * pred included (ShapeUtil::UpdateElementSizeInBits). To unpack: xlashape_shape_without_layout_fields(ELEMENT_SIZE). */
XLASHAPE_API xlashape_status xlashape_shape_with_packed_elements(const xlashape_shape* shape, xlashape_shape** result,
                                                                 xlashape_error* err);
/* Every array inside with that element type (ShapeUtil::ChangeElementType). E(n) stays for sub-byte types, widened to
 * the value where it would not hold it; for other types it is unset. */
XLASHAPE_API xlashape_status xlashape_shape_with_element_type(const xlashape_shape* shape, xlashape_element_type type,
                                                              xlashape_shape** result, xlashape_error* err);

/* new.dimensions[i] = old.dimensions[permutation[i]], in the same memory: minor_to_major and widths are renumbered,
 * everything else stays (ShapeUtil::PermuteDimensions). A layout without minor_to_major gets one. With KEEP_LAYOUT the
 * order minor_to_major and the tiles stay as they are, so the memory changes; widths and splits follow their dimensions
 * (PermuteDimensionsIgnoringLayout). OUT_OF_RANGE unless `permutation` is a permutation of the dimensions. */
#define XLASHAPE_PERMUTE_KEEP_LAYOUT (1u << 0)
XLASHAPE_API xlashape_status xlashape_shape_permute_dimensions(
    const xlashape_shape* shape, const int64_t* permutation XLASHAPE_LEN(rank) XLASHAPE_NULLABLE, int64_t rank,
    uint32_t flags, xlashape_shape** result, xlashape_error* err);
/* The same memory with dimensions permuted so that its layout is row-major
 * (ShapeUtil::MakeShapeWithDescendingLayoutAndSamePhysicalLayout); everything else is kept. */
XLASHAPE_API xlashape_status xlashape_shape_to_physical_order(const xlashape_shape* shape, xlashape_shape** result,
                                                              xlashape_error* err);
/* New dimensions before dimension `at` (0 to rank), of `sizes`, in that order. In memory they come next to dimension
 * `at`, on its major side; at the end they are the most minor ones (ShapeUtil::InsertDimensionsAtIndex,
 * AppendMinorDimension). With INSERT_MOST_MAJOR they become the most major ones (PrependMajorDimension,
 * AppendMajorDimension). Their padded widths are their sizes; splits follow their dimensions. UNSUPPORTED where a tile
 * would cover them, except sizes of 1 that change no element's position. */
#define XLASHAPE_INSERT_MOST_MAJOR (1u << 0)
XLASHAPE_API xlashape_status xlashape_shape_insert_dimensions(
    const xlashape_shape* shape, int64_t at, const int64_t* sizes XLASHAPE_LEN(count) XLASHAPE_NULLABLE, int64_t count,
    uint32_t flags, xlashape_shape** result, xlashape_error* err);
/* The shape without those dimensions, in any order, each once (ShapeUtil::DeleteDimensions, FilterDimensions). The
 * others keep their order in memory; widths and splits of deleted ones go. UNSUPPORTED where a tile covers one of them,
 * except sizes of 1 whose deletion changes no element's position. */
XLASHAPE_API xlashape_status xlashape_shape_delete_dimensions(
    const xlashape_shape* shape, const int64_t* dimensions XLASHAPE_LEN(count) XLASHAPE_NULLABLE, int64_t count,
    xlashape_shape** result, xlashape_error* err);
/* Without the dimensions of size 1 (ShapeUtil::DropDegenerateDimensions), in the same memory: UNSUPPORTED where padding
 * or tiles make that impossible. */
XLASHAPE_API xlashape_status xlashape_shape_drop_degenerate_dimensions(const xlashape_shape* shape,
                                                                       xlashape_shape** result, xlashape_error* err);
/* 1 when a dimension has size 1. */
XLASHAPE_API int32_t xlashape_shape_has_degenerate_dimensions(const xlashape_shape* shape);
/* The shape with one dimension of another size and dynamism: a size of XLASHAPE_DIMENSION_UNBOUNDED must be dynamic.
 * The layout must still fit: widths and splits, which an unbounded dimension cannot have. */
XLASHAPE_API xlashape_status xlashape_shape_with_dimension(const xlashape_shape* shape, int64_t dimension, int64_t size,
                                                           int32_t is_dynamic, xlashape_shape** result,
                                                           xlashape_error* err);
/* 1 when only dimensions of size 1 are more major than `dimension` (ShapeUtil::IsEffectivelyMostMajorDimension). */
XLASHAPE_API int32_t xlashape_shape_is_effectively_most_major(const xlashape_shape* shape, int64_t dimension);
/* 1 when the last dimension is the most minor one; rank 0 too (ShapeUtil::LastDimIsMinorMost). */
XLASHAPE_API int32_t xlashape_shape_last_dimension_is_most_minor(const xlashape_shape* shape);
/* 1 when the tiles, if any, leave every element where it would be without them (LayoutUtil::IsUntiledLayout). */
XLASHAPE_API int32_t xlashape_shape_is_untiled(const xlashape_shape* shape);
/* 1 when those strides are those of a dense row-major array (LayoutUtil::ByteStridesIsMajorToMinor). Strides of
 * dimensions of size 1 do not count. */
XLASHAPE_API int32_t xlashape_byte_strides_are_row_major(xlashape_element_type type,
                                                         const int64_t* dimensions XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                         const int64_t* byte_strides XLASHAPE_LEN(rank)
                                                             XLASHAPE_NULLABLE,
                                                         int64_t rank);

/* Bounds as static sizes everywhere inside, and no metadata prefix (ShapeUtil::MakeStaticShape). UNSUPPORTED for an
 * unbounded dimension. */
XLASHAPE_API xlashape_status xlashape_shape_to_static(const xlashape_shape* shape, xlashape_shape** result,
                                                      xlashape_error* err);
/* The array with other dynamic dimensions (set_dynamic_dimension, CopyDynamicDimensions). Unbounded ones must be
 * dynamic: a 0 for them is INVALID_ARGUMENT. */
XLASHAPE_API xlashape_status xlashape_shape_with_dynamic_dimensions(
    const xlashape_shape* shape, const uint8_t* dynamic XLASHAPE_LEN(rank) XLASHAPE_NULLABLE, int64_t rank,
    xlashape_shape** result, xlashape_error* err);
/* 1 when any array inside has a dimension that is dynamic and bounded. */
XLASHAPE_API int32_t xlashape_shape_is_bounded_dynamic(const xlashape_shape* shape);
/* 1 when the tuples of both are alike and every dynamic array of `dynamic` fits its place in `bounds`: the same rank,
 * no dimension larger (ShapeUtil::DynamicShapeIsCompatible). `?` fits everywhere and holds everything. Static arrays
 * are not compared. */
XLASHAPE_API int32_t xlashape_shape_fits_bounds(const xlashape_shape* dynamic, const xlashape_shape* bounds);

/* Product of the bounded dimensions, without the unbounded ones (ShapeUtil::StaticExtentProduct). */
XLASHAPE_API xlashape_status xlashape_shape_static_element_count(const xlashape_shape* shape, int64_t* elements,
                                                                 xlashape_error* err);
/* Elements of all arrays inside; tokens and opaques have none (ShapeUtil::ElementsInRecursive). */
XLASHAPE_API xlashape_status xlashape_shape_element_count_recursive(const xlashape_shape* shape, int64_t* elements,
                                                                    xlashape_error* err);
/* Storage bytes of all arrays inside, without the tuples' pointers; UNSUPPORTED with an opaque inside
 * (ShapeUtil::ByteSizeOfElementsRecursive). */
XLASHAPE_API xlashape_status xlashape_shape_byte_size_recursive(const xlashape_shape* shape, int64_t* bytes,
                                                                xlashape_error* err);
/* Product of the dimensions' largest split pieces (LayoutUtil::MaxElementsInPerSplit). */
XLASHAPE_API xlashape_status xlashape_shape_max_elements_per_split(const xlashape_shape* shape, int64_t* elements,
                                                                   xlashape_error* err);
/* 1 when the shape, or one inside, has that element type; tuples have XLASHAPE_TYPE_TUPLE, and so on
 * (ShapeUtil::HasPrimitiveType). */
XLASHAPE_API int32_t xlashape_shape_has_element_type(const xlashape_shape* shape, xlashape_element_type type);
/* 1 when all leaves are arrays (or buffers) whose type is in all those classes: AreAllLeavesIntegers with INTEGRAL. */
XLASHAPE_API int32_t xlashape_shape_leaves_have_classes(const xlashape_shape* shape, uint32_t classes);

/* Number of shapes inside, including itself and tuples; a buffer counts as one (ShapeUtil::SubshapeCount). */
XLASHAPE_API int64_t xlashape_shape_subshape_count(const xlashape_shape* shape);
/* Visits the shapes inside (ShapeUtil::ForEachSubshape and similar). Start with *path_len = -1; each call moves `path`
 * to the next one: outer before inner and elements in order, or inner before outer with POST_ORDER; with LEAVES only
 * those that are not tuples; with MISSING_LAYOUTS only arrays, and buffers of arrays, without a layout: where
 * LayoutUtil::ValidateLayoutInShape without allow_missing_layouts fails. A path never has more than XLASHAPE_MAX_DEPTH
 * steps; OUT_OF_RANGE, and the path stays, when the next one has more than `capacity` steps. NOT_FOUND at the end.
 * `subshape`, when asked for, comes with a reference for the caller. */
#define XLASHAPE_VISIT_LEAVES (1u << 0)
#define XLASHAPE_VISIT_POST_ORDER (1u << 1)
#define XLASHAPE_VISIT_MISSING_LAYOUTS (1u << 2)
XLASHAPE_API xlashape_status xlashape_shape_next_subshape(const xlashape_shape* shape, uint32_t flags,
                                                          int64_t* path XLASHAPE_LEN(capacity)
                                                              XLASHAPE_NULLABLE XLASHAPE_INOUT,
                                                          int64_t capacity, int64_t* path_len XLASHAPE_INOUT,
                                                          xlashape_shape** subshape XLASHAPE_NULLABLE,
                                                          xlashape_error* err);
#define XLASHAPE_EQUAL_STRUCTURE_ONLY (1u << 14) /* for the function below: only the tuples are compared */
/* 1 when each tuple of `prefix` is the beginning of that in its place in `shape`, and everything else equals what is in
 * its place there (ShapeUtil::IsPrefix; mask as in xlashape_shape_equal). The empty tuple is a prefix of everything.
 * With STRUCTURE_ONLY: 1 when every path into `prefix` is a path into `shape`; in both directions it is
 * ShapeUtil::EqualStructure. */
XLASHAPE_API int32_t xlashape_shape_is_prefix(const xlashape_shape* prefix, const xlashape_shape* shape, uint32_t mask);
/* The tuple of elements [first, limit) (ShapeUtil::SliceTuple). */
XLASHAPE_API xlashape_status xlashape_shape_slice_tuple(const xlashape_shape* tuple, int64_t first, int64_t limit,
                                                        xlashape_shape** result, xlashape_error* err);
/* The tuple with one more element (ShapeUtil::AppendShapeToTuple). */
XLASHAPE_API xlashape_status xlashape_shape_append_to_tuple(const xlashape_shape* tuple, const xlashape_shape* element,
                                                            xlashape_shape** result, xlashape_error* err);
/* The shape with another one at `path` (ShapeUtil::UpdateTupleShape, GetMutableSubshape). */
XLASHAPE_API xlashape_status xlashape_shape_replace_subshape(
    const xlashape_shape* shape, const int64_t* path XLASHAPE_LEN(path_len) XLASHAPE_NULLABLE, int64_t path_len,
    const xlashape_shape* subshape, xlashape_shape** result, xlashape_error* err);
/* One tuple of all leaves in order (ShapeUtil::FlattenTupleShape). */
XLASHAPE_API xlashape_status xlashape_shape_flatten_tuple(const xlashape_shape* shape, xlashape_shape** result,
                                                          xlashape_error* err);

/* A program's signature: parameters with names, and a result (xla::ProgramShape). */
typedef struct xlashape_program_shape xlashape_program_shape XLASHAPE_THREADS("shared");

/* `names`: the parameters' names, concatenated, name_lens[i] bytes each, which may be 0; name_lens NULL: no names. */
XLASHAPE_API xlashape_status xlashape_program_shape_create(
    xlashape_shape* const* parameters XLASHAPE_LEN(count) XLASHAPE_NULLABLE, int64_t count,
    const char* names XLASHAPE_LEN(sum(name_lens)) XLASHAPE_NULLABLE,
    const int64_t* name_lens XLASHAPE_LEN(count) XLASHAPE_NULLABLE, const xlashape_shape* result,
    xlashape_program_shape** program, xlashape_error* err);
XLASHAPE_API xlashape_program_shape* xlashape_program_shape_retain(
    const xlashape_program_shape* program XLASHAPE_NULLABLE);
XLASHAPE_API void xlashape_program_shape_release(xlashape_program_shape* program XLASHAPE_NULLABLE);
XLASHAPE_API int64_t xlashape_program_shape_parameter_count(const xlashape_program_shape* program);
XLASHAPE_API xlashape_status xlashape_program_shape_parameter(const xlashape_program_shape* program, int64_t index,
                                                              xlashape_shape** shape, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_program_shape_parameter_name(const xlashape_program_shape* program, int64_t index,
                                                                   char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                                   int64_t capacity, int64_t* needed,
                                                                   xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_program_shape_result(const xlashape_program_shape* program,
                                                           xlashape_shape** shape, xlashape_error* err);
/* "(x: f32[2]{0}, (unknown): s32[]) -> f32[2]{0}", with the flags of xlashape_shape_print. */
XLASHAPE_API xlashape_status xlashape_program_shape_print(const xlashape_program_shape* program, uint32_t flags,
                                                          char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                          int64_t capacity, int64_t* needed, xlashape_error* err);
/* 1 when every array of parameters and result has a layout (LayoutUtil::HasLayout). */
XLASHAPE_API int32_t xlashape_program_shape_has_all_layouts(const xlashape_program_shape* program);
/* The program with xlashape_shape_with_default_layouts of all its shapes (LayoutUtil::SetToDefaultLayout), or
 * xlashape_shape_without_layout_fields (ALL: LayoutUtil::ClearLayout). */
XLASHAPE_API xlashape_status xlashape_program_shape_with_default_layouts(const xlashape_program_shape* program,
                                                                         xlashape_program_shape** result,
                                                                         xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_program_shape_without_layout_fields(const xlashape_program_shape* program,
                                                                  uint32_t fields, xlashape_program_shape** result,
                                                                  xlashape_error* err);
/* 1 when parameters, names and results are equal; mask as in xlashape_shape_equal. */
XLASHAPE_API int32_t xlashape_program_shape_equal(const xlashape_program_shape* a, const xlashape_program_shape* b,
                                                  uint32_t mask);

/* == Bitcasts and reshapes ======================================================================================= *
 * A reshape or a transpose is a bitcast when nothing has to move: every element of `a` is already where `b` has it.
 * Padding, tiles of all levels, bits per element, the tail, memory space, splits and M(n) count; a dynamic dimension
 * counts with its bound; a missing layout is row-major.
 *     xlashape_shape_reshape_is_bitcast(a, b, 0)                                                                    */

#define XLASHAPE_BITCAST_XLA (1u << 0) /* as XLA decides it: only minor_to_major and dimensions count */
#define XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE (1u << 1) /* the bits per element still count, except with BITCAST_XLA */

/* 1 when reshaping array `a` to the dimensions of `b` (elements in row-major order) moves nothing
 * (ShapeUtil::ReshapeIsBitcast). A 1 is always right; a 0 may be wrong for tiles with `*` over dimensions that are not
 * neighbours. 0 for a shape that is not an array, or unbounded. */
XLASHAPE_API int32_t xlashape_shape_reshape_is_bitcast(const xlashape_shape* a, const xlashape_shape* b,
                                                       uint32_t flags);
/* The same for a transpose: b.dimensions[i] = a.dimensions[permutation[i]] (ShapeUtil::TransposeIsBitcast). */
XLASHAPE_API int32_t xlashape_shape_transpose_is_bitcast(const xlashape_shape* a, const xlashape_shape* b,
                                                         const int64_t* permutation XLASHAPE_LEN(rank)
                                                             XLASHAPE_NULLABLE,
                                                         int64_t rank, uint32_t flags);
/* Either of them, for some permutation (ShapeUtil::IsReshapeOrTransposeBitcast). */
XLASHAPE_API int32_t xlashape_shape_is_reshape_or_transpose_bitcast(const xlashape_shape* a, const xlashape_shape* b,
                                                                    uint32_t flags);
/* The permutation with which transposing `a` to `b` is a bitcast, from the order of dimensions in memory
 * (ShapeUtil::DeduceTransposeDimensionsForBitcast). NOT_FOUND where there is none. */
XLASHAPE_API xlashape_status xlashape_shape_deduce_transpose(const xlashape_shape* a, const xlashape_shape* b,
                                                             uint32_t flags,
                                                             int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                             int64_t capacity, int64_t* needed, xlashape_error* err);
typedef int32_t xlashape_bitcast_kind;
#define XLASHAPE_BITCAST_KIND_RESHAPE 1   /* a reshape is enough: both transposes keep the order */
#define XLASHAPE_BITCAST_KIND_TRANSPOSE 2 /* the first transpose is enough: the rest changes nothing */
#define XLASHAPE_BITCAST_KIND_TRT 3       /* transpose, reshape, transpose; one transpose may keep the order */
/* The steps from `a` to `b`: `a` transposed by `transpose1`, as in xlashape_shape_permute_dimensions, is
 * `reshape_from`, that reshaped is `reshape_to`, and that transposed by `transpose2` is `b`. All are given whatever the
 * kind is. The caller sets the transposes and their capacities before the call; the rest is answered. */
typedef struct xlashape_bitcast_steps {
  uint32_t struct_size;
  xlashape_bitcast_kind kind;
  int64_t* transpose1;         /* gets one entry per dimension of `a` */
  int64_t transpose1_capacity; /* 0: not asked for; less than the rank: OUT_OF_RANGE */
  int64_t* transpose2;         /* gets one entry per dimension of `b` */
  int64_t transpose2_capacity;
  xlashape_shape* reshape_from; /* both with a reference for the caller, to be given back with xlashape_shape_release */
  xlashape_shape* reshape_to;
} xlashape_bitcast_steps;
/* Decomposes the bitcast of `a` to `b` into steps that are bitcasts, too (ShapeUtil::DecomposeBitcast). NOT_FOUND where
 * there is no decomposition (IsDecomposableBitcast). XLA's own answer, which only requires equal numbers of elements:
 * BITCAST_XLA | BITCAST_IGNORE_ELEMENT_TYPE. */
XLASHAPE_API xlashape_status xlashape_shape_decompose_bitcast(const xlashape_shape* a, const xlashape_shape* b,
                                                              uint32_t flags,
                                                              xlashape_bitcast_steps* steps XLASHAPE_INOUT,
                                                              xlashape_error* err);
/* A layout for `dimensions` that makes the reshape of `shape` to them a bitcast (ShapeUtil::AlignLayouts); the layout's
 * other properties are kept. NOT_FOUND where there is none, OUT_OF_RANGE where the numbers of elements differ. With
 * BITCAST_XLA the result has only an order. */
XLASHAPE_API xlashape_status xlashape_shape_align_layouts(const xlashape_shape* shape,
                                                          const int64_t* dimensions XLASHAPE_LEN(rank)
                                                              XLASHAPE_NULLABLE,
                                                          int64_t rank, uint32_t flags, xlashape_layout** layout,
                                                          xlashape_error* err);

/* Divides both lists into the smallest runs of equal product (CommonFactors): concatenated pairs (start in a, start in
 * b), the last being (a_rank, b_rank). *needed counts numbers, two per pair. OUT_OF_RANGE where the products differ. */
XLASHAPE_API xlashape_status xlashape_common_factors(const int64_t* a XLASHAPE_LEN(a_rank) XLASHAPE_NULLABLE,
                                                     int64_t a_rank,
                                                     const int64_t* b XLASHAPE_LEN(b_rank) XLASHAPE_NULLABLE,
                                                     int64_t b_rank,
                                                     int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                     int64_t capacity, int64_t* needed, xlashape_error* err);
/* Those runs that are one dimension on both sides, as pairs (dimension of a, dimension of b)
 * (ShapeUtil::DimensionsUnmodifiedByReshape). */
XLASHAPE_API xlashape_status xlashape_dimensions_unmodified_by_reshape(
    const int64_t* a XLASHAPE_LEN(a_rank) XLASHAPE_NULLABLE, int64_t a_rank,
    const int64_t* b XLASHAPE_LEN(b_rank) XLASHAPE_NULLABLE, int64_t b_rank,
    int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE, int64_t capacity, int64_t* needed, xlashape_error* err);
/* When reshaping `a` to `b` only removes and adds dimensions of size 1: which of a's are removed and which of b's are
 * new (ShapeUtil::InsertedOrDeleted1SizedDimensions). NOT_FOUND otherwise. */
XLASHAPE_API xlashape_status xlashape_shape_inserted_or_deleted_ones(
    const xlashape_shape* a, const xlashape_shape* b,
    int64_t* deleted XLASHAPE_LEN(deleted_capacity) XLASHAPE_NULLABLE, int64_t deleted_capacity,
    int64_t* deleted_needed, int64_t* inserted XLASHAPE_LEN(inserted_capacity) XLASHAPE_NULLABLE,
    int64_t inserted_capacity, int64_t* inserted_needed, xlashape_error* err);
/* A transpose without its dimensions of size 1, and with those that stay together merged, both sides row-major
 * (ShapeUtil::GetNormalizedLogicalTransposeShape): [32,1,10,11] by (3,1,0,2) becomes [32,110] by (1,0). `dimensions`
 * are those of the result; dimension i of it is dimension permutation[i] of the input. Both results have *needed
 * entries, at least one. */
XLASHAPE_API xlashape_status xlashape_normalized_transpose(
    const int64_t* dimensions XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
    const int64_t* permutation XLASHAPE_LEN(rank) XLASHAPE_NULLABLE, int64_t rank,
    int64_t* out_dimensions XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
    int64_t* out_permutation XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE, int64_t capacity, int64_t* needed,
    xlashape_error* err);

/* == Targets ===================================================================================================== *
 * Which layout a compiler chooses for an array that a program takes or returns, and what else is known of the machines
 * that it compiles for. For TPUs the answers are those of their own compiler, libtpu, of the date in docs/targets.md,
 * which is not needed for them. Compiler flags, layouts that a program asks for, and intermediate arrays are not covered.
 *     xlashape_target_from_name("tpu:v5e", 7, &target, &err);
 *     xlashape_shape_for_target(shape, target, 0, &result, &err);          f32[1000,3] -> f32[1000,3]{0,1:T(4,128)} */

/* A target's place among those of the library in use, which list more with each release: store its name. */
typedef int32_t xlashape_target;
/* Targets run from 0 to this, exclusive. */
XLASHAPE_API int64_t xlashape_target_count(void);
/* "tpu:v5e"; docs/targets.md has all. NULL for a number that is no target. Static text. */
XLASHAPE_API const char* xlashape_target_name(xlashape_target target);
/* The target with that name; case matters. NOT_FOUND otherwise, with the names that exist. */
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
XLASHAPE_API xlashape_status xlashape_target_properties(xlashape_target target, xlashape_target_info* info XLASHAPE_INOUT,
                                                        xlashape_error* err);
/* Bytes of the table of pointers that stands for a tuple of that many elements. */
XLASHAPE_API xlashape_status xlashape_target_tuple_bytes(xlashape_target target, int64_t elements, int64_t* bytes,
                                                         xlashape_error* err);
/* What a layout's memory space S(n) is there: "hbm", "vmem", "smem" or "host". UNSUPPORTED where that is not known. */
XLASHAPE_API xlashape_status xlashape_target_memory_space_name(xlashape_target target, int64_t memory_space,
                                                               char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                               int64_t capacity, int64_t* needed, xlashape_error* err);

/* The layout that the compiler chooses for an array; a bounded dynamic dimension counts as its bound. With
 * `minor_to_major` (`rank` entries) that order is kept and only the tiles are chosen, as for a layout that jax gives as
 * major_to_minor. Allocates the layout and nothing else, except for ranks above 6 also its order. UNSUPPORTED: types that
 * the target lacks, unbounded dimensions. OVERFLOW where the array in its layout takes more bytes than fit int64. (libtpu
 * ends the process where the elements alone do; where only some layouts do, it counts those modulo 2^64 and may choose
 * one that takes more.) */
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

/* == Pictures ==================================================================================================== *
 * A layout to look at: the array's cells as one reads them, each with its place in memory, the tiles' borders, and the
 * padding where it is. Rows and columns run along the two dimensions that are most minor in memory; of large arrays the
 * first, the second and the last tile are shown, with exact counts of what is left out.
 *     xlashape_shape_draw(shape, NULL, NULL, text, capacity, &needed, &err);       a picture for a terminal of 80 columns */

#define XLASHAPE_DRAW_TEXT 0 /* for a terminal: UTF-8, one line of characters per row */
#define XLASHAPE_DRAW_SVG 1  /* one <svg> element, readable on light and dark ground */
#define XLASHAPE_DRAW_HTML 2 /* a page that needs nothing else, with a slider through the order in memory */

/* What stands in a cell. */
#define XLASHAPE_DRAW_POSITION 0 /* in memory, counted in elements; of a tile, counted in such tiles */
#define XLASHAPE_DRAW_INDEX 1
#define XLASHAPE_DRAW_BYTE 2 /* the first byte; where elements are no whole bytes, byte.bit */
#define XLASHAPE_DRAW_TILE 3 /* the outermost tile, in the memory's order */
#define XLASHAPE_DRAW_LANE 4 /* sublane.lane of a TPU's register of 8 x 128 words of 32 bits */
#define XLASHAPE_DRAW_NOTHING 5

/* What colours mean. */
#define XLASHAPE_DRAW_BY_POSITION 0 /* the order in memory of what is shown, from dark to light */
#define XLASHAPE_DRAW_BY_TILE 1
#define XLASHAPE_DRAW_BY_DIMENSION 2 /* the index of color_dimension */

#define XLASHAPE_DRAW_COLOR (1u << 0) /* text: with 24-bit colours, as escape sequences */
#define XLASHAPE_DRAW_ASCII (1u << 1) /* text: nothing but ASCII */
#define XLASHAPE_DRAW_DATA (1u << 2)  /* SVG: what is known of a cell as data- attributes, for programs, not as titles */

/* Zero or NULL: the default. */
typedef struct xlashape_draw_options {
  uint32_t struct_size;
  uint32_t flags;
  int32_t format; /* XLASHAPE_DRAW_TEXT, _SVG, _HTML */
  int32_t show;
  int32_t color_by;
  int32_t color_dimension;
  int32_t zoom;          /* 0: a cell is an element; 1: a tile of the innermost level; 2: of the one around it, ... */
  int32_t columns;       /* text: characters per line, from 20 on, which a shape's text may exceed; 0: 80 */
  int32_t max_cells;     /* to show at most of an array, from 9 on; 0: 1024 in text, else 4096 or as many as keep an SVG
                            below 1 MB */
  int32_t reserved;
  int64_t overlay_bytes; /* marks where blocks of so many bytes end, and counts those that a row touches; 0: none */
  const int64_t* at;     /* per dimension an index to show alone, or -1; NULL: -1 everywhere */
  int64_t at_count;      /* the rank, or 0 */
} xlashape_draw_options;

/* Draws an array. With `other`, an array of the same dimensions: both, each element in the same colour, and what a
 * relayout from one to the other does. UNSUPPORTED for what is no array, for unbounded dimensions, and with zoom where
 * tiles do not nest. */
XLASHAPE_API xlashape_status xlashape_shape_draw(const xlashape_shape* shape,
                                                 const xlashape_shape* other XLASHAPE_NULLABLE,
                                                 const xlashape_draw_options* options XLASHAPE_NULLABLE,
                                                 char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE, int64_t capacity,
                                                 int64_t* needed, xlashape_error* err);

/* == Measuring =================================================================================================== *
 * What is fastest depends on the machine. A *profile* says what a processor is like: measured once, and used by each
 * runtime that is made afterwards. *Wisdom* says which way to run a plan was the fastest: it comes from plans that were
 * measured, and stays in their runtime. Both are texts that can be stored. Neither changes a result. docs/tuning.md
 *     xlashape_runtime_calibrate(NULL, NULL, text, XLASHAPE_PROFILE_BYTES, &needed, &err);                          */

#define XLASHAPE_PROFILE_BYTES (64 * 1024) /* that every profile fits into, with its NUL */

/* Zero or NULL: the default. */
typedef struct xlashape_calibrate_options {
  uint32_t struct_size;
  int32_t reserved;
  int64_t budget_ns;             /* about as long as it takes; 0: 10 s */
  xlashape_progress_fn progress; /* nullable: called now and then on the calling thread; `done` never becomes less */
  void* progress_opaque;
  const int32_t* cancel; /* nullable: once it is not 0 the call is CANCELLED soon; set as in xlashape_execute_options */
} xlashape_calibrate_options;

/* Measures the machine: each backend that can does it, on the runtime's executor, and the lines of all are a profile.
 * Loads all backends. The runtime itself does not change: a profile takes effect in runtimes that are made with it
 * (options.profile, or the file at xlashape_runtime_profile_path). Other work on the machine falsifies it. `capacity`
 * must be at least XLASHAPE_PROFILE_BYTES, else OUT_OF_RANGE and nothing is measured; 0 asks for the size and gets that
 * number. UNSUPPORTED where no backend measures anything. */
XLASHAPE_API xlashape_status xlashape_runtime_calibrate(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                                        const xlashape_calibrate_options* options XLASHAPE_NULLABLE,
                                                        char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                        int64_t capacity, int64_t* needed, xlashape_error* err);
/* The file where the runtime looked for its profile, or would have without options.profile; "" where it looks for none:
 * the report says why. Nothing is created. */
XLASHAPE_API xlashape_status xlashape_runtime_profile_path(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                                           char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                           int64_t capacity, int64_t* needed, xlashape_error* err);

/* Zero or NULL: the default. */
typedef struct xlashape_measure_options {
  uint32_t struct_size;
  int32_t reserved;
  int64_t budget_ns; /* about as long as it takes; 0: 0.2 s */
  /* Addresses as in xlashape_execute_options, of arrays with everything that the plan touches. What the destination
   * holds afterwards is unspecified. Both 0: the runtime's allocator provides them until the plan is made; NO_MEMORY
   * where it cannot. */
  uint64_t src;
  uint64_t dst;
} xlashape_measure_options;

/* xlashape_plan_create, which also times the backend's ways to run the plan and keeps the fastest: on CPU memory,
 * UNSUPPORTED for other memory, and on the runtime's executor. Measures nothing with backends that have only one way,
 * or where the runtime knows the fastest already. */
XLASHAPE_API xlashape_status xlashape_plan_create_measured(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                                           const xlashape_shape* src_shape,
                                                           const xlashape_shape* dst_shape,
                                                           const xlashape_relayout_options* options XLASHAPE_NULLABLE,
                                                           const xlashape_measure_options* how XLASHAPE_NULLABLE,
                                                           xlashape_plan** plan, xlashape_error* err);

/* Wisdom belongs to forms of relayouts, not to shapes: arrays that are moved in the same way share it. Later plans and
 * one-shot relayouts of that form, on the same backend and number of workers, run in the way that was the fastest. At
 * most 65,536 entries; what is measured beyond them is used, but not kept.
 * The text: "xlashape wisdom 1", "processor ...", then one line for each entry, sorted: form, backend, nanoseconds of
 * the fastest way, those of the backend's own choice, and the way. */
XLASHAPE_API xlashape_status xlashape_runtime_export_wisdom(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                                            char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                            int64_t capacity, int64_t* needed, xlashape_error* err);
/* Adds the entries of a text; each replaces what the runtime has for its form and backend. Nothing is taken on failure:
 * PARSE (the message names the line, err->offset is the byte), OUT_OF_RANGE above 32 MiB or where there would be too
 * many entries. A text about another processor is checked and not used. `taken` (nullable): how many were taken. Those
 * that a backend does not understand are ignored when a plan meets them. */
XLASHAPE_API xlashape_status xlashape_runtime_import_wisdom(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                                            const char* text XLASHAPE_LEN(text_len), int64_t text_len,
                                                            int64_t* taken XLASHAPE_NULLABLE, xlashape_error* err);
/* Removes all wisdom; plans that were made stay as they are. */
XLASHAPE_API void xlashape_runtime_forget_wisdom(xlashape_runtime* runtime XLASHAPE_NULLABLE);

/* == Wire form of program shapes and paths ======================================================================= *
 * As in the section "Wire form" of xlashape.h.                                                                       */

/* ProgramShapeProto; flags of the reader as for a shape. A message without any names gives empty ones. */
XLASHAPE_API xlashape_status xlashape_program_shape_to_proto(const xlashape_program_shape* program, uint32_t flags,
                                                             uint8_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                             int64_t capacity, int64_t* needed, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_program_shape_from_proto(
    const uint8_t* bytes XLASHAPE_LEN(size) XLASHAPE_NULLABLE, int64_t size, uint32_t flags,
    xlashape_program_shape** program, xlashape_error* err);
/* ShapeIndexProto: a path into nested tuples. */
XLASHAPE_API xlashape_status xlashape_path_to_proto(const int64_t* path XLASHAPE_LEN(path_len) XLASHAPE_NULLABLE,
                                                    int64_t path_len,
                                                    uint8_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                    int64_t capacity, int64_t* needed, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_path_from_proto(const uint8_t* bytes XLASHAPE_LEN(size) XLASHAPE_NULLABLE,
                                                      int64_t size,
                                                      int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                      int64_t capacity, int64_t* needed, xlashape_error* err);

/* == Interop ===================================================================================================== *
 * The structs and texts of other projects, read and written as documented there: none of their headers is needed. What
 * the other side cannot express is UNSUPPORTED, with the reason; see docs/interop.md.
 *     xlashape_layout_from_pjrt(args->device_layout, XLASHAPE_TYPE_BF16, dimensions, rank, 0, &layout, &err);       */

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
#endif /* XLASHAPE_UTIL_H_ */
