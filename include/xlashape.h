/* xlashape: XLA's shapes and layouts without XLA.
 *
 * The way of the data, and the order of this header:
 *
 *     text -> shape -> layout -> index map -> plan -> backend -> memory
 *
 * What holds for everything below, unless a comment says otherwise:
 *
 * - Errors. A function that can fail returns a status (0 is OK) and fills the caller's error record when one is given;
 *   the record is the last parameter and may always be NULL. On failure nothing else is written. Nothing aborts,
 *   throws, prints or starts a thread.
 * - Threads. Every function may be called from any thread at any time; handles are immutable and may be shared.
 * - Ownership. `_create`, `_parse` and everything that returns a handle through `T**` give the caller one reference,
 *   to be given back with `_release` (NULL is fine). A handle keeps alive what it needs, so the order of releases is
 *   free. Memory for answers is always the caller's.
 * - Arrays are pointer + count. A count of 0 allows a NULL pointer. Dimensions run in increasing dimension number.
 * - Variable answers take (out, capacity, needed): `*needed` is always set; when it exceeds a capacity other than 0 the
 *   status is OUT_OF_RANGE and nothing but `needed` is written (text: cut at a character and NUL-terminated). Capacity
 *   0 asks for the size and is OK. Text capacities and needs count the final NUL.
 * - Structs start with `struct_size`, which the caller sets to sizeof. Zero in a field means its default; fields that
 *   this library does not know must be zero (else VERSION).
 * - Sizes say their unit: elements, bytes or bits. "Position" is a linear index: elements from the start of storage.
 * - Since 0.1.
 */
#ifndef XLASHAPE_H_
#define XLASHAPE_H_

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#if defined(XLASHAPE_BUILD)
#define XLASHAPE_API __declspec(dllexport)
#else
#define XLASHAPE_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define XLASHAPE_API __attribute__((visibility("default")))
#else
#define XLASHAPE_API
#endif

/* What C cannot say about a parameter or a type, for the script that derives the ABI file. They expand to nothing:
 * NULLABLE: may be NULL. LEN(n): points to n items (n: an expression over other parameters). INOUT: read and written.
 * THREADS(rule) after a handle's name: "shared" (any thread, concurrently) or "exclusive". */
#ifndef XLASHAPE_ANNOTATE
#define XLASHAPE_NULLABLE
#define XLASHAPE_INOUT
#define XLASHAPE_LEN(n)
#define XLASHAPE_THREADS(rule)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* == Version ==================================================================================================== */

#define XLASHAPE_VERSION_MAJOR 0
#define XLASHAPE_VERSION_MINOR 1
#define XLASHAPE_VERSION_PATCH 0

/* "0.1.0": of the library in use, while the macros tell of the header in use. Static text. */
XLASHAPE_API const char* xlashape_version(void);
/* major << 16 | minor of the C ABI. Before 1.0 any minor may change it; from 1.0 a minor only adds. */
XLASHAPE_API uint32_t xlashape_abi_version(void);

/* == Status and errors =========================================================================================== *
 *     xlashape_error err = {sizeof err};
 *     if (xlashape_shape_parse(text, strlen(text), 0, &shape, &err)) puts(err.message);                             */

typedef int32_t xlashape_status;
#define XLASHAPE_OK 0
#define XLASHAPE_INVALID_ARGUMENT 1 /* breaks a rule: of a shape, a layout, a call */
#define XLASHAPE_OUT_OF_RANGE 2     /* an index, a path, a capacity, a buffer size */
#define XLASHAPE_OVERFLOW 3         /* a size that does not fit int64 */
#define XLASHAPE_PARSE 4            /* text or bytes that are no shape; see `offset` */
#define XLASHAPE_UNSUPPORTED 5      /* well-formed, has no answer (size of an unbounded shape, ...) */
#define XLASHAPE_NOT_FOUND 6
#define XLASHAPE_VERSION 7 /* the caller, or a plugin, uses what this library does not know */
#define XLASHAPE_NO_MEMORY 8
#define XLASHAPE_DEVICE 9
#define XLASHAPE_BUSY 10
#define XLASHAPE_CANCELLED 11
#define XLASHAPE_INTERNAL 12
/* Later releases may add codes: treat any other non-zero value as a failure. */

/* Filled on failure, untouched on success. The caller sets struct_size; below 32 nothing is written. */
typedef struct xlashape_error {
  uint32_t struct_size;
  int32_t code;
  int64_t index;        /* the failing element of a batch, or -1 */
  int64_t offset;       /* the byte in the parsed text or bytes, or (verification) in the destination; or -1 */
  uint32_t source;      /* 0 the core, else 1 + the ordinal of the backend that reported it */
  uint32_t message_len; /* bytes in message, without the NUL */
  char message[480];    /* UTF-8; bytes quoted from the input are escaped */
} xlashape_error;

/* "INVALID_ARGUMENT" and so on; "UNKNOWN" for other numbers. Static text. */
XLASHAPE_API const char* xlashape_status_name(xlashape_status status);

/* == Element types =============================================================================================== *
 * Numbers are those of PrimitiveType in xla_data.proto.                                                             */

typedef int32_t xlashape_element_type;
#define XLASHAPE_PRIMITIVE_TYPE_INVALID 0
#define XLASHAPE_PRED 1
#define XLASHAPE_S8 2
#define XLASHAPE_S16 3
#define XLASHAPE_S32 4
#define XLASHAPE_S64 5
#define XLASHAPE_U8 6
#define XLASHAPE_U16 7
#define XLASHAPE_U32 8
#define XLASHAPE_U64 9
#define XLASHAPE_F16 10
#define XLASHAPE_F32 11
#define XLASHAPE_F64 12
#define XLASHAPE_TUPLE 13
#define XLASHAPE_OPAQUE_TYPE 14
#define XLASHAPE_C64 15
#define XLASHAPE_BF16 16
#define XLASHAPE_TOKEN 17
#define XLASHAPE_C128 18
#define XLASHAPE_F8E5M2 19
#define XLASHAPE_F8E4M3FN 20
#define XLASHAPE_S4 21
#define XLASHAPE_U4 22
#define XLASHAPE_F8E4M3B11FNUZ 23
#define XLASHAPE_F8E5M2FNUZ 24
#define XLASHAPE_F8E4M3FNUZ 25
#define XLASHAPE_S2 26
#define XLASHAPE_U2 27
#define XLASHAPE_F8E4M3 28
#define XLASHAPE_F8E3M4 29
#define XLASHAPE_S1 30
#define XLASHAPE_U1 31
#define XLASHAPE_F4E2M1FN 32
#define XLASHAPE_F8E8M0FNU 33
#define XLASHAPE_BUFFER 34
#define XLASHAPE_F6E3M2FN 35
#define XLASHAPE_F6E2M3FN 36

/* Classes of an element type, as bits (xla/primitive_util.h). */
#define XLASHAPE_CLASS_ARRAY (1u << 0)    /* may be the element type of an array */
#define XLASHAPE_CLASS_FLOAT (1u << 1)    /* IsFloatingPointType */
#define XLASHAPE_CLASS_INTEGRAL (1u << 2) /* IsIntegralType: pred is none */
#define XLASHAPE_CLASS_SIGNED (1u << 3)   /* signed integral */
#define XLASHAPE_CLASS_UNSIGNED (1u << 4) /* unsigned integral */
#define XLASHAPE_CLASS_COMPLEX (1u << 5)
#define XLASHAPE_CLASS_SUB_BYTE (1u << 6) /* IsSubByteNonPredType: 1, 2 or 4 bits, pred is none */
#define XLASHAPE_CLASS_F8 (1u << 7)
#define XLASHAPE_CLASS_F6 (1u << 8)
#define XLASHAPE_CLASS_MX (1u << 9) /* IsMXType: f4e2m1fn, f8e8m0fnu */

/* Lower-case name as in XLA's text ("bf16", "opaque", "tuple"); NULL for a number that names no type. Static text. */
XLASHAPE_API const char* xlashape_element_type_name(xlashape_element_type type);
/* The type that XLA calls `name`, any that the function above gives; case matters. NOT_FOUND otherwise. */
XLASHAPE_API xlashape_status xlashape_element_type_from_name(const char* name XLASHAPE_LEN(name_len), size_t name_len,
                                                             xlashape_element_type* type, xlashape_error* err);
/* primitive_util::BitWidth (pred 1, s4 4, f6e3m2fn 8); 0 for what is no array type. */
XLASHAPE_API int32_t xlashape_element_type_bits(xlashape_element_type type);
/* Bits one element takes in memory when the layout says nothing: 8 x byte width; 0 for what is no array type. */
XLASHAPE_API int32_t xlashape_element_type_storage_bits(xlashape_element_type type);
/* Any of XLASHAPE_CLASS_*; 0 for a number that names no type. */
XLASHAPE_API uint32_t xlashape_element_type_classes(xlashape_element_type type);

/* What a floating-point type can hold (xla/primitive_util.h). */
typedef struct xlashape_float_format {
  uint32_t struct_size;
  int32_t significand_width;  /* bits, the leading one, which is not stored, counted: 24 for f32 */
  int32_t exponent_width;     /* bits */
  int32_t exponent_bias;      /* 127 for f32 */
  int32_t underflow_exponent; /* the smallest n for which 2^(n-1) is a normal number: -125 for f32 */
  int32_t overflow_exponent;  /* the smallest n > 0 for which 2^n is too large: 128 for f32 */
  int32_t has_infinity;       /* these four: 1 or 0 */
  int32_t has_nan;
  int32_t has_negative_zero;
  int32_t has_positive_zero;
} xlashape_float_format;
/* SignificandWidth, ExponentWidth and so on; UNSUPPORTED for what is no floating-point type. */
XLASHAPE_API xlashape_status xlashape_element_type_float_format(xlashape_element_type type,
                                                                xlashape_float_format* format XLASHAPE_INOUT,
                                                                xlashape_error* err);
/* 1 when each value of `from`, infinities, NaN and the sign of zero too, is one of `to` (CastPreservesValues); 0 where
 * one is no type of an array. As in XLA pred goes into every type with a zero, s1 too, where true becomes -1, and no
 * other type into pred. */
XLASHAPE_API int32_t xlashape_element_type_cast_preserves_values(xlashape_element_type from, xlashape_element_type to);

/* Padding values: PaddingValue in the xla_data.proto that had layout padding. */
typedef int32_t xlashape_padding_value;
#define XLASHAPE_INVALID_PAD 0 /* none set: padding is filled with zeros */
#define XLASHAPE_ZERO_PAD 1
#define XLASHAPE_ONE_PAD 2
#define XLASHAPE_LOWEST_PAD \
  3 /* -inf where the type has it, else its most negative finite value; unsigned 0; pred false */
#define XLASHAPE_HIGHEST_PAD 4 /* +inf where the type has it, else its largest finite value; pred true */
#define XLASHAPE_UNKNOWN_PAD 5 /* anything: filled with zeros; FILL_UNSPECIFIED may leave it alone */

/* The bytes of one padding element in its natural storage, little-endian, into `bytes` (16 of them at most);
 * `*needed` is the byte width. Sub-byte values sit in the low bits; complex types get the value in the real part (ONE)
 * or in both (LOWEST, HIGHEST). */
XLASHAPE_API xlashape_status xlashape_padding_element(xlashape_element_type type, xlashape_padding_value value,
                                                      uint8_t* bytes XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                      int64_t capacity, int64_t* needed, xlashape_error* err);

/* == Layouts ===================================================================================================== *
 * How an array's dimensions lie in memory: xla/layout.h, and `padded_dimensions`, `padding_value` as XLA's
 * documentation of layouts has them.
 *     xlashape_layout_parse("{1,0:T(8,128)(2,1)}", 19, &layout, &err);                                              */

typedef struct xlashape_layout xlashape_layout XLASHAPE_THREADS("shared");

#define XLASHAPE_COMBINE_DIMENSION INT64_MIN /* `*` in a tile: merge with the next more minor dimension */

/* Numbers of memory spaces, S(n), that xla::Layout has names for (kHostMemorySpace, ...). Any of -128..127 may be used;
 * what one means is the device's business. Where a plan finds its memory is another thing: XLASHAPE_SPACE_*. */
#define XLASHAPE_LAYOUT_SPACE_DEFAULT 0
#define XLASHAPE_LAYOUT_SPACE_GENERIC_FAST 1
#define XLASHAPE_LAYOUT_SPACE_HOST 5
#define XLASHAPE_LAYOUT_SPACE_UNPINNED_HOST 6

/* Everything a layout may say. Zero or NULL: not said. */
typedef struct xlashape_layout_spec {
  uint32_t struct_size;
  xlashape_padding_value padding_value;
  int64_t rank;
  const int64_t* minor_to_major;    /* [rank] */
  const int64_t* padded_dimensions; /* [rank] or NULL; each >= the dimension, no `?` */
  int64_t tile_count;
  const int64_t* tile_ranks;      /* [tile_count]: sizes in each level, outermost level first */
  const int64_t* tile_dimensions; /* the levels' sizes one after the other, most major first */
  int64_t element_size_in_bits;
  int64_t tail_padding_alignment_in_elements; /* 0 means 1 */
  int64_t memory_space;                       /* -128..127 */
  int64_t split_count;
  const int64_t* split_dimensions; /* [split_count] physical dimension, 0 = most major */
  const int64_t* split_sizes;      /* [split_count]: indices in each split */
  const int64_t* split_indices;    /* the splits' indices one after the other */
  int64_t dynamic_shape_metadata_prefix_bytes;
} xlashape_layout_spec;

/* A layout from its description; checks what can be checked without a shape (rank >= 0, a permutation, tiles of
 * positive sizes, alignment >= 1, positive rising splits, ...). Arrays are copied. */
XLASHAPE_API xlashape_status xlashape_layout_create(const xlashape_layout_spec* spec, xlashape_layout** layout,
                                                    xlashape_error* err);
/* The same with the fields as arguments, for callers that cannot pass nested pointers. */
XLASHAPE_API xlashape_status xlashape_layout_create_flat(
    const int64_t* minor_to_major XLASHAPE_LEN(rank) XLASHAPE_NULLABLE, int64_t rank,
    const int64_t* padded_dimensions XLASHAPE_LEN(rank) XLASHAPE_NULLABLE, xlashape_padding_value padding_value,
    const int64_t* tile_ranks XLASHAPE_LEN(tile_count) XLASHAPE_NULLABLE, int64_t tile_count,
    const int64_t* tile_dimensions XLASHAPE_LEN(sum(tile_ranks)) XLASHAPE_NULLABLE, int64_t element_size_in_bits,
    int64_t tail_padding_alignment_in_elements, int64_t memory_space,
    const int64_t* split_dimensions XLASHAPE_LEN(split_count) XLASHAPE_NULLABLE,
    const int64_t* split_sizes XLASHAPE_LEN(split_count) XLASHAPE_NULLABLE, int64_t split_count,
    const int64_t* split_indices XLASHAPE_LEN(sum(split_sizes)) XLASHAPE_NULLABLE,
    int64_t dynamic_shape_metadata_prefix_bytes, xlashape_layout** layout, xlashape_error* err);
/* {rank-1,...,0}: dimension 0 is major, row-major, XLA's default (LayoutUtil::MakeDescendingLayout). */
XLASHAPE_API xlashape_status xlashape_layout_create_row_major(int64_t rank, xlashape_layout** layout,
                                                              xlashape_error* err);
/* {0,...,rank-1}: dimension 0 is minor, column-major (LayoutUtil::MakeAscendingLayout). */
XLASHAPE_API xlashape_status xlashape_layout_create_column_major(int64_t rank, xlashape_layout** layout,
                                                                 xlashape_error* err);

/* XLA's text, braces included; PD(...) and PV(...) after XLA's own properties. PARSE with `offset`, else as create. */
XLASHAPE_API xlashape_status xlashape_layout_parse(const char* text XLASHAPE_LEN(text_len), size_t text_len,
                                                   xlashape_layout** layout, xlashape_error* err);
/* The layout that the text begins with; `*end` is the byte behind its `}`. What follows is not looked at. */
XLASHAPE_API xlashape_status xlashape_layout_parse_head(const char* text XLASHAPE_LEN(text_len), size_t text_len,
                                                        xlashape_layout** layout, size_t* end, xlashape_error* err);
#define XLASHAPE_PRINT_WITHOUT_LAYOUT (1u << 0)
#define XLASHAPE_PRINT_STRICT (1u << 1) /* UNSUPPORTED rather than text that XLA could not read (PD, PV) */
XLASHAPE_API xlashape_status xlashape_layout_print(const xlashape_layout* layout, uint32_t flags,
                                                   char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE, size_t capacity,
                                                   size_t* needed, xlashape_error* err);

XLASHAPE_API xlashape_layout* xlashape_layout_retain(xlashape_layout* layout XLASHAPE_NULLABLE);
XLASHAPE_API void xlashape_layout_release(xlashape_layout* layout XLASHAPE_NULLABLE);

XLASHAPE_API int64_t xlashape_layout_rank(const xlashape_layout* layout);
XLASHAPE_API xlashape_status xlashape_layout_minor_to_major(const xlashape_layout* layout,
                                                            int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                            int64_t capacity, int64_t* needed, xlashape_error* err);
/* LayoutUtil::MakeLogicalToPhysical: for each dimension, its place counted from the most major one. */
XLASHAPE_API xlashape_status xlashape_layout_logical_to_physical(const xlashape_layout* layout,
                                                                 int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                                 int64_t capacity, int64_t* needed,
                                                                 xlashape_error* err);
/* `*needed` is 0 where no widths are set. */
XLASHAPE_API xlashape_status xlashape_layout_padded_dimensions(const xlashape_layout* layout,
                                                               int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                               int64_t capacity, int64_t* needed, xlashape_error* err);
XLASHAPE_API xlashape_padding_value xlashape_layout_padding_value(const xlashape_layout* layout);
XLASHAPE_API int64_t xlashape_layout_tile_count(const xlashape_layout* layout);
/* Sizes of tile level `level` (0 first applied), most major first; XLASHAPE_COMBINE_DIMENSION for `*`. */
XLASHAPE_API xlashape_status xlashape_layout_tile(const xlashape_layout* layout, int64_t level,
                                                  int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                  int64_t capacity, int64_t* needed, xlashape_error* err);
XLASHAPE_API int64_t xlashape_layout_element_size_in_bits(const xlashape_layout* layout);
XLASHAPE_API int64_t xlashape_layout_tail_padding_alignment_in_elements(const xlashape_layout* layout);
XLASHAPE_API int64_t xlashape_layout_memory_space(const xlashape_layout* layout);
XLASHAPE_API int64_t xlashape_layout_dynamic_shape_metadata_prefix_bytes(const xlashape_layout* layout);
XLASHAPE_API int64_t xlashape_layout_split_count(const xlashape_layout* layout);
/* Split `split`: its physical dimension (0 = most major) and its indices. */
XLASHAPE_API xlashape_status xlashape_layout_split(const xlashape_layout* layout, int64_t split, int64_t* dimension,
                                                   int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                   int64_t capacity, int64_t* needed, xlashape_error* err);

/* All of it at once, to change a field and make another layout by xlashape_layout_create. The arrays are the layout's
 * own: valid as long as it, not to be written to. */
XLASHAPE_API xlashape_status xlashape_layout_get_spec(const xlashape_layout* layout,
                                                      xlashape_layout_spec* spec XLASHAPE_INOUT, xlashape_error* err);
/* One tile level, "(8,128)", or one split, "(1:4,8)", as they stand in the layout's text (Tile::ToString,
 * SplitConfig::ToString). */
XLASHAPE_API xlashape_status xlashape_layout_print_tile(const xlashape_layout* layout, int64_t level,
                                                        char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                        size_t capacity, size_t* needed, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_layout_print_split(const xlashape_layout* layout, int64_t split,
                                                         char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                         size_t capacity, size_t* needed, xlashape_error* err);

/* IsMonotonicWithDim0Major / ...Dim0Minor: 1 or 0. Ranks 0 and 1 are both. */
XLASHAPE_API int32_t xlashape_layout_is_dim0_major(const xlashape_layout* layout);
XLASHAPE_API int32_t xlashape_layout_is_dim0_minor(const xlashape_layout* layout);

/* What an equality leaves out (xla::Shape::Equal, xla::Layout::Equal), or also looks at. The mask holds inside tuples.
 */
#define XLASHAPE_IGNORE_LAYOUT (1u << 0)
#define XLASHAPE_IGNORE_TILES (1u << 1)
#define XLASHAPE_IGNORE_ELEMENT_SIZE (1u << 2)
#define XLASHAPE_IGNORE_MEMORY_SPACE (1u << 3)
#define XLASHAPE_IGNORE_TAIL_PADDING_ALIGNMENT (1u << 4)
#define XLASHAPE_IGNORE_SPLIT_CONFIGS (1u << 5)
#define XLASHAPE_IGNORE_PADDING (1u << 6) /* padded_dimensions and padding_value */
#define XLASHAPE_MINOR_TO_MAJOR_ONLY (1u << 7)
#define XLASHAPE_IGNORE_ELEMENT_TYPE (1u << 8)
#define XLASHAPE_IGNORE_FP_PRECISION (1u << 9)
#define XLASHAPE_IGNORE_DYNAMIC_DIMENSION (1u << 10) /* also lets `?` match any size */
#define XLASHAPE_IGNORE_DIMENSIONS (1u << 11)        /* ranks still compare */
#define XLASHAPE_IGNORE_BUFFER (1u << 12)            /* b(X) equals X */
#define XLASHAPE_COMPARE_METADATA_PREFIX (1u << 16)  /* M(n), which XLA's equality never looks at */

/* 1 equal, 0 not. Mask 0 is XLA's own equality. */
XLASHAPE_API int32_t xlashape_layout_equal(const xlashape_layout* a, const xlashape_layout* b, uint32_t mask);
/* Layouts that are equal under `mask` hash alike under the same mask. For caches inside one process: the value may
 * differ between releases. */
XLASHAPE_API uint64_t xlashape_layout_hash(const xlashape_layout* layout, uint32_t mask);

/* == Shapes ====================================================================================================== *
 * An array (element type, dimensions, layout), a tuple of shapes, a token, an opaque, or a buffer of an array.
 * Every shape that exists is valid: ShapeUtil::ValidateShapeWithOptionalLayout holds for it (ValidateShape, where no
 * array lacks its layout), save that the bytes may exceed int64: then its size is OVERFLOW.
 *     xlashape_shape_parse("f32[2,3]{0,1}", 13, 0, &shape, &err);                                                   */

typedef struct xlashape_shape xlashape_shape XLASHAPE_THREADS("shared");

#define XLASHAPE_UNBOUNDED INT64_MIN /* a dimension of unknown size, `?` */
#define XLASHAPE_MAX_DEPTH 8192      /* of nested tuples */

#define XLASHAPE_KEEP_MISSING_LAYOUT (1u << 0) /* an array without a layout stays so */

/* XLA's text. Without KEEP_MISSING_LAYOUT in flags arrays get the row-major layout where the text has none; scalars get
 * the empty one in any case, as in XLA, whose text of a scalar leaves it out. An integer that does not fit int64 is
 * PARSE, never another number. */
XLASHAPE_API xlashape_status xlashape_shape_parse(const char* text XLASHAPE_LEN(text_len), size_t text_len,
                                                  uint32_t flags, xlashape_shape** shape, xlashape_error* err);
/* The shape that the text begins with, as a reader of whole programs needs it; `*end` is the byte behind its last one.
 * What follows is looked at by one token only: `{` before an integer or ':' opens the layout of the array before it. */
XLASHAPE_API xlashape_status xlashape_shape_parse_head(const char* text XLASHAPE_LEN(text_len), size_t text_len,
                                                       uint32_t flags, xlashape_shape** shape, size_t* end,
                                                       xlashape_error* err);
/* Byte for byte what XLA's HumanStringWithLayout (HumanString with PRINT_WITHOUT_LAYOUT) gives, plus PD and PV. */
XLASHAPE_API xlashape_status xlashape_shape_print(const xlashape_shape* shape, uint32_t flags,
                                                  char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE, size_t capacity,
                                                  size_t* needed, xlashape_error* err);

/* ShapeUtil::MakeValidatedShape. `dynamic`: non-zero for each dimension whose size is a bound, or XLASHAPE_UNBOUNDED (0
 * there is INVALID_ARGUMENT); NULL: the unbounded ones. `layout` NULL: row-major, or none with
 * XLASHAPE_KEEP_MISSING_LAYOUT in flags. */
XLASHAPE_API xlashape_status xlashape_shape_create_array(xlashape_element_type element_type,
                                                         const int64_t* dimensions XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                         const uint8_t* dynamic XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                         int64_t rank, xlashape_layout* layout XLASHAPE_NULLABLE,
                                                         uint32_t flags, xlashape_shape** shape, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_shape_create_tuple(xlashape_shape* const* elements XLASHAPE_LEN(count)
                                                             XLASHAPE_NULLABLE,
                                                         int64_t count, xlashape_shape** shape, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_shape_create_token(xlashape_shape** shape, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_shape_create_opaque(xlashape_shape** shape, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_shape_create_buffer(xlashape_shape* array, xlashape_shape** shape,
                                                          xlashape_error* err);
/* The same array (or buffer) with another layout; NULL takes it away. */
XLASHAPE_API xlashape_status xlashape_shape_with_layout(xlashape_shape* shape,
                                                        xlashape_layout* layout XLASHAPE_NULLABLE,
                                                        xlashape_shape** result, xlashape_error* err);

XLASHAPE_API xlashape_shape* xlashape_shape_retain(xlashape_shape* shape XLASHAPE_NULLABLE);
XLASHAPE_API void xlashape_shape_release(xlashape_shape* shape XLASHAPE_NULLABLE);

typedef int32_t xlashape_category;
#define XLASHAPE_CATEGORY_ARRAY 1
#define XLASHAPE_CATEGORY_TUPLE 2
#define XLASHAPE_CATEGORY_TOKEN 3
#define XLASHAPE_CATEGORY_OPAQUE 4
#define XLASHAPE_CATEGORY_BUFFER 5 /* answers as its array does to everything asked of an array */

XLASHAPE_API xlashape_category xlashape_shape_category(const xlashape_shape* shape);
/* XLASHAPE_TUPLE, _TOKEN, _OPAQUE_TYPE for those; a buffer gives its array's type. */
XLASHAPE_API xlashape_element_type xlashape_shape_element_type(const xlashape_shape* shape);
/* Number of dimensions; 0 for what is no array, whose two lists are empty. */
XLASHAPE_API int64_t xlashape_shape_rank(const xlashape_shape* shape);
XLASHAPE_API xlashape_status xlashape_shape_dimensions(const xlashape_shape* shape,
                                                       int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                       int64_t capacity, int64_t* needed, xlashape_error* err);
/* One 0 or 1 per dimension. */
XLASHAPE_API xlashape_status xlashape_shape_dynamic_dimensions(const xlashape_shape* shape,
                                                               uint8_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                               int64_t capacity, int64_t* needed, xlashape_error* err);
/* 1 when any dimension, of any array inside, is dynamic / unbounded. */
XLASHAPE_API int32_t xlashape_shape_is_dynamic(const xlashape_shape* shape);
XLASHAPE_API int32_t xlashape_shape_is_unbounded(const xlashape_shape* shape);
XLASHAPE_API int32_t xlashape_shape_has_layout(const xlashape_shape* shape);
/* The layout, with a reference for the caller; NOT_FOUND where there is none. */
XLASHAPE_API xlashape_status xlashape_shape_layout(const xlashape_shape* shape, xlashape_layout** layout,
                                                   xlashape_error* err);

/* Elements of a tuple (1 for a buffer, else 0), and one of them. */
XLASHAPE_API int64_t xlashape_shape_tuple_element_count(const xlashape_shape* shape);
XLASHAPE_API xlashape_status xlashape_shape_tuple_element(const xlashape_shape* shape, int64_t index,
                                                          xlashape_shape** element, xlashape_error* err);
/* The shape at a path into nested tuples (ShapeUtil::GetSubshape); the empty path is the shape itself. */
XLASHAPE_API xlashape_status xlashape_shape_subshape(const xlashape_shape* shape,
                                                     const int64_t* path XLASHAPE_LEN(path_len) XLASHAPE_NULLABLE,
                                                     int64_t path_len, xlashape_shape** subshape, xlashape_error* err);
/* Shapes inside that are no tuples (ShapeUtil::GetLeafCount). */
XLASHAPE_API int64_t xlashape_shape_leaf_count(const xlashape_shape* shape);

/* 1 equal, 0 not; mask 0 is xla::Shape's ==. */
XLASHAPE_API int32_t xlashape_shape_equal(const xlashape_shape* a, const xlashape_shape* b, uint32_t mask);
/* ShapeUtil::Compatible and its kin: equality less layout and dynamism, and what `mask` also leaves out. */
XLASHAPE_API int32_t xlashape_shape_compatible(const xlashape_shape* a, const xlashape_shape* b, uint32_t mask);
/* Shapes that are equal under `mask` hash alike under the same mask. For caches inside one process. With
 * IGNORE_DYNAMIC_DIMENSION sizes do not count at all, as `?` then equals any. */
XLASHAPE_API uint64_t xlashape_shape_hash(const xlashape_shape* shape, uint32_t mask);

/* Dimension numbers: -rank..rank-1 as in Python, to 0..rank-1; and the letters of XLA's documentation for ranks 2 to 4
 * (y x; z y x; p z y x): 0 where there is no letter, NOT_FOUND for a letter that names nothing. */
XLASHAPE_API xlashape_status xlashape_dimension_number(int64_t rank, int64_t dimension, int64_t* resolved,
                                                       xlashape_error* err);
XLASHAPE_API char xlashape_dimension_letter(int64_t rank, int64_t dimension);
XLASHAPE_API xlashape_status xlashape_dimension_from_letter(int64_t rank, char letter, int64_t* dimension,
                                                            xlashape_error* err);

/* == Sizes ======================================================================================================= *
 * Exact: all padding, all tile levels, the tail. A dynamic dimension counts with its bound; an unbounded one has no
 * size (UNSUPPORTED), nor has a layout that no index map can be made of (see below). The metadata prefix M(n) is never
 * counted. An array without a layout counts as row-major.                                                           */

typedef struct xlashape_sizes {
  uint32_t struct_size;
  int32_t element_bits;      /* bits one element takes: E(n), or the type's storage bits */
  int64_t elements;          /* product of the dimensions */
  int64_t storage_elements;  /* positions: padding, tiles and tail counted */
  int64_t logical_bytes;     /* elements x element_bits, rounded up to bytes */
  int64_t bytes;             /* storage_elements x element_bits, rounded up to bytes */
  int64_t xla_bytes;         /* what ShapeUtil::ArraySize answers: first tile level, its own rule for tail and splits */
  int64_t data_bytes;        /* up to and with the furthest element; an upper bound where tile levels reach into each other */
  int64_t dimension_padding; /* positions beyond an element's place because of padded_dimensions and tiles */
  int64_t tail_padding;      /* positions added by the tail alignment */
} xlashape_sizes;

/* Of an array or a buffer. xla_bytes is -1 where XLA's number overflows. */
XLASHAPE_API xlashape_status xlashape_shape_sizes(const xlashape_shape* shape, xlashape_sizes* sizes XLASHAPE_INOUT,
                                                  xlashape_error* err);
/* Product of the dimensions (ShapeUtil::ElementsIn). */
XLASHAPE_API xlashape_status xlashape_shape_element_count(const xlashape_shape* shape, int64_t* elements,
                                                          xlashape_error* err);
#define XLASHAPE_SIZE_XLA (1u << 0) /* XLA's own number (ShapeUtil::ArraySize) in place of the exact one */
/* Bytes of the top-level buffer (ShapeUtil::ByteSizeOf): of an array its storage, of a tuple one pointer per element
 * (`pointer_size` bytes each; 0: UNSUPPORTED), of an opaque one pointer, of a token 0. */
XLASHAPE_API xlashape_status xlashape_shape_byte_size(const xlashape_shape* shape, int64_t pointer_size, uint32_t flags,
                                                      int64_t* bytes, xlashape_error* err);
/* Number of dimensions greater than 1, as XLA's documentation defines the true rank. */
XLASHAPE_API int64_t xlashape_shape_true_rank(const xlashape_shape* shape);
/* 1 when the shape holds exactly one element (ShapeUtil::IsEffectiveScalar). */
XLASHAPE_API int32_t xlashape_shape_is_effective_scalar(const xlashape_shape* shape);

typedef int32_t xlashape_unit;
#define XLASHAPE_UNIT_ELEMENTS 0
#define XLASHAPE_UNIT_BYTES 1 /* UNSUPPORTED where an element is no whole number of bytes */
#define XLASHAPE_UNIT_BITS 2
/* Distance in memory between neighbours of each dimension, padded widths counted (IndexUtil::GetDimensionStride,
 * ShapeUtil::ByteStrides). UNSUPPORTED where tiles leave no single distance. */
XLASHAPE_API xlashape_status xlashape_shape_strides(const xlashape_shape* shape, xlashape_unit unit,
                                                    int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                    int64_t capacity, int64_t* needed, xlashape_error* err);
/* Elements in the largest piece of dimension `dimension`'s physical split (LayoutUtil::MaxSplitSize). */
XLASHAPE_API xlashape_status xlashape_shape_max_split_size(const xlashape_shape* shape, int64_t dimension,
                                                           int64_t* size, xlashape_error* err);

/* 1 when every index lies in [0, dimension) (IndexUtil::IndexInBounds, which lets negative ones through). */
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
 * at `base`, unless xlashape_box_index_count is 0. A step of 0 pins the dimension at its base, whatever its count. It takes
 * nanoseconds, and so does not look whether the walk comes to `index` or `minor_to_major` is a permutation: where not, what
 * `index` becomes is unspecified. xlashape_box_index_at looks. */
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
/* Number `number` of that walk, 0 being `base`; OUT_OF_RANGE where the box has fewer. Threads share a box by walking
 * each from the index of its first number (ShapeUtil::ForEachIndexParallel). */
XLASHAPE_API xlashape_status xlashape_box_index_at(const int64_t* base XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                   const int64_t* count XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                   const int64_t* step XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                   const int64_t* minor_to_major XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                   int64_t rank, int64_t number,
                                                   int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                   int64_t capacity, int64_t* needed, xlashape_error* err);

/* == Shape utilities ============================================================================================= *
 * New shapes from old ones (ShapeUtil, LayoutUtil). What becomes of the layout is said for each. Where a layout cannot
 * follow, the answer is UNSUPPORTED, never a layout that means something else. A missing layout stays missing.
 *     xlashape_shape_permute_dimensions(shape, permutation, 3, 0, &result, &err);                                   */

/* c64 gives f32, c128 f64; and the reverse. PRIMITIVE_TYPE_INVALID for other types. */
XLASHAPE_API xlashape_element_type xlashape_element_type_complex_component(xlashape_element_type type);
XLASHAPE_API xlashape_element_type xlashape_element_type_complex(xlashape_element_type type);
/* The integral type of 1, 2, 4, 8, 16, 32 or 64 bits, else PRIMITIVE_TYPE_INVALID. */
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
/* 1 when those dimensions, in any order, are neighbours in minor_to_major; no dimension or one always is. 0 for numbers
 * out of range and repeated ones. */
XLASHAPE_API int32_t xlashape_layout_are_dimensions_consecutive(
    const xlashape_layout* layout, const int64_t* dimensions XLASHAPE_LEN(count) XLASHAPE_NULLABLE, int64_t count);

/* Parts of a layout, for the two functions below: the XLASHAPE_IGNORE_* that name one (LAYOUT: all of it, TILES,
 * ELEMENT_SIZE, MEMORY_SPACE, TAIL_PADDING_ALIGNMENT, SPLIT_CONFIGS, PADDING), and M(n). */
#define XLASHAPE_PART_METADATA_PREFIX (1u << 16)
#define XLASHAPE_PARTS_OF_DEVICE 0x1007Eu /* everything but LAYOUT: what a host layout does not have */
/* 1 when any array inside sets any of those parts: LayoutUtil::HasAnyLayout (LAYOUT), HasCustomElementSizeInBits
 * (ELEMENT_SIZE), and the reverse of ShapeUtil::DeviceShapeIsHostShape (PARTS_OF_DEVICE). */
XLASHAPE_API int32_t xlashape_shape_has_parts(const xlashape_shape* shape, uint32_t parts);
/* The same shape with those parts unset in every array inside: LayoutUtil::ClearLayout, ClearTiles,
 * ShapeUtil::DeviceShapeToHostShape. It lies differently in memory, of course. */
XLASHAPE_API xlashape_status xlashape_shape_without_parts(const xlashape_shape* shape, uint32_t parts,
                                                          xlashape_shape** result, xlashape_error* err);
/* 1 when every array inside has a layout (LayoutUtil::HasLayout); tokens, opaques and the empty tuple need none. */
XLASHAPE_API int32_t xlashape_shape_has_all_layouts(const xlashape_shape* shape);
/* Row-major order for every array inside (LayoutUtil::SetToDefaultLayout), all else of its layout as it was: tiles
 * apply to the new order, splits and widths follow their dimensions. Arrays without a layout get one. */
XLASHAPE_API xlashape_status xlashape_shape_with_default_layouts(const xlashape_shape* shape, xlashape_shape** result,
                                                                 xlashape_error* err);
/* `to` with the layouts of `from`, array by array (LayoutUtil::CopyLayoutBetweenShapes); a missing one takes `to`'s
 * away. INVALID_ARGUMENT where the tuples or ranks differ, or a layout does not fit. */
XLASHAPE_API xlashape_status xlashape_shape_copy_layouts(const xlashape_shape* from, const xlashape_shape* to,
                                                         xlashape_shape** result, xlashape_error* err);
/* E(n) set to the value's bits for arrays of s1, u1, ... s4, u4, f4e2m1fn that have a layout, unset for other types,
 * pred included (ShapeUtil::UpdateElementSizeInBits). To unpack: without_parts(ELEMENT_SIZE). */
XLASHAPE_API xlashape_status xlashape_shape_with_packed_elements(const xlashape_shape* shape, xlashape_shape** result,
                                                                 xlashape_error* err);
/* Every array inside with that element type (ShapeUtil::ChangeElementType). E(n) stays for sub-byte types, widened to
 * the value where it would not hold it; for other types it is unset. */
XLASHAPE_API xlashape_status xlashape_shape_with_element_type(const xlashape_shape* shape, xlashape_element_type type,
                                                              xlashape_shape** result, xlashape_error* err);

/* new.dimensions[i] = old.dimensions[permutation[i]], in the same memory: minor_to_major and widths are renumbered, all
 * else stays (ShapeUtil::PermuteDimensions). With KEEP_LAYOUT the order minor_to_major and the tiles stay as they are,
 * so the memory changes; widths and splits follow their dimensions (PermuteDimensionsIgnoringLayout). OUT_OF_RANGE for
 * what is no permutation of the dimensions. */
#define XLASHAPE_PERMUTE_KEEP_LAYOUT (1u << 0)
XLASHAPE_API xlashape_status xlashape_shape_permute_dimensions(
    const xlashape_shape* shape, const int64_t* permutation XLASHAPE_LEN(rank) XLASHAPE_NULLABLE, int64_t rank,
    uint32_t flags, xlashape_shape** result, xlashape_error* err);
/* The same memory with dimensions permuted so that its layout is row-major
 * (ShapeUtil::MakeShapeWithDescendingLayoutAndSamePhysicalLayout); everything else is kept. */
XLASHAPE_API xlashape_status xlashape_shape_to_physical_order(const xlashape_shape* shape, xlashape_shape** result,
                                                              xlashape_error* err);
/* New dimensions before dimension `at` (0 to rank), of `sizes`, in that order. In memory they come next to dimension
 * `at`, more major; at the end most minor (ShapeUtil::InsertDimensionsAtIndex, AppendMinorDimension). With
 * INSERT_MOST_MAJOR they become the most major ones (PrependMajorDimension, AppendMajorDimension). Padded widths are
 * their sizes; splits follow their dimensions. UNSUPPORTED where they would come under a tile, save sizes of 1 that
 * change no element's position. */
#define XLASHAPE_INSERT_MOST_MAJOR (1u << 0)
XLASHAPE_API xlashape_status xlashape_shape_insert_dimensions(
    const xlashape_shape* shape, int64_t at, const int64_t* sizes XLASHAPE_LEN(count) XLASHAPE_NULLABLE, int64_t count,
    uint32_t flags, xlashape_shape** result, xlashape_error* err);
/* The shape without those dimensions, in any order, each once (ShapeUtil::DeleteDimensions, FilterDimensions). The
 * others keep their order in memory; widths and splits of those go. UNSUPPORTED where a tile covers one of them, save
 * sizes of 1 whose going changes no element's position. */
XLASHAPE_API xlashape_status xlashape_shape_delete_dimensions(
    const xlashape_shape* shape, const int64_t* dimensions XLASHAPE_LEN(count) XLASHAPE_NULLABLE, int64_t count,
    xlashape_shape** result, xlashape_error* err);
/* Without the dimensions of size 1 (ShapeUtil::DropDegenerateDimensions), in the same memory: UNSUPPORTED where padding
 * or tiles make that impossible. */
XLASHAPE_API xlashape_status xlashape_shape_drop_degenerate_dimensions(const xlashape_shape* shape,
                                                                       xlashape_shape** result, xlashape_error* err);
/* 1 when a dimension has size 1. */
XLASHAPE_API int32_t xlashape_shape_has_degenerate_dimensions(const xlashape_shape* shape);
/* The shape with another size, and dynamism, of one dimension: a size of XLASHAPE_UNBOUNDED must be dynamic. The layout
 * must still fit: widths and splits, which an unbounded dimension cannot have. */
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
/* The array with other dynamic dimensions (set_dynamic_dimension, CopyDynamicDimensions). Unbounded ones must be dynamic:
 * a 0 for them is INVALID_ARGUMENT. */
XLASHAPE_API xlashape_status xlashape_shape_with_dynamic_dimensions(
    const xlashape_shape* shape, const uint8_t* dynamic XLASHAPE_LEN(rank) XLASHAPE_NULLABLE, int64_t rank,
    xlashape_shape** result, xlashape_error* err);
/* 1 when any array inside has a dimension that is dynamic and bounded. */
XLASHAPE_API int32_t xlashape_shape_is_bounded_dynamic(const xlashape_shape* shape);
/* 1 when the tuples of both are alike and every dynamic array of `dynamic` fits its place in `bounds`: the same rank,
 * no dimension larger (ShapeUtil::DynamicShapeIsCompatible). `?` fits everywhere and holds everything. Static arrays
 * are not looked at. */
XLASHAPE_API int32_t xlashape_shape_fits_bounds(const xlashape_shape* dynamic, const xlashape_shape* bounds);

/* Product of the bounded dimensions, unbounded ones left out (ShapeUtil::StaticExtentProduct). */
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
/* 1 when the shape, or one inside, has that element type; XLASHAPE_TUPLE and so on name themselves
 * (ShapeUtil::HasPrimitiveType). */
XLASHAPE_API int32_t xlashape_shape_has_element_type(const xlashape_shape* shape, xlashape_element_type type);
/* 1 when all leaves are arrays (or buffers) whose type is in all those classes: AreAllLeavesIntegers with INTEGRAL. */
XLASHAPE_API int32_t xlashape_shape_leaves_have_classes(const xlashape_shape* shape, uint32_t classes);

/* Shapes inside, itself and tuples included, a buffer as one (ShapeUtil::SubshapeCount). */
XLASHAPE_API int64_t xlashape_shape_subshape_count(const xlashape_shape* shape);
/* Visits the shapes inside (ShapeUtil::ForEachSubshape and its kin). Start with *path_len = -1; each call moves `path`
 * to the next one: outer before inner and elements in order, or inner before outer with POST_ORDER; only those that are
 * no tuples with LEAVES; only arrays without a layout, or buffers of such, with MISSING_LAYOUTS: where
 * LayoutUtil::ValidateLayoutInShape without allow_missing_layouts fails. A path never has more than XLASHAPE_MAX_DEPTH
 * steps; OUT_OF_RANGE, and nothing moved, when `capacity` is less than the next one has. NOT_FOUND at the end.
 * `subshape`, when asked for, comes with a reference. */
#define XLASHAPE_VISIT_LEAVES (1u << 0)
#define XLASHAPE_VISIT_POST_ORDER (1u << 1)
#define XLASHAPE_VISIT_MISSING_LAYOUTS (1u << 2)
XLASHAPE_API xlashape_status xlashape_shape_next_subshape(const xlashape_shape* shape, uint32_t flags,
                                                          int64_t* path XLASHAPE_LEN(capacity)
                                                              XLASHAPE_NULLABLE XLASHAPE_INOUT,
                                                          int64_t capacity, int64_t* path_len XLASHAPE_INOUT,
                                                          xlashape_shape** subshape XLASHAPE_NULLABLE,
                                                          xlashape_error* err);
#define XLASHAPE_STRUCTURE_ONLY (1u << 17) /* for the function below: nothing but the tuples compares */
/* 1 when the tuples of `prefix` start those of `shape`, and what is no tuple equals what is in its place there
 * (ShapeUtil::IsPrefix; mask as in xlashape_shape_equal). The empty tuple is a prefix of everything. With
 * STRUCTURE_ONLY: 1 when every path into `prefix` is one into `shape`; both ways round: ShapeUtil::EqualStructure. */
XLASHAPE_API int32_t xlashape_shape_is_prefix(const xlashape_shape* prefix, const xlashape_shape* shape, uint32_t mask);
/* The tuple of elements [first, limit) (ShapeUtil::SliceTuple). */
XLASHAPE_API xlashape_status xlashape_shape_slice_tuple(const xlashape_shape* tuple, int64_t first, int64_t limit,
                                                        xlashape_shape** result, xlashape_error* err);
/* The tuple with one more element (ShapeUtil::AppendShapeToTuple). */
XLASHAPE_API xlashape_status xlashape_shape_append_to_tuple(const xlashape_shape* tuple, xlashape_shape* element,
                                                            xlashape_shape** result, xlashape_error* err);
/* The shape with another one at `path` (ShapeUtil::UpdateTupleShape, GetMutableSubshape). */
XLASHAPE_API xlashape_status xlashape_shape_replace_subshape(
    const xlashape_shape* shape, const int64_t* path XLASHAPE_LEN(path_len) XLASHAPE_NULLABLE, int64_t path_len,
    xlashape_shape* subshape, xlashape_shape** result, xlashape_error* err);
/* One tuple of all leaves in order (ShapeUtil::FlattenTupleShape). */
XLASHAPE_API xlashape_status xlashape_shape_flatten_tuple(const xlashape_shape* shape, xlashape_shape** result,
                                                          xlashape_error* err);

/* A program's signature: parameters with names, and a result (xla::ProgramShape). */
typedef struct xlashape_program_shape xlashape_program_shape XLASHAPE_THREADS("shared");

/* `names`: the parameters' names one after the other, name_lens[i] bytes each, any may be empty; name_lens NULL: none.
 */
XLASHAPE_API xlashape_status xlashape_program_shape_create(
    xlashape_shape* const* parameters XLASHAPE_LEN(count) XLASHAPE_NULLABLE, int64_t count,
    const char* names XLASHAPE_LEN(sum(name_lens)) XLASHAPE_NULLABLE,
    const int64_t* name_lens XLASHAPE_LEN(count) XLASHAPE_NULLABLE, xlashape_shape* result,
    xlashape_program_shape** program, xlashape_error* err);
XLASHAPE_API xlashape_program_shape* xlashape_program_shape_retain(xlashape_program_shape* program XLASHAPE_NULLABLE);
XLASHAPE_API void xlashape_program_shape_release(xlashape_program_shape* program XLASHAPE_NULLABLE);
XLASHAPE_API int64_t xlashape_program_shape_parameter_count(const xlashape_program_shape* program);
XLASHAPE_API xlashape_status xlashape_program_shape_parameter(const xlashape_program_shape* program, int64_t index,
                                                              xlashape_shape** shape, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_program_shape_parameter_name(const xlashape_program_shape* program, int64_t index,
                                                                   char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                                   size_t capacity, size_t* needed,
                                                                   xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_program_shape_result(const xlashape_program_shape* program,
                                                           xlashape_shape** shape, xlashape_error* err);
/* "(x: f32[2]{0}, (unknown): s32[]) -> f32[2]{0}", with the flags of xlashape_shape_print. */
XLASHAPE_API xlashape_status xlashape_program_shape_print(const xlashape_program_shape* program, uint32_t flags,
                                                          char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                          size_t capacity, size_t* needed, xlashape_error* err);
/* 1 when every array of parameters and result has a layout (LayoutUtil::HasLayout). */
XLASHAPE_API int32_t xlashape_program_shape_has_all_layouts(const xlashape_program_shape* program);
/* The program with xlashape_shape_with_default_layouts of all its shapes (LayoutUtil::SetToDefaultLayout), or
 * xlashape_shape_without_parts (LAYOUT: LayoutUtil::ClearLayout). */
XLASHAPE_API xlashape_status xlashape_program_shape_with_default_layouts(const xlashape_program_shape* program,
                                                                         xlashape_program_shape** result,
                                                                         xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_program_shape_without_parts(const xlashape_program_shape* program,
                                                                  uint32_t parts, xlashape_program_shape** result,
                                                                  xlashape_error* err);
/* 1 when parameters, names and results are equal; mask as in xlashape_shape_equal. */
XLASHAPE_API int32_t xlashape_program_shape_equal(const xlashape_program_shape* a, const xlashape_program_shape* b,
                                                  uint32_t mask);

/* == Bitcasts and reshapes ======================================================================================= *
 * A reshape or a transpose is a bitcast when the array needs no moving: every element of `a` already lies where `b` has
 * it. Padding, tiles of all levels, bits per element, the tail, memory space, splits and M(n) count; a dynamic
 * dimension counts with its bound; a missing layout is row-major.
 *     xlashape_shape_reshape_is_bitcast(a, b, 0)                                                                    */

#define XLASHAPE_BITCAST_XLA (1u << 0) /* XLA's narrower question: minor_to_major and dimensions are all that counts */
#define XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE (1u << 1) /* the bits per element still count, save with BITCAST_XLA */

/* 1 when reshaping array `a` to the dimensions of `b` (elements in row-major order) moves nothing
 * (ShapeUtil::ReshapeIsBitcast). A yes is certain; a no may be undue for tiles with `*` over dimensions that are no
 * neighbours. 0 for what is no array or unbounded. */
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
/* The permutation that makes `a` transposed to `b` a bitcast, by the order of dimensions in memory
 * (ShapeUtil::DeduceTransposeDimensionsForBitcast). NOT_FOUND where there is none. */
XLASHAPE_API xlashape_status xlashape_shape_deduce_transpose(const xlashape_shape* a, const xlashape_shape* b,
                                                             uint32_t flags,
                                                             int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                             int64_t capacity, int64_t* needed, xlashape_error* err);
typedef int32_t xlashape_bitcast_kind;
#define XLASHAPE_BITCAST_RESHAPE 1   /* a reshape is enough: both transposes keep the order */
#define XLASHAPE_BITCAST_TRANSPOSE 2 /* a transpose is: the first; what follows keeps everything */
#define XLASHAPE_BITCAST_TRT 3       /* transpose, reshape, transpose; one transpose may keep the order */
/* The same memory seen as `a` and as `b`, in parts that are bitcasts each (ShapeUtil::DecomposeBitcast): `a` transposed
 * by `transpose1` (a's rank entries, as in xlashape_shape_permute_dimensions) to `reshape_from`, that reshaped to
 * `reshape_to`, that transposed by `transpose2` (b's rank entries) to `b`. All of it is answered whatever the kind is.
 * The shapes come with references, when asked for. NOT_FOUND where there is no such way (IsDecomposableBitcast). XLA's
 * own answer, which asks for equal numbers of elements only: BITCAST_XLA | BITCAST_IGNORE_ELEMENT_TYPE. */
XLASHAPE_API xlashape_status xlashape_shape_decompose_bitcast(
    const xlashape_shape* a, const xlashape_shape* b, uint32_t flags, xlashape_bitcast_kind* kind,
    int64_t* transpose1 XLASHAPE_LEN(transpose1_capacity) XLASHAPE_NULLABLE, int64_t transpose1_capacity,
    int64_t* transpose1_needed, xlashape_shape** reshape_from XLASHAPE_NULLABLE,
    xlashape_shape** reshape_to XLASHAPE_NULLABLE, int64_t* transpose2 XLASHAPE_LEN(transpose2_capacity)
        XLASHAPE_NULLABLE,
    int64_t transpose2_capacity, int64_t* transpose2_needed, xlashape_error* err);
/* A layout for `dimensions` that makes the reshape of `shape` to them a bitcast (ShapeUtil::AlignLayouts); the layout's
 * other properties go with it. NOT_FOUND where there is none, OUT_OF_RANGE where the numbers of elements differ. With
 * BITCAST_XLA the answer has an order and nothing else. */
XLASHAPE_API xlashape_status xlashape_shape_align_layouts(const xlashape_shape* shape,
                                                          const int64_t* dimensions XLASHAPE_LEN(rank)
                                                              XLASHAPE_NULLABLE,
                                                          int64_t rank, uint32_t flags, xlashape_layout** layout,
                                                          xlashape_error* err);

/* Both lists cut into the smallest runs of equal product (CommonFactors): pairs (start in a, start in b), one after the
 * other, the last being (a_rank, b_rank). *needed counts numbers, two per pair. OUT_OF_RANGE where the products differ.
 */
XLASHAPE_API xlashape_status xlashape_common_factors(const int64_t* a XLASHAPE_LEN(a_rank) XLASHAPE_NULLABLE,
                                                     int64_t a_rank,
                                                     const int64_t* b XLASHAPE_LEN(b_rank) XLASHAPE_NULLABLE,
                                                     int64_t b_rank,
                                                     int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                     int64_t capacity, int64_t* needed, xlashape_error* err);
/* The runs of one dimension on both sides, as pairs (dimension of a, dimension of b)
 * (ShapeUtil::DimensionsUnmodifiedByReshape). */
XLASHAPE_API xlashape_status xlashape_dimensions_unmodified_by_reshape(
    const int64_t* a XLASHAPE_LEN(a_rank) XLASHAPE_NULLABLE, int64_t a_rank,
    const int64_t* b XLASHAPE_LEN(b_rank) XLASHAPE_NULLABLE, int64_t b_rank,
    int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE, int64_t capacity, int64_t* needed, xlashape_error* err);
/* When reshaping `a` to `b` only takes away and adds dimensions of size 1: which of a's went and which of b's are new
 * (ShapeUtil::InsertedOrDeleted1SizedDimensions). NOT_FOUND otherwise. */
XLASHAPE_API xlashape_status xlashape_shape_inserted_or_deleted_ones(
    const xlashape_shape* a, const xlashape_shape* b,
    int64_t* deleted XLASHAPE_LEN(deleted_capacity) XLASHAPE_NULLABLE, int64_t deleted_capacity,
    int64_t* deleted_needed, int64_t* inserted XLASHAPE_LEN(inserted_capacity) XLASHAPE_NULLABLE,
    int64_t inserted_capacity, int64_t* inserted_needed, xlashape_error* err);
/* A transpose with dimensions of size 1 dropped and those that stay together merged, both sides row-major
 * (ShapeUtil::GetNormalizedLogicalTransposeShape): [32,1,10,11] by (3,1,0,2) becomes [32,110] by (1,0). `dimensions`
 * are those of the result; dimension i of it is dimension permutation[i] of the input. Both answers have *needed
 * entries, at least one. */
XLASHAPE_API xlashape_status xlashape_normalized_transpose(
    const int64_t* dimensions XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
    const int64_t* permutation XLASHAPE_LEN(rank) XLASHAPE_NULLABLE, int64_t rank,
    int64_t* out_dimensions XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
    int64_t* out_permutation XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE, int64_t capacity, int64_t* needed,
    xlashape_error* err);

/* == Wire form =================================================================================================== *
 * The protocol buffer messages of xla_data.proto, byte for byte as XLA serialises them; our padding as fields 2 and 3 of
 * LayoutProto, where TensorFlow 1.x had them and XLA passes over them. Readers take fields in any order, packed or not,
 * and pass over what they do not know. Bytes that are no protocol buffer are PARSE; a message that breaks a rule of
 * shapes or layouts, or holds what only sparse layouts have, fails as its creation would; both with `offset`. Nothing
 * recurses: tuples may nest XLASHAPE_MAX_DEPTH deep (protobuf's own readers stop at 100).
 *     xlashape_shape_from_proto(bytes, size, 0, &shape, &err);                                                      */

/* ShapeProto. `*needed` counts bytes. */
XLASHAPE_API xlashape_status xlashape_shape_to_proto(const xlashape_shape* shape,
                                                     uint8_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                     int64_t capacity, int64_t* needed, xlashape_error* err);
/* An array whose message has no layout gets the row-major one; with XLASHAPE_KEEP_MISSING_LAYOUT it stays without, a
 * scalar too. An unbounded dimension is dynamic, whatever the message says of it. */
XLASHAPE_API xlashape_status xlashape_shape_from_proto(const uint8_t* bytes XLASHAPE_LEN(size) XLASHAPE_NULLABLE,
                                                       int64_t size, uint32_t flags, xlashape_shape** shape,
                                                       xlashape_error* err);
/* LayoutProto, with TileProto and SplitConfigProto inside. A tile size of -1 is read as `*`, as INT64_MIN is. */
XLASHAPE_API xlashape_status xlashape_layout_to_proto(const xlashape_layout* layout,
                                                      uint8_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                      int64_t capacity, int64_t* needed, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_layout_from_proto(const uint8_t* bytes XLASHAPE_LEN(size) XLASHAPE_NULLABLE,
                                                        int64_t size, xlashape_layout** layout, xlashape_error* err);
/* ProgramShapeProto; flags as for a shape. A message without any names gives empty ones. */
XLASHAPE_API xlashape_status xlashape_program_shape_to_proto(const xlashape_program_shape* program,
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

/* == Index maps ================================================================================================== *
 * Multidimensional index <-> linear index, exact for every layout: all tile levels, padding told apart.
 *     xlashape_index_map_linear_index(map, index, 2, &linear, &err);                                                */

typedef struct xlashape_index_map xlashape_index_map XLASHAPE_THREADS("shared");

/* Of an array or buffer shape without unbounded dimensions; UNSUPPORTED where it would need more than 1024 values, which the
 * dimensions and what tiles cut them into are. The map does not refer to the shape afterwards. */
XLASHAPE_API xlashape_status xlashape_index_map_create(const xlashape_shape* shape, xlashape_index_map** map,
                                                       xlashape_error* err);
XLASHAPE_API xlashape_index_map* xlashape_index_map_retain(xlashape_index_map* map XLASHAPE_NULLABLE);
XLASHAPE_API void xlashape_index_map_release(xlashape_index_map* map XLASHAPE_NULLABLE);
XLASHAPE_API int64_t xlashape_index_map_rank(const xlashape_index_map* map);
/* Positions of the storage: linear indices run from 0 to this, exclusive. */
XLASHAPE_API int64_t xlashape_index_map_storage_elements(const xlashape_index_map* map);

/* Position of the element at `index`. OUT_OF_RANGE for an index outside the bounds or of another rank. */
XLASHAPE_API xlashape_status xlashape_index_map_linear_index(const xlashape_index_map* map,
                                                             const int64_t* index XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                             int64_t rank, int64_t* linear, xlashape_error* err);
/* The index of the element at position `linear`. A position that holds padding sets *is_padding to 1 and every index to
 * -1; with is_padding NULL it is an error, OUT_OF_RANGE like a position outside the storage. */
XLASHAPE_API xlashape_status xlashape_index_map_multidimensional_index(
    const xlashape_index_map* map, int64_t linear, int64_t* index XLASHAPE_LEN(rank) XLASHAPE_NULLABLE, int64_t rank,
    int32_t* is_padding XLASHAPE_NULLABLE, xlashape_error* err);

typedef struct xlashape_runtime xlashape_runtime XLASHAPE_THREADS("shared");

#define XLASHAPE_MARK_BAD (1u << 0) /* write -1 for bad indices (and padding) and go on; else stop at the smallest */
/* Batches, on the CPU backend that the runtime (NULL: the default one) selects. Index i's entry for dimension d is
 * index[i * index_step + d * dimension_step] (in int64 units): (1, count) is structure of arrays, (rank, 1) array of
 * structures. Without MARK_BAD the first bad entry ends the batch with OUT_OF_RANGE and its number in err->index:
 * answers before it are valid, the others unspecified. Arrays must not overlap, nor entries that are written: one step must
 * exceed what the other spans. `bad` (nullable): how many were bad. */
XLASHAPE_API xlashape_status xlashape_index_map_linear_indices(
    xlashape_runtime* runtime XLASHAPE_NULLABLE, const xlashape_index_map* map, int64_t count,
    const int64_t* index XLASHAPE_LEN(count* rank) XLASHAPE_NULLABLE, int64_t index_step, int64_t dimension_step,
    int64_t* linear XLASHAPE_LEN(count) XLASHAPE_NULLABLE, uint32_t flags, int64_t* bad XLASHAPE_NULLABLE,
    xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_index_map_multidimensional_indices(
    xlashape_runtime* runtime XLASHAPE_NULLABLE, const xlashape_index_map* map, int64_t count,
    const int64_t* linear XLASHAPE_LEN(count) XLASHAPE_NULLABLE,
    int64_t* index XLASHAPE_LEN(count* rank) XLASHAPE_NULLABLE, int64_t index_step, int64_t dimension_step,
    uint32_t flags, int64_t* bad XLASHAPE_NULLABLE, xlashape_error* err);

/* == Runtimes and backends ======================================================================================= *
 * A runtime holds the backends, and the hooks of the program that embeds the library. NULL stands for a default one,
 * made when first needed. Hooks never change after creation.                                                        */

/* Memory spaces: DLPack's device type numbers. */
typedef int32_t xlashape_memory_space;
#define XLASHAPE_SPACE_CPU 1
#define XLASHAPE_SPACE_CUDA 2
#define XLASHAPE_SPACE_CUDA_HOST 3
#define XLASHAPE_SPACE_OPENCL 4
#define XLASHAPE_SPACE_CUDA_MANAGED 13

/* parallel_for calls task(task_opaque, i, worker) exactly once for each i in [0, count), worker < max_workers, and
 * returns when all are done: 0, or non-zero when it gave up (CANCELLED). Called by the core only, on the thread that
 * executes, never nested. */
typedef struct xlashape_executor {
  uint32_t struct_size;
  uint32_t max_workers;
  void* opaque;
  int32_t (*parallel_for)(void* opaque, int64_t count, void* task_opaque,
                          void (*task)(void* task_opaque, int64_t index, uint32_t worker));
} xlashape_executor;

/* For plans, scratch and backends; shapes, layouts and index maps use malloc. Thread-safe; NULL when out of memory. */
typedef struct xlashape_allocator {
  uint32_t struct_size;
  uint32_t reserved;
  void* opaque;
  void* (*alloc)(void* opaque, size_t size, size_t alignment);
  void (*free)(void* opaque, void* pointer, size_t size, size_t alignment);
} xlashape_allocator;

#define XLASHAPE_LOG_ERROR 1
#define XLASHAPE_LOG_WARNING 2
#define XLASHAPE_LOG_INFO 3
#define XLASHAPE_LOG_DEBUG 4
/* Hears one printable line of UTF-8 at a time, on any thread that uses the runtime, maybe on several at once; it may call the
 * library. What a backend writes while it is opened comes before that is over: then the logger must not wait for another
 * thread that plans with this runtime. */
typedef struct xlashape_logger {
  uint32_t struct_size;
  uint32_t reserved;
  void* opaque;
  void (*log)(void* opaque, int32_t level, uint32_t source, const char* text, size_t text_len);
} xlashape_logger;

#define XLASHAPE_RUNTIME_NO_ENVIRONMENT (1u << 0) /* read no environment variable */
#define XLASHAPE_RUNTIME_NO_LIBRARY_DIR (1u << 1) /* do not look beside the library */
#define XLASHAPE_RUNTIME_NO_INSTALL_DIR (1u << 2) /* do not look in the folder chosen at build time */

typedef struct xlashape_runtime_options {
  uint32_t struct_size;
  uint32_t flags;
  const char* backend_dirs; /* folders to look in first, ':' between them; NULL: none. Relative ones: from the working
                               directory at this call */
  const xlashape_executor* executor;
  const xlashape_allocator* allocator;
  const xlashape_logger* logger;
  int32_t threads; /* 0 or 1: the calling thread; more, up to 4096: a pool of the library's, see below */
  int32_t reserved;
  int64_t verify_positions; /* of each execution, checked after it; 0: as XLASHAPE_VERIFY says, else none */
} xlashape_runtime_options;

/* `threads`: workers, the executing thread among them. The others are started by xlashape_runtime_create and end with
 * the runtime; they block signals. Where the system gives no more of them, or eight for each processor are there, the
 * pool goes on with fewer, if need be with the executing thread alone: that is no failure, and a WARNING and the report
 * say how many and why. Above 4096 or negative: INVALID_ARGUMENT. docs/threads.md. Since 0.1. */

/* Verification, for a service that wants to know when memory or a backend lies. After each execution of a plan of the
 * runtime, and each batch of indices, so many positions (entries of a batch; per array of xlashape_plan_execute_batch)
 * are compared with what the index maps of both shapes say. Positions are drawn anew each time, one from each of so
 * many equal parts of the array; where there are fewer, all are checked. Elements are compared bit by bit, and, under
 * FILL, padding: half of the positions are then drawn from everything stored. The first one that differs ends the call
 * with INTERNAL: the message names backend, place, both values, shapes and plan, err->source the backend, err->offset
 * the destination's byte, and err->index the entry of a batch; the logger hears the same. The destination is as the
 * backend left it. Runs on the calling thread, allocates nothing, and reads the source once more: it must not change
 * until the call returns. Costs some 50 ns an execution and 15 to 25 ns a position, 0.5 us where arrays are larger than
 * the caches (docs/performance.md); an unverified one costs what it did.
 * Not checked: memory of spaces other than the CPU's, executions of some of the tasks only (task_begin, task_end), and,
 * where an identity runs onto itself, elements. Negative: INVALID_ARGUMENT. Since 0.1. */

/* options NULL: the defaults. */
XLASHAPE_API xlashape_status xlashape_runtime_create(const xlashape_runtime_options* options XLASHAPE_NULLABLE,
                                                     xlashape_runtime** runtime, xlashape_error* err);
XLASHAPE_API xlashape_runtime* xlashape_runtime_retain(xlashape_runtime* runtime XLASHAPE_NULLABLE);
XLASHAPE_API void xlashape_runtime_release(xlashape_runtime* runtime XLASHAPE_NULLABLE);
/* Loads the backend in the shared object (or manifest) at `path`. It is never unloaded. The same file
 * once more is no error; another file of a name that is in use is one, INVALID_ARGUMENT. A runtime holds at most 64
 * backends, the built-in one and those found included: one more is UNSUPPORTED. No file is refused for its permissions:
 * who gives a path answers for it. */
XLASHAPE_API xlashape_status xlashape_runtime_load_backend(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                                           const char* path XLASHAPE_LEN(path_len), size_t path_len,
                                                           xlashape_error* err);
/* Adds a backend that is linked into the program: `open` as in xlashape_backend.h. */
struct xlashape_host;
struct xlashape_backend;
typedef xlashape_status (*xlashape_backend_open)(const struct xlashape_host* host, struct xlashape_backend* backend,
                                                 xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_runtime_add_backend(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                                          const char* name XLASHAPE_LEN(name_len), size_t name_len,
                                                          xlashape_backend_open open, xlashape_error* err);
/* Every place looked at, what was there, and why it is or is not in use: one line each. */
XLASHAPE_API xlashape_status xlashape_runtime_report(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                                     char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                     size_t capacity, size_t* needed, xlashape_error* err);
/* The backends found, ready or not, ordinals 0 to count-1. */
XLASHAPE_API int64_t xlashape_runtime_backend_count(xlashape_runtime* runtime XLASHAPE_NULLABLE);

typedef struct xlashape_backend_info {
  uint32_t struct_size;
  int32_t state;        /* XLASHAPE_BACKEND_* */
  uint32_t abi_version; /* of the plugin ABI it speaks; 0 unless ready */
  int32_t priority;     /* in selection */
  int32_t memory_space; /* the space it works in */
  int32_t device_count; /* devices it sees; 0 for what only works on the CPU; -1 not known yet */
  char name[64];        /* NUL-terminated, as are the others */
  char path[512];       /* "" for one that is linked in */
  char detail[480];     /* build and targets when ready; stage and reason when failed */
} xlashape_backend_info;
#define XLASHAPE_BACKEND_ABSENT 0 /* not loaded yet: it is there, and nothing has needed it */
#define XLASHAPE_BACKEND_LOADING 1
#define XLASHAPE_BACKEND_READY 2
#define XLASHAPE_BACKEND_FAILED 3
XLASHAPE_API xlashape_status xlashape_runtime_backend_info(xlashape_runtime* runtime XLASHAPE_NULLABLE, int64_t ordinal,
                                                           xlashape_backend_info* info XLASHAPE_INOUT,
                                                           xlashape_error* err);

/* == Relayout ==================================================================================================== *
 * Moves an array's bytes from one layout to another: same dimensions, same element type, everything else free.
 *     xlashape_relayout(NULL, src_shape, src, src_bytes, dst_shape, dst, dst_bytes, NULL, &err);                    */

typedef struct xlashape_plan xlashape_plan XLASHAPE_THREADS("shared");

/* What happens to destination positions that hold no element. */
typedef int32_t xlashape_fill_policy;
#define XLASHAPE_FILL 0          /* they get the destination layout's padding value; spare bits at the end become 0 */
#define XLASHAPE_FILL_PRESERVE 1 /* they keep what they had */
#define XLASHAPE_FILL_UNSPECIFIED 2 /* anything: fastest */

#define XLASHAPE_RELAYOUT_ALLOW_FALLBACK (1u << 0) /* another backend may stand in for the one asked for */
#define XLASHAPE_RELAYOUT_READ_SOON (1u << 1)      /* the result is read at once: keep it in cache where it fits */

/* Zero or NULL: the default. All arrays have the shapes' rank; they are copied. */
typedef struct xlashape_relayout_options {
  uint32_t struct_size;
  uint32_t flags;
  xlashape_fill_policy fill_policy;
  xlashape_memory_space src_space; /* 0: CPU */
  xlashape_memory_space dst_space;
  int32_t reserved;
  const char* backend; /* by name, NUL-terminated; NULL: selected by XLASHAPE_BACKEND, space, level, priority, cost */
  /* A side given by byte strides instead of by its layout: pointer at index 0...0, each element in ceil(value bits / 8)
   * bytes. Source strides may be negative or 0; destination strides may be negative but must provably not overlap.
   * Strides of size-1 dimensions are ignored. */
  const int64_t* src_byte_strides;
  const int64_t* dst_byte_strides;
  /* A box: `extent` elements from src_base of the source to dst_base of the destination (NULL bases: 0...0). With it
   * the shapes' dimensions may differ, and nothing outside the box is written, whatever the fill policy. */
  const int64_t* src_base;
  const int64_t* dst_base;
  const int64_t* extent;
} xlashape_relayout_options;

/* Plans once, for many executions. The shapes are not referred to afterwards. UNSUPPORTED for unbounded dimensions and
 * for containers (E(n)) narrower than the value or not of 1, 2, 4, 8, 16, 32, 64 or 128 bits. */
XLASHAPE_API xlashape_status xlashape_plan_create(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                                  const xlashape_shape* src_shape, const xlashape_shape* dst_shape,
                                                  const xlashape_relayout_options* options XLASHAPE_NULLABLE,
                                                  xlashape_plan** plan, xlashape_error* err);
/* The same with the options as arguments. */
XLASHAPE_API xlashape_status xlashape_plan_create_flat(
    xlashape_runtime* runtime XLASHAPE_NULLABLE, const xlashape_shape* src_shape, const xlashape_shape* dst_shape,
    uint32_t flags, xlashape_fill_policy fill_policy, xlashape_memory_space src_space, xlashape_memory_space dst_space,
    const char* backend XLASHAPE_LEN(backend_len) XLASHAPE_NULLABLE, size_t backend_len,
    const int64_t* src_byte_strides XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
    const int64_t* dst_byte_strides XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
    const int64_t* src_base XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
    const int64_t* dst_base XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
    const int64_t* extent XLASHAPE_LEN(rank) XLASHAPE_NULLABLE, int64_t rank, xlashape_plan** plan,
    xlashape_error* err);
XLASHAPE_API xlashape_plan* xlashape_plan_retain(xlashape_plan* plan XLASHAPE_NULLABLE);
XLASHAPE_API void xlashape_plan_release(xlashape_plan* plan XLASHAPE_NULLABLE);

/* Moves the bytes. `src` and `dst` point at position 0 (strided: at index 0...0) and must not overlap, save that an
 * identity plan may run onto itself. Allocates nothing. May run on many threads at once with different destinations. */
XLASHAPE_API xlashape_status xlashape_plan_execute(const xlashape_plan* plan, const void* src XLASHAPE_NULLABLE,
                                                   void* dst XLASHAPE_NULLABLE, xlashape_error* err);
/* `count` arrays, evenly spaced: src + i * src_step, dst + i * dst_step (bytes), which must fit 64 bits (else OVERFLOW).
 * err->index tells which one failed. */
XLASHAPE_API xlashape_status xlashape_plan_execute_batch(const xlashape_plan* plan, int64_t count,
                                                         const void* src XLASHAPE_NULLABLE, int64_t src_step,
                                                         void* dst XLASHAPE_NULLABLE, int64_t dst_step,
                                                         xlashape_error* err);

#define XLASHAPE_QUEUE_NONE 0
#define XLASHAPE_QUEUE_CUDA 1   /* queue: a CUstream, 0 the legacy default stream */
#define XLASHAPE_QUEUE_OPENCL 2 /* queue: a cl_command_queue */

/* One execution with everything that can be said about it. OUT_OF_RANGE, and nothing is touched, where it would leave
 * the byte sizes told. */
typedef struct xlashape_exec {
  uint32_t struct_size;
  int32_t queue_kind; /* XLASHAPE_QUEUE_*: with a queue the call only enqueues */
  uint64_t queue;
  uint64_t src; /* an address, or a cl_mem */
  uint64_t dst;
  int64_t src_byte_offset; /* of position 0 (strided: of index 0...0) */
  int64_t dst_byte_offset;
  int64_t src_byte_size; /* bytes from src on that may be touched; 0: not told, so not checked */
  int64_t dst_byte_size;
  int64_t task_begin; /* run tasks [task_begin, task_end) of task_count on the calling thread; task_count 0: all, on */
  int64_t task_end;   /* the executor */
  int64_t task_count;
  const xlashape_executor* executor; /* instead of the runtime's; NULL: the runtime's */
  int64_t count; /* of an index plan: how many indices; else 0, and `bad` NULL */
  int64_t* bad;  /* nullable, without a queue: gets how many were bad; 0 unless they are marked */
} xlashape_exec;
XLASHAPE_API xlashape_status xlashape_plan_execute_ex(const xlashape_plan* plan, const xlashape_exec* exec,
                                                      xlashape_error* err);
/* How many independent tasks the plan makes for that many workers: at least 1; 0 for no plan. Tasks write disjoint bytes. */
XLASHAPE_API int64_t xlashape_plan_task_count(const xlashape_plan* plan, int64_t workers);

typedef struct xlashape_plan_requirements {
  uint32_t struct_size;
  int32_t reserved;
  int64_t src_alignment; /* bytes; pointers must be multiples */
  int64_t dst_alignment;
  int64_t src_low; /* bytes touched lie in [pointer + low, pointer + high) */
  int64_t src_high;
  int64_t dst_low;
  int64_t dst_high;
  int64_t scratch_bytes;
  int64_t plan_bytes; /* what the plan itself takes */
} xlashape_plan_requirements;
XLASHAPE_API xlashape_status xlashape_plan_get_requirements(const xlashape_plan* plan,
                                                            xlashape_plan_requirements* requirements XLASHAPE_INOUT,
                                                            xlashape_error* err);
/* One line: backend, kernel, loops. For people and tests; not stable. */
XLASHAPE_API xlashape_status xlashape_plan_describe(const xlashape_plan* plan,
                                                    char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                    size_t capacity, size_t* needed, xlashape_error* err);
/* Name of the backend that runs it. Valid as long as the plan. */
XLASHAPE_API const char* xlashape_plan_backend(const xlashape_plan* plan);

/* Plan and execute at once, on the stack for small plans. `src_bytes`, `dst_bytes`: what may be touched from the
 * pointers on; OUT_OF_RANGE when the relayout would leave it (for strided sides it must lie at and after the pointer).
 */
XLASHAPE_API xlashape_status xlashape_relayout(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                               const xlashape_shape* src_shape, const void* src XLASHAPE_NULLABLE,
                                               int64_t src_bytes, const xlashape_shape* dst_shape,
                                               void* dst XLASHAPE_NULLABLE, int64_t dst_bytes,
                                               const xlashape_relayout_options* options XLASHAPE_NULLABLE,
                                               xlashape_error* err);

/* == Index plans ================================================================================================= *
 * Batches of index conversions, planned once: in any memory, on any queue. An execution selects, loads and (given a
 * queue) allocates nothing.
 *     xlashape_index_plan_create(NULL, map, XLASHAPE_TO_LINEAR, NULL, &plan, &err);                                 */

typedef int32_t xlashape_index_conversion;
#define XLASHAPE_TO_LINEAR 1           /* src: multidimensional indices, dst: linear ones */
#define XLASHAPE_TO_MULTIDIMENSIONAL 2 /* the reverse */

#define XLASHAPE_INDEX_ALLOW_FALLBACK (1u << 1) /* another backend may stand in for the one asked for */

/* Zero or NULL: the default. */
typedef struct xlashape_index_options {
  uint32_t struct_size;
  uint32_t flags;                  /* XLASHAPE_MARK_BAD, XLASHAPE_INDEX_ALLOW_FALLBACK */
  xlashape_memory_space src_space; /* 0: CPU */
  xlashape_memory_space dst_space;
  const char* backend; /* by name, NUL-terminated; NULL: selected, as for a relayout */
  int64_t index_step;  /* as in xlashape_index_map_linear_indices, in int64 units, each at least 1; both 0: (rank, 1) */
  int64_t dimension_step;
} xlashape_index_options;

/* A plan for one direction and one arrangement; the map is not referred to afterwards. It runs by
 * xlashape_plan_execute_ex: exec.src and exec.dst are arrays of int64_t (8-byte aligned; a scalar's multidimensional
 * indices have no entries, but a buffer of a device must be given), exec.count says how many indices, as many as one
 * likes each time. Bad indices are as in xlashape_index_map_linear_indices: without MARK_BAD the first one ends the
 * batch with OUT_OF_RANGE and its number in err->index (of those in the tasks that ran).
 * With a queue the call only enqueues and tells nothing about the indices: the plan must have MARK_BAD and exec.bad be
 * NULL, else UNSUPPORTED. Indices to be written must not overlap each other: one step must exceed what the other spans.
 * The plan's other functions take it, too: requirements have low and high 0, as these depend on the count;
 * xlashape_plan_execute and xlashape_plan_execute_batch are INVALID_ARGUMENT. Executions without a queue of one plan on
 * a device wait for each other. */
XLASHAPE_API xlashape_status xlashape_index_plan_create(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                                        const xlashape_index_map* map,
                                                        xlashape_index_conversion conversion,
                                                        const xlashape_index_options* options XLASHAPE_NULLABLE,
                                                        xlashape_plan** plan, xlashape_error* err);

/* == Interop ===================================================================================================== *
 * The structs and texts of others, read and written by what they document: none of their headers is needed. What the
 * other side has no word for is UNSUPPORTED, with the reason; see docs/interop.md.
 *     xlashape_layout_from_pjrt(args->device_layout, XLASHAPE_BF16, dimensions, rank, 0, &layout, &err);            */

/* Strides to a layout: dimensions are ordered by stride, the smallest most minor, of equal ones the higher number more
 * minor (as XLA does). Strides of dimensions of size 1 count for that order only, and all strides of an array without
 * elements. A gap behind a dimension becomes its padded width. UNSUPPORTED: strides of 0, negative ones, overlapping
 * dimensions, a most minor dimension whose elements are not neighbours, strides that do not divide each other. */
#define XLASHAPE_STRIDES_COMPACT (1u << 0) /* UNSUPPORTED, too, where strides leave gaps: no padded widths */
XLASHAPE_API xlashape_status xlashape_layout_from_byte_strides(
    xlashape_element_type type, const int64_t* dimensions XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
    const int64_t* byte_strides XLASHAPE_LEN(rank) XLASHAPE_NULLABLE, int64_t rank, uint32_t flags,
    xlashape_layout** layout, xlashape_error* err);

/* PJRT_Buffer_Type's number for an element type, and the reverse; 0 (INVALID in both) where there is none. */
XLASHAPE_API int32_t xlashape_element_type_to_pjrt(xlashape_element_type type);
XLASHAPE_API xlashape_element_type xlashape_element_type_from_pjrt(int32_t number);
/* A PJRT_Buffer_MemoryLayout, Tiled or Strides. Its struct_sizes, inner one included, must reach its last field of
 * version 0; extensions are not looked at. `type`, `flags`: for Strides, as above. The layouts extension's serialised
 * form is the layout's text: xlashape_layout_parse. */
XLASHAPE_API xlashape_status xlashape_layout_from_pjrt(const void* memory_layout, xlashape_element_type type,
                                                       const int64_t* dimensions XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                       int64_t rank, uint32_t flags, xlashape_layout** layout,
                                                       xlashape_error* err);
#define XLASHAPE_PJRT_STRIDES (1u << 0) /* Strides in place of Tiled; the only one that can say padded_dimensions */
#define XLASHAPE_PJRT_DROP (1u << 1)    /* leave out E, L, S, SC, M and PV, for which the struct has no field */
/* A PJRT_Buffer_MemoryLayout at the start of `out`, the arrays it points to behind it: valid as long as `out` stays
 * where it is. `out` must be aligned for int64_t. */
XLASHAPE_API xlashape_status xlashape_shape_to_pjrt(const xlashape_shape* shape, uint32_t flags,
                                                    uint8_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                    int64_t capacity, int64_t* needed, xlashape_error* err);

#define XLASHAPE_DLPACK_SUB_BYTE_PADDED (1u << 8) /* DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED is set: a byte each */
/* The shape of a DLTensor; flags may also hold STRIDES_COMPACT. Types of less than 8 bits are packed and so get E(n)
 * unless SUB_BYTE_PADDED is given. `data`, `device` and `byte_offset` are not looked at. */
XLASHAPE_API xlashape_status xlashape_shape_from_dlpack(const void* tensor, uint32_t flags, xlashape_shape** shape,
                                                        xlashape_error* err);
/* A DLTensor at the start of `out`, its shape and strides behind it, as with xlashape_shape_to_pjrt. */
XLASHAPE_API xlashape_status xlashape_shape_to_dlpack(const xlashape_shape* shape, uint32_t flags,
                                                      void* data XLASHAPE_NULLABLE, xlashape_memory_space device_type,
                                                      int32_t device_id, int64_t byte_offset,
                                                      uint8_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                      int64_t capacity, int64_t* needed, xlashape_error* err);

/* MLIR: "tensor<128x256xbf16>", "tensor<?xf32>", "tensor<?x4xf32, #stablehlo.bounds<8, ?>>", "!stablehlo.token". A
 * layout other than plain row-major needs XLASHAPE_PRINT_WITHOUT_LAYOUT in flags. */
XLASHAPE_API xlashape_status xlashape_shape_print_mlir(const xlashape_shape* shape, uint32_t flags,
                                                       char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                       size_t capacity, size_t* needed, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_shape_parse_mlir(const char* text XLASHAPE_LEN(text_len), size_t text_len,
                                                       xlashape_shape** shape, xlashape_error* err);
/* CuTe: "(2,3):(3,1)", strides in elements; a tiled dimension is a mode of several, the fastest first:
 * "((8,2),(128,3)):((128,3072),(1,1024))". UNSUPPORTED where tiles pad a dimension or do not nest. Read without modes
 * inside of modes; an element type is not part of it; flags: STRIDES_COMPACT. */
XLASHAPE_API xlashape_status xlashape_shape_print_cute(const xlashape_shape* shape,
                                                       char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                       size_t capacity, size_t* needed, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_shape_parse_cute(const char* text XLASHAPE_LEN(text_len), size_t text_len,
                                                       xlashape_element_type type, uint32_t flags,
                                                       xlashape_shape** shape, xlashape_error* err);
/* NumPy: "{'shape': (2, 3), 'strides': (12, 4), 'dtype': 'float32'}", the keywords of numpy.ndarray; small types by
 * their names in ml_dtypes. Read in any order, with 'typestr' or 'descr' ('<f4') for 'dtype', strides missing or None:
 * row-major; flags: STRIDES_COMPACT. */
XLASHAPE_API xlashape_status xlashape_shape_print_numpy(const xlashape_shape* shape,
                                                        char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                        size_t capacity, size_t* needed, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_shape_parse_numpy(const char* text XLASHAPE_LEN(text_len), size_t text_len,
                                                        uint32_t flags, xlashape_shape** shape, xlashape_error* err);

#ifdef __cplusplus
}
#endif
#endif /* XLASHAPE_H_ */
