/* SPDX-License-Identifier: Apache-2.0 */
/* xlashape: XLA's utilities over shapes and layouts (ShapeUtil, LayoutUtil, IndexUtil), bitcasts, and the shapes of
 * programs. The rules of xlashape.h hold. These functions follow XLA, which changes: docs/versioning.md says what that
 * means for a program, docs/xla-parity.md where each of XLA's functions is. */
#ifndef XLASHAPE_XLA_H_
#define XLASHAPE_XLA_H_

#include "xlashape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* == Shape utilities =============================================================================================== *
 * New shapes from old ones (ShapeUtil, LayoutUtil). Each function says what happens to the layout. Where a layout
 * cannot be adapted the answer is UNSUPPORTED, never a layout with another meaning. A missing layout stays missing.
 *     xlashape_shape_permute_dimensions(shape, permutation, 3, 0, &result, &err);                                    */

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

/* Fields of a layout, all but minor_to_major; ALL is the layout itself, with its order. */
#define XLASHAPE_LAYOUT_FIELD_ALL (1u << 0) /* the layout itself */
#define XLASHAPE_LAYOUT_FIELD_TILES (1u << 1)
#define XLASHAPE_LAYOUT_FIELD_ELEMENT_SIZE (1u << 2)           /* E(n) */
#define XLASHAPE_LAYOUT_FIELD_MEMORY_SPACE (1u << 3)           /* S(n) */
#define XLASHAPE_LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT (1u << 4) /* L(n) */
#define XLASHAPE_LAYOUT_FIELD_SPLIT_CONFIGS (1u << 5)          /* SC(...) */
#define XLASHAPE_LAYOUT_FIELD_PADDING (1u << 6)                /* padded_dimensions and padding_value */
#define XLASHAPE_LAYOUT_FIELD_METADATA_PREFIX (1u << 7)        /* M(n) */
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
/* IsMonotonicWithDim0Major / ...Dim0Minor: 1 or 0. Ranks 0 and 1 are both. */
XLASHAPE_API int32_t xlashape_layout_is_dim0_major(const xlashape_layout* layout);
XLASHAPE_API int32_t xlashape_layout_is_dim0_minor(const xlashape_layout* layout);

/* == Dimensions and indices ======================================================================================== *
 * The numbers and letters of dimensions, and walks over indices (IndexUtil, ShapeUtil::ForEachIndex).
 *     do visit(index); while (xlashape_shape_next_index(shape, index, rank));    from 0...0, if it has any element   */

/* Number of dimensions greater than 1, as XLA's documentation defines the true rank. */
XLASHAPE_API int64_t xlashape_shape_true_rank(const xlashape_shape* shape);
/* 1 when the shape holds exactly one element (ShapeUtil::IsEffectiveScalar). */
XLASHAPE_API int32_t xlashape_shape_is_effective_scalar(const xlashape_shape* shape);
/* Elements in the largest piece of dimension `dimension`'s physical split (LayoutUtil::MaxSplitSize). */
XLASHAPE_API xlashape_status xlashape_shape_max_split_size(const xlashape_shape* shape, int64_t dimension,
                                                           int64_t* size, xlashape_error* err);

/* The first converts a dimension number in -rank..rank-1, as in Python, to 0..rank-1. The others use the letters of
 * XLA's documentation for ranks 2 to 4 (y x; z y x; p z y x), as character codes: 0 where there is no letter, NOT_FOUND
 * for a letter that names no dimension. */
XLASHAPE_API xlashape_status xlashape_dimension_number(int64_t rank, int64_t dimension, int64_t* resolved,
                                                       xlashape_error* err);
XLASHAPE_API int32_t xlashape_dimension_letter(int64_t rank, int64_t dimension);
XLASHAPE_API xlashape_status xlashape_dimension_from_letter(int64_t rank, int32_t letter, int64_t* dimension,
                                                            xlashape_error* err);

/* 1 when every index is in [0, dimension) (IndexUtil::IndexInBounds, which also accepts negative ones). */
XLASHAPE_API int32_t xlashape_shape_index_in_bounds(const xlashape_shape* shape,
                                                    const int64_t* index XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                    int64_t rank);
/* The next index, last dimension fastest (IndexUtil::BumpIndices). 1 while there is one; 0 at the end, index untouched.
 */
XLASHAPE_API int32_t xlashape_shape_next_index(const xlashape_shape* shape,
                                               int64_t* index XLASHAPE_LEN(rank) XLASHAPE_NULLABLE XLASHAPE_INOUT,
                                               int64_t rank);
/* The same over a box (ShapeUtil::ForEachIndex): in each dimension base, base+step, ... while below base+count.
 * `minor_to_major`: the order, its first dimension fastest, such as a layout's; NULL: the last dimension fastest. Start
 * at `base`, unless xlashape_box_index_count is 0. A step of 0 keeps the dimension at its base, whatever its count. It
 * does not check that the walk contains `index` or that `minor_to_major` is a permutation:
 * where not, what `index` becomes is unspecified. xlashape_box_index_at checks. */
XLASHAPE_API int32_t xlashape_box_next_index(const int64_t* base XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                             const int64_t* count XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                             const int64_t* step XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                             const int64_t* minor_to_major XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                             int64_t rank,
                                             int64_t* index XLASHAPE_LEN(rank) XLASHAPE_NULLABLE XLASHAPE_INOUT);
/* How many indices the box holds: 0 where a count is 0 and its step is not. */
XLASHAPE_API xlashape_status xlashape_box_index_count(const int64_t* count XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                      const int64_t* step XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                      int64_t rank, int64_t* indices, xlashape_error* err);
/* Index number `number` of that walk, `base` being number 0; OUT_OF_RANGE where the box has fewer. To share a box among
 * threads, each walks from the index of its first number (ShapeUtil::ForEachIndexParallel). */
XLASHAPE_API xlashape_status xlashape_box_index_at(const int64_t* base XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                   const int64_t* count XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                   const int64_t* step XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                   const int64_t* minor_to_major XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                   int64_t rank, int64_t number,
                                                   int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                   int64_t capacity, int64_t* needed, xlashape_error* err);

/* == Bitcasts and reshapes ========================================================================================= *
 * A reshape or a transpose is a bitcast when nothing has to move: every element of `a` is already where `b` has it.
 * Padding, tiles of all levels, bits per element, the tail, memory space, splits and M(n) count; a dynamic dimension
 * counts with its bound; a missing layout is row-major.
 *     xlashape_shape_reshape_is_bitcast(a, b, 0)                                                                     */

#define XLASHAPE_BITCAST_XLA (1u << 0)                 /* as XLA decides it: only minor_to_major and dimensions count */
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

/* == Wire form of program shapes and paths ========================================================================= *
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

#ifdef __cplusplus
}
#endif
#endif /* XLASHAPE_XLA_H_ */
