/* SPDX-License-Identifier: Apache-2.0 */
/* xlashape: XLA's shapes and layouts without XLA.
 *
 * The path of the data:
 *
 *     text -> shape -> layout -> index map -> plan -> memory
 *
 * This header begins with the calls that most programs need, and an example. Others have headers of their own:
 *
 *     xlashape_runtime.h    runtimes, backends, threads, devices, queues, many relayouts at once, measuring
 *     xlashape_xla.h        XLA's utilities over shapes and layouts, bitcasts, program shapes
 *     xlashape_interop.h    PJRT, DLPack, arrays and layouts as people write them: nChw16c, NHWC->NCHW
 *     xlashape_target.h     the layouts that compilers choose for TPUs, CPUs and GPUs
 *     xlashape_backend.h    for authors of backends
 *
 * This one will be frozen first: docs/versioning.md.
 *
 * What holds in all of them, unless a comment says otherwise:
 *
 * - Errors. A function that can fail returns a status (0 is OK) and fills the caller's error record when one is given;
 *   the record is the last parameter and may always be NULL. On failure nothing else is written. Nothing aborts,
 *   throws or prints, and no thread is started but the workers that a program or its user asks for. A function without
 *   an error record answers a question: 0 or NULL where the question does not apply, as for a NULL handle, the rank of
 *   a tuple, a name that nothing has.
 * - Threads. Every function may be called from any thread at any time. Handles may be shared: they never change, but
 *   for runtimes, which gain backends and wisdom under locks of their own.
 * - Ownership. `_create`, `_parse` and everything that returns a handle through `T**`, or in a struct, give the caller
 *   one reference, to be given back with `_release` (NULL is allowed). A `const T*` is only borrowed for the call, as
 *   are the handles in an array of them, `T* const*` (C converts no `T**` to `const T* const*`). `_retain` adds a
 *   reference. A handle keeps alive what it needs, so handles may be released in any order. The caller always provides
 *   the memory for results.
 * - Arrays are pointer + count, texts pointer + length in bytes: int64_t, never negative. A count of 0 allows a NULL
 *   pointer. Dimensions run in increasing dimension number. Texts, names and paths are UTF-8.
 * - Results of variable size take (out, capacity, needed): `*needed` is set where there is a result. When it exceeds a
 *   capacity other than 0 the status is OUT_OF_RANGE; of an array nothing is written then, of a text as much as fits,
 *   cut at a character and NUL-terminated. Capacity 0 asks for the size and is OK. Text capacities and sizes count the
 *   final NUL.
 * - The source stands before the destination, what is read before what is written.
 * - Structs start with `struct_size`, which XLASHAPE_INIT sets to sizeof (xlashape_queue, which never grows, has none).
 *   Zero in a field means its default: where something may be asked for by a number, and there is a default, numbers
 *   begin with 1. Fields that this library does not know must be zero (else INCOMPATIBLE); in a struct that it fills it
 *   zeroes them, and struct_size says how much it wrote. The smallest size that is accepted is that of the first
 *   release that had the struct.
 * - `flags` that are not defined must be zero; a function or struct whose comment names none has none yet. A bit has
 *   its meaning for the functions whose comments name it, and is used for nothing else that one of them could be given.
 * - Sizes say their unit: elements, bytes or bits. A *linear index* is the number of a place in an array's storage,
 *   counted in elements from its start; places without an element are padding.
 * - Since 0.1.
 */
#ifndef XLASHAPE_H_
#define XLASHAPE_H_

#include <stddef.h>
#include <stdint.h>

/* Define XLASHAPE_STATIC where the library is linked in as an archive; it matters on Windows only. */
#if defined(XLASHAPE_STATIC)
#define XLASHAPE_API
#elif defined(_WIN32)
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

/* The calling convention of functions that are passed by pointer. The library's own functions use the compiler's
 * default. */
#if defined(_WIN32) && !defined(_WIN64)
#define XLASHAPE_CALL __cdecl
#else
#define XLASHAPE_CALL
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

/* A struct for a call: zero, but for its struct_size. In C it is no constant: a static variable is written as
 * `static xlashape_error err = {sizeof err};`. */
#ifdef __cplusplus
extern "C++" {
template <class Struct>
inline Struct xlashape_init() {
  Struct made = Struct();
  made.struct_size = sizeof made;
  return made;
}
}
#define XLASHAPE_INIT(type) (xlashape_init<type>())
#else
#define XLASHAPE_INIT(type) ((type){.struct_size = sizeof(type)})
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* == Version ======================================================================================================= */

#define XLASHAPE_VERSION_MAJOR 0
#define XLASHAPE_VERSION_MINOR 1
#define XLASHAPE_VERSION_PATCH 0

/* "0.1.0": the version of the library in use; the macros give that of the header in use. Static text. */
XLASHAPE_API const char* xlashape_version(void);
/* The version of the C ABI, major << 16 | minor, numbered separately: the macro gives that of the header in use, the
 * function that of the library in use. They are compatible when the majors are equal and the library's minor is not the
 * smaller one. While the major is 0 the minors must be equal, too. */
#define XLASHAPE_ABI_VERSION 1u /* 0.1 */
XLASHAPE_API uint32_t xlashape_abi_version(void);
/* The XLA whose rules the library in use matches, as a date, yyyymmdd: 20261026. XLA has no releases; what its sources
 * changed later is not known here. */
XLASHAPE_API uint32_t xlashape_xla_version(void);
/* What the library in use was built with, for reports of problems: compiler, processor, and which backends came of the
 * build. For people, "compiler: gcc 12.2.0" and others with "; " between them, which later releases may change. Static
 * text. */
XLASHAPE_API const char* xlashape_build_info(void);
/* Functions that are not promised yet: returns a table of them, which xlashape_experimental.h declares with the date
 * until which it stays; NULL where this library has no table of that name. Static. */
XLASHAPE_API const void* xlashape_get_extension(const char* name XLASHAPE_LEN(name_len), int64_t name_len);

/* == Status and errors ============================================================================================= *
 *     xlashape_error err = XLASHAPE_INIT(xlashape_error);
 *     if (xlashape_shape_parse(text, strlen(text), 0, &shape, &err)) puts(err.message);                              */

typedef int32_t xlashape_status;
#define XLASHAPE_STATUS_OK 0
#define XLASHAPE_STATUS_INVALID_ARGUMENT 1 /* breaks a rule of a shape, a layout or a call */
#define XLASHAPE_STATUS_OUT_OF_RANGE 2     /* an index, a path, a capacity, a buffer size */
#define XLASHAPE_STATUS_OVERFLOW 3         /* a size that does not fit int64 */
#define XLASHAPE_STATUS_PARSE 4            /* malformed text or bytes; see `offset` */
#define XLASHAPE_STATUS_UNSUPPORTED 5      /* well-formed, but without an answer: the size of an unbounded shape */
#define XLASHAPE_STATUS_NOT_FOUND 6        /* a name, a layout, a backend that is not there */
#define XLASHAPE_STATUS_INCOMPATIBLE 7     /* the caller, or a plugin, uses what this library does not know */
#define XLASHAPE_STATUS_NO_MEMORY 8        /* an allocation failed; nothing changed */
#define XLASHAPE_STATUS_DEVICE 9           /* a device or its driver failed */
#define XLASHAPE_STATUS_BUSY 10            /* what is wanted is in use; or there is a default runtime already */
#define XLASHAPE_STATUS_CANCELLED 11       /* an executor gave up, or the caller wanted it */
#define XLASHAPE_STATUS_INTERNAL 12        /* a bug: please report it */
/* Later releases may add codes: treat any other non-zero value as a failure. */

/* Filled on failure, untouched on success. The caller sets struct_size; below 32 nothing is written. `source` counts
 * backends from 1, so that 0, as in a record that nobody has filled, is the core. */
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

/* == First calls =================================================================================================== *
 * Enough for a program that asks what a layout means, and moves arrays. The sections below say all that may be asked.
 *     xlashape_error err = XLASHAPE_INIT(xlashape_error);
 *     xlashape_shape *from = NULL, *to = NULL;
 *     if (xlashape_shape_parse("u8[3,4]", 7, 0, &from, &err) ||
 *         xlashape_shape_parse("u8[3,4]{0,1:T(2,2)}", 19, 0, &to, &err) ||
 *         xlashape_relayout(NULL, from, src, sizeof src, to, dst, sizeof dst, NULL, &err))
 *       puts(err.message);
 *     xlashape_shape_release(from), xlashape_shape_release(to);                                                      */

/* An array, or a tuple of them; the map of where its elements are; what runs the calls, NULL for the default one. */
typedef struct xlashape_shape xlashape_shape XLASHAPE_THREADS("shared");
typedef struct xlashape_index_map xlashape_index_map XLASHAPE_THREADS("shared");
typedef struct xlashape_runtime xlashape_runtime XLASHAPE_THREADS("shared");
typedef struct xlashape_relayout_options xlashape_relayout_options;

#define XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT (1u << 0) /* an array without a layout stays so */

/* XLA's text. Without KEEP_MISSING_LAYOUT in flags, arrays get the row-major layout where the text has none; scalars
 * always get the empty one, as in XLA, whose text of a scalar omits it. An integer that does not fit int64 is PARSE and
 * is never read as another number. */
XLASHAPE_API xlashape_status xlashape_shape_parse(const char* text XLASHAPE_LEN(text_len), int64_t text_len,
                                                  uint32_t flags, xlashape_shape** shape, xlashape_error* err);
#define XLASHAPE_PRINT_WITHOUT_LAYOUT (1u << 0)
#define XLASHAPE_PRINT_STRICT (1u << 1) /* UNSUPPORTED rather than text that XLA could not read */
/* Byte for byte what XLA's HumanStringWithLayout (HumanString with PRINT_WITHOUT_LAYOUT) gives. A layout's padding,
 * which XLA's text has no form for, follows XLA's own properties as PD(...), padded_dimensions, and PV(...),
 * padding_value. */
XLASHAPE_API xlashape_status xlashape_shape_print(const xlashape_shape* shape, uint32_t flags,
                                                  char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE, int64_t capacity,
                                                  int64_t* needed, xlashape_error* err);
XLASHAPE_API void xlashape_shape_release(xlashape_shape* shape XLASHAPE_NULLABLE);

#define XLASHAPE_SIZE_XLA (1u << 0) /* XLA's own number (ShapeUtil::ArraySize) in place of the exact one */
/* Bytes of the top-level buffer (ShapeUtil::ByteSizeOf): an array's storage, one pointer per element for a tuple
 * (`pointer_size` bytes each, which nothing but tuples and opaques needs; there 0 is UNSUPPORTED), one pointer for an
 * opaque, 0 for a token. */
XLASHAPE_API xlashape_status xlashape_shape_byte_size(const xlashape_shape* shape, int64_t pointer_size, uint32_t flags,
                                                      int64_t* bytes, xlashape_error* err);

/* The map of an array or buffer shape without unbounded dimensions; UNSUPPORTED where it would need more than 1024
 * values (the dimensions, and the parts that tiles cut them into). The map does not refer to the shape afterwards. */
XLASHAPE_API xlashape_status xlashape_index_map_create(const xlashape_shape* shape, xlashape_index_map** map,
                                                       xlashape_error* err);
/* The linear index of the element at `index`. OUT_OF_RANGE for an index outside the bounds or of another rank. */
XLASHAPE_API xlashape_status xlashape_index_map_linear_index(const xlashape_index_map* map,
                                                             const int64_t* index XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                             int64_t rank, int64_t* linear, xlashape_error* err);
XLASHAPE_API void xlashape_index_map_release(xlashape_index_map* map XLASHAPE_NULLABLE);

/* Given as a buffer's bytes: they are not known, and accesses are not checked. */
#define XLASHAPE_UNCHECKED (-1)

/* Makes a plan, executes it once and drops it, all on the stack where the plan is small; pointers and bytes as for
 * xlashape_plan_execute. */
XLASHAPE_API xlashape_status xlashape_relayout(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                               const xlashape_shape* src_shape, const void* src XLASHAPE_NULLABLE,
                                               int64_t src_bytes, const xlashape_shape* dst_shape,
                                               void* dst XLASHAPE_NULLABLE, int64_t dst_bytes,
                                               const xlashape_relayout_options* options XLASHAPE_NULLABLE,
                                               xlashape_error* err);

/* == Element types ================================================================================================= *
 * Numbers are those of PrimitiveType in xla_data.proto.                                                              */

typedef int32_t xlashape_element_type;
#define XLASHAPE_TYPE_INVALID 0
#define XLASHAPE_TYPE_PRED 1
#define XLASHAPE_TYPE_S8 2
#define XLASHAPE_TYPE_S16 3
#define XLASHAPE_TYPE_S32 4
#define XLASHAPE_TYPE_S64 5
#define XLASHAPE_TYPE_U8 6
#define XLASHAPE_TYPE_U16 7
#define XLASHAPE_TYPE_U32 8
#define XLASHAPE_TYPE_U64 9
#define XLASHAPE_TYPE_F16 10
#define XLASHAPE_TYPE_F32 11
#define XLASHAPE_TYPE_F64 12
#define XLASHAPE_TYPE_TUPLE 13
#define XLASHAPE_TYPE_OPAQUE 14
#define XLASHAPE_TYPE_C64 15
#define XLASHAPE_TYPE_BF16 16
#define XLASHAPE_TYPE_TOKEN 17
#define XLASHAPE_TYPE_C128 18
#define XLASHAPE_TYPE_F8E5M2 19
#define XLASHAPE_TYPE_F8E4M3FN 20
#define XLASHAPE_TYPE_S4 21
#define XLASHAPE_TYPE_U4 22
#define XLASHAPE_TYPE_F8E4M3B11FNUZ 23
#define XLASHAPE_TYPE_F8E5M2FNUZ 24
#define XLASHAPE_TYPE_F8E4M3FNUZ 25
#define XLASHAPE_TYPE_S2 26
#define XLASHAPE_TYPE_U2 27
#define XLASHAPE_TYPE_F8E4M3 28
#define XLASHAPE_TYPE_F8E3M4 29
#define XLASHAPE_TYPE_S1 30
#define XLASHAPE_TYPE_U1 31
#define XLASHAPE_TYPE_F4E2M1FN 32
#define XLASHAPE_TYPE_F8E8M0FNU 33
#define XLASHAPE_TYPE_BUFFER 34
#define XLASHAPE_TYPE_F6E3M2FN 35
#define XLASHAPE_TYPE_F6E2M3FN 36

/* Classes of an element type, as bits (xla/primitive_util.h). */
#define XLASHAPE_CLASS_ARRAY (1u << 0)    /* may be the element type of an array */
#define XLASHAPE_CLASS_FLOAT (1u << 1)    /* floating point (IsFloatingPointType) */
#define XLASHAPE_CLASS_INTEGRAL (1u << 2) /* integral, not pred (IsIntegralType) */
#define XLASHAPE_CLASS_SIGNED (1u << 3)   /* signed integral */
#define XLASHAPE_CLASS_UNSIGNED (1u << 4) /* unsigned integral */
#define XLASHAPE_CLASS_COMPLEX (1u << 5)  /* complex */
#define XLASHAPE_CLASS_SUB_BYTE (1u << 6) /* 1, 2 or 4 bits, not pred (IsSubByteNonPredType) */
#define XLASHAPE_CLASS_F8 (1u << 7)       /* floating point of 8 bits */
#define XLASHAPE_CLASS_F6 (1u << 8)       /* floating point of 6 bits */
#define XLASHAPE_CLASS_MX (1u << 9)       /* f4e2m1fn, f8e8m0fnu (IsMXType) */

/* Lower-case name as in XLA's text ("bf16", "opaque", "tuple"); NULL for a number that names no type. Static text. */
XLASHAPE_API const char* xlashape_element_type_name(xlashape_element_type type);
/* The type that XLA calls `name`: any name that the function above returns; case matters. NOT_FOUND otherwise. */
XLASHAPE_API xlashape_status xlashape_element_type_from_name(const char* name XLASHAPE_LEN(name_len), int64_t name_len,
                                                             xlashape_element_type* type, xlashape_error* err);
/* primitive_util::BitWidth (pred 1, s4 4, f6e3m2fn 8); 0 for a type that arrays cannot have. */
XLASHAPE_API int32_t xlashape_element_type_bits(xlashape_element_type type);
/* Bits that one element takes in memory unless the layout says otherwise: 8 x byte width; 0 for a type that arrays
 * cannot have. */
XLASHAPE_API int32_t xlashape_element_type_storage_bits(xlashape_element_type type);
/* Any of XLASHAPE_CLASS_*; 0 for a number that names no type. */
XLASHAPE_API uint32_t xlashape_element_type_classes(xlashape_element_type type);

/* What a floating-point type can hold (xla/primitive_util.h). */
typedef struct xlashape_float_format {
  uint32_t struct_size;
  int32_t significand_width;  /* bits, including the leading one, which is not stored: 24 for f32 */
  int32_t exponent_width;     /* bits */
  int32_t exponent_bias;      /* 127 for f32 */
  int32_t underflow_exponent; /* the smallest n for which 2^(n-1) is a normal number: -125 for f32 */
  int32_t overflow_exponent;  /* the smallest n > 0 for which 2^n is too large: 128 for f32 */
  /* 1 or 0. */
  int32_t has_infinity;
  int32_t has_nan;
  int32_t has_negative_zero;
  int32_t has_positive_zero;
} xlashape_float_format;
/* SignificandWidth, ExponentWidth and so on; UNSUPPORTED for other types than floating-point ones. */
XLASHAPE_API xlashape_status xlashape_element_type_float_format(xlashape_element_type type,
                                                                xlashape_float_format* format XLASHAPE_INOUT,
                                                                xlashape_error* err);
/* 1 when every value of `from`, including infinities, NaN and the sign of zero, is also a value of `to`
 * (CastPreservesValues); 0 where arrays cannot have one of the types. As in XLA, pred can be cast to every type with a
 * zero (also to s1, where true becomes -1), and no other type to pred. */
XLASHAPE_API int32_t xlashape_element_type_cast_preserves_values(xlashape_element_type from, xlashape_element_type to);

/* == Layouts ======================================================================================================= *
 * How an array's dimensions are stored in memory: as in xla/layout.h, with `padded_dimensions` and `padding_value` as
 * in XLA's documentation of layouts. As in XLA a layout with a memory space may lack minor_to_major and then belongs to
 * arrays of any rank, `f32[2,3]{:S(5)}`: its rank is 0. Sizes, indices and relayouts take such an array as row-major,
 * like one without a layout; xlashape_shape_with_default_layouts makes that its order.
 *     xlashape_layout_parse("{1,0:T(8,128)(2,1)}", 19, 0, &layout, &err);                                            */

typedef struct xlashape_layout xlashape_layout XLASHAPE_THREADS("shared");

#define XLASHAPE_COMBINE_DIMENSION INT64_MIN     /* `*` in a tile: merge with the next more minor dimension */
#define XLASHAPE_MATCH_DIMENSION (INT64_MIN + 1) /* `d` in a tile: the size of the dimension that it covers */

/* Numbers of memory spaces, S(n), that xla::Layout has names for (kHostMemorySpace, ...). Any of -128..127 may be used;
 * what it means depends on the device. A plan's memory spaces are other numbers: XLASHAPE_SPACE_*. */
#define XLASHAPE_LAYOUT_SPACE_DEFAULT 0
#define XLASHAPE_LAYOUT_SPACE_GENERIC_FAST 1
#define XLASHAPE_LAYOUT_SPACE_HOST 5
#define XLASHAPE_LAYOUT_SPACE_UNPINNED_HOST 6
#define XLASHAPE_LAYOUT_SPACE_COLLECTIVE 7

/* Padding values: PaddingValue in the xla_data.proto that had layout padding. */
typedef int32_t xlashape_padding_value;
#define XLASHAPE_PAD_INVALID 0 /* none set: padding is filled with zeros */
#define XLASHAPE_PAD_ZERO 1
#define XLASHAPE_PAD_ONE 2
#define XLASHAPE_PAD_LOWEST \
  3 /* -inf where the type has it, else its most negative finite value; unsigned 0; pred false */
#define XLASHAPE_PAD_HIGHEST 4 /* +inf where the type has it, else its largest finite value; pred true */
#define XLASHAPE_PAD_UNKNOWN 5 /* anything: filled with zeros; FILL_UNSPECIFIED may leave it alone */

/* The bytes of one padding element in its natural storage, little-endian, into `bytes` (16 of them at most);
 * `*needed` is the byte width. Sub-byte values sit in the low bits, below zeros; complex types get the value in the
 * real part (ONE) or in both (LOWEST, HIGHEST). */
XLASHAPE_API xlashape_status xlashape_padding_element(xlashape_element_type type, xlashape_padding_value value,
                                                      uint8_t* bytes XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                      int64_t capacity, int64_t* needed, xlashape_error* err);

/* Everything that a layout can specify. Zero or NULL: not specified. */
typedef struct xlashape_layout_spec {
  uint32_t struct_size;
  xlashape_padding_value padding_value;
  int64_t rank;
  const int64_t* minor_to_major;    /* [rank] */
  const int64_t* padded_dimensions; /* PD: [rank] or NULL; each >= the dimension, no `?` */
  int64_t tile_count;
  const int64_t* tile_ranks;      /* [tile_count]: how many sizes each level has; the first level is applied first */
  const int64_t* tile_dimensions; /* the levels' sizes, concatenated, each most major first */
  int64_t element_size_in_bits;               /* E(n) in the text */
  int64_t tail_padding_alignment_in_elements; /* L(n); 0 means 1 */
  int64_t memory_space;                       /* S(n): -128..127 */
  int64_t split_count;             /* SC(...) */
  const int64_t* split_dimensions; /* [split_count] physical dimension, 0 = most major */
  const int64_t* split_sizes;      /* [split_count]: indices in each split */
  const int64_t* split_indices;    /* the splits' indices, concatenated */
  int64_t dynamic_shape_metadata_prefix_bytes; /* M(n) */
} xlashape_layout_spec;

/* A layout from its description; checks what can be checked without a shape (rank >= 0, a permutation, tiles of
 * positive sizes, alignment >= 1, positive rising splits, ...). Arrays are copied. */
XLASHAPE_API xlashape_status xlashape_layout_create(const xlashape_layout_spec* spec, xlashape_layout** layout,
                                                    xlashape_error* err);
/* {rank-1,...,0}: dimension 0 is major, row-major, XLA's default (LayoutUtil::MakeDescendingLayout). */
XLASHAPE_API xlashape_status xlashape_layout_create_row_major(int64_t rank, xlashape_layout** layout,
                                                              xlashape_error* err);
/* {0,...,rank-1}: dimension 0 is minor, column-major (LayoutUtil::MakeAscendingLayout). */
XLASHAPE_API xlashape_status xlashape_layout_create_column_major(int64_t rank, xlashape_layout** layout,
                                                                 xlashape_error* err);

XLASHAPE_API xlashape_layout* xlashape_layout_retain(const xlashape_layout* layout XLASHAPE_NULLABLE);
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
/* `*needed` is 0 where there are no padded dimensions. */
XLASHAPE_API xlashape_status xlashape_layout_padded_dimensions(const xlashape_layout* layout,
                                                               int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                               int64_t capacity, int64_t* needed, xlashape_error* err);
XLASHAPE_API xlashape_padding_value xlashape_layout_padding_value(const xlashape_layout* layout);
XLASHAPE_API int64_t xlashape_layout_tile_count(const xlashape_layout* layout);
/* Sizes of tile level `level` (0 first applied), most major first; XLASHAPE_COMBINE_DIMENSION for `*`,
 * XLASHAPE_MATCH_DIMENSION for `d`. */
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

/* All fields at once, to change some and make another layout with xlashape_layout_create. The arrays belong to the
 * layout: they are valid as long as it is, and must not be written to. */
XLASHAPE_API xlashape_status xlashape_layout_get_spec(const xlashape_layout* layout,
                                                      xlashape_layout_spec* spec XLASHAPE_INOUT, xlashape_error* err);

/* What a comparison ignores (xla::Shape::Equal, xla::Layout::Equal); mask 0 compares everything. The mask applies
 * inside tuples, too. Bits that a library does not know change nothing. Later releases only add bits that ignore more:
 * an older library may then say 0 where a newer one says 1, never the reverse. */
#define XLASHAPE_EQUAL_IGNORE_LAYOUT (1u << 0) /* all of it */
#define XLASHAPE_EQUAL_IGNORE_TILES (1u << 1)
#define XLASHAPE_EQUAL_IGNORE_ELEMENT_SIZE (1u << 2)           /* E(n) */
#define XLASHAPE_EQUAL_IGNORE_MEMORY_SPACE (1u << 3)           /* S(n) */
#define XLASHAPE_EQUAL_IGNORE_TAIL_PADDING_ALIGNMENT (1u << 4) /* L(n) */
#define XLASHAPE_EQUAL_IGNORE_SPLIT_CONFIGS (1u << 5)          /* SC(...) */
#define XLASHAPE_EQUAL_IGNORE_PADDING (1u << 6)                /* padded_dimensions and padding_value */
#define XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY (1u << 7)           /* all else of a layout is ignored */
#define XLASHAPE_EQUAL_IGNORE_ELEMENT_TYPE (1u << 8)
#define XLASHAPE_EQUAL_IGNORE_FP_PRECISION (1u << 9)             /* which floating-point type it is */
#define XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION (1u << 10)       /* also lets `?` match any size */
#define XLASHAPE_EQUAL_IGNORE_DIMENSIONS (1u << 11)              /* ranks still compare */
#define XLASHAPE_EQUAL_IGNORE_BUFFER (1u << 12)                  /* b(X) equals X */
#define XLASHAPE_EQUAL_IGNORE_METADATA_PREFIX (1u << 13)         /* M(n) */
#define XLASHAPE_EQUAL_XLA XLASHAPE_EQUAL_IGNORE_METADATA_PREFIX /* XLA's own ==, of layouts and of shapes */

/* 1 equal, 0 not. */
XLASHAPE_API int32_t xlashape_layout_equal(const xlashape_layout* a, const xlashape_layout* b, uint32_t mask);
/* Layouts that are equal under `mask` hash alike under the same mask. For caches inside one process: the value may
 * differ between releases. */
XLASHAPE_API uint64_t xlashape_layout_hash(const xlashape_layout* layout, uint32_t mask);

/* == Shapes ======================================================================================================== *
 * An array (element type, dimensions, layout), a tuple of shapes, a token, an opaque, or a buffer of an array. Every
 * shape that exists is valid: ShapeUtil::ValidateShapeWithOptionalLayout holds for it (ValidateShape, where no array
 * lacks its layout), except that its bytes may exceed int64: then its size is OVERFLOW.
 *     xlashape_shape_parse("f32[2,3]{0,1}", 13, 0, &shape, &err);                                                    */

#define XLASHAPE_DIMENSION_UNBOUNDED INT64_MIN /* a dimension of unknown size, `?` */
#define XLASHAPE_MAX_DEPTH 8192                /* of nested tuples */

/* ShapeUtil::MakeValidatedShape. `dynamic`: non-zero for each dimension whose size is a bound, or
 * XLASHAPE_DIMENSION_UNBOUNDED (0 there is INVALID_ARGUMENT); NULL: the unbounded ones. `layout` NULL: row-major, or
 * none with XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT in flags. */
XLASHAPE_API xlashape_status xlashape_shape_create_array(xlashape_element_type element_type,
                                                         const int64_t* dimensions XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                         const uint8_t* dynamic XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                         int64_t rank, const xlashape_layout* layout XLASHAPE_NULLABLE,
                                                         uint32_t flags, xlashape_shape** shape, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_shape_create_tuple(xlashape_shape* const* elements XLASHAPE_LEN(count)
                                                             XLASHAPE_NULLABLE,
                                                         int64_t count, xlashape_shape** shape, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_shape_create_token(xlashape_shape** shape, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_shape_create_opaque(xlashape_shape** shape, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_shape_create_buffer(const xlashape_shape* array, xlashape_shape** shape,
                                                          xlashape_error* err);
/* The same array (or buffer) with another layout; NULL removes it. */
XLASHAPE_API xlashape_status xlashape_shape_with_layout(const xlashape_shape* shape,
                                                        const xlashape_layout* layout XLASHAPE_NULLABLE,
                                                        xlashape_shape** result, xlashape_error* err);

XLASHAPE_API xlashape_shape* xlashape_shape_retain(const xlashape_shape* shape XLASHAPE_NULLABLE);

typedef int32_t xlashape_category;
#define XLASHAPE_CATEGORY_ARRAY 1
#define XLASHAPE_CATEGORY_TUPLE 2
#define XLASHAPE_CATEGORY_TOKEN 3
#define XLASHAPE_CATEGORY_OPAQUE 4
#define XLASHAPE_CATEGORY_BUFFER 5 /* functions that take an array take it, too, and answer for its array */

XLASHAPE_API xlashape_category xlashape_shape_category(const xlashape_shape* shape);
/* XLASHAPE_TYPE_TUPLE, _TOKEN, _OPAQUE for those; a buffer gives its array's type. */
XLASHAPE_API xlashape_element_type xlashape_shape_element_type(const xlashape_shape* shape);
/* Number of dimensions; 0 for what is not an array; its two lists below are empty. */
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
/* Number of shapes inside that are not tuples (ShapeUtil::GetLeafCount). */
XLASHAPE_API int64_t xlashape_shape_leaf_count(const xlashape_shape* shape);

/* 1 equal, 0 not. */
XLASHAPE_API int32_t xlashape_shape_equal(const xlashape_shape* a, const xlashape_shape* b, uint32_t mask);
/* ShapeUtil::Compatible and similar: equality that ignores layout and dynamism, and what `mask` ignores besides. */
XLASHAPE_API int32_t xlashape_shape_compatible(const xlashape_shape* a, const xlashape_shape* b, uint32_t mask);
/* Shapes that are equal under `mask` hash alike under the same mask. For caches inside one process. With
 * IGNORE_DYNAMIC_DIMENSION no size enters the hash, as `?` then equals any. */
XLASHAPE_API uint64_t xlashape_shape_hash(const xlashape_shape* shape, uint32_t mask);

/* == Text ========================================================================================================== *
 * XLA's text of parts, and of shapes inside longer texts; that of whole shapes is among the first calls.
 *     xlashape_layout_parse("{1,0:T(8,128)(2,1)}", 19, 0, &layout, &err);                                            */

/* XLA's text, braces included; PD(...) and PV(...) after XLA's own properties. Malformed text is PARSE with `offset`;
 * otherwise errors are those of create. */
XLASHAPE_API xlashape_status xlashape_layout_parse(const char* text XLASHAPE_LEN(text_len), int64_t text_len,
                                                   uint32_t flags, xlashape_layout** layout, xlashape_error* err);
/* The layout at the start of the text; `*end` is the offset of the byte after its `}`. What follows is not examined. */
XLASHAPE_API xlashape_status xlashape_layout_parse_head(const char* text XLASHAPE_LEN(text_len), int64_t text_len,
                                                        uint32_t flags, xlashape_layout** layout, int64_t* end,
                                                        xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_layout_print(const xlashape_layout* layout, uint32_t flags,
                                                   char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                   int64_t capacity, int64_t* needed, xlashape_error* err);
/* One tile level, "(8,128)", or one split, "(1:4,8)", as they stand in the layout's text (Tile::ToString,
 * SplitConfig::ToString). */
XLASHAPE_API xlashape_status xlashape_layout_print_tile(const xlashape_layout* layout, int64_t level,
                                                        char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                        int64_t capacity, int64_t* needed, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_layout_print_split(const xlashape_layout* layout, int64_t split,
                                                         char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                         int64_t capacity, int64_t* needed, xlashape_error* err);
/* The shape at the start of the text, for readers of whole programs; `*end` is the offset of the byte after it. Only
 * the next token of what follows is examined: `{` before an integer or ':' opens the layout of the array before it. */
XLASHAPE_API xlashape_status xlashape_shape_parse_head(const char* text XLASHAPE_LEN(text_len), int64_t text_len,
                                                       uint32_t flags, xlashape_shape** shape, int64_t* end,
                                                       xlashape_error* err);

/* == Wire form ===================================================================================================== *
 * The protocol buffer messages of xla_data.proto, byte for byte as XLA serialises them; padding is in fields 2 and 3 of
 * LayoutProto, where TensorFlow 1.x had it and XLA ignores it. Readers accept fields in any order, packed or not, and
 * ignore what they do not know. Bytes that are not a protocol buffer are PARSE; a message that breaks a rule of shapes
 * or layouts, or holds what only sparse layouts have, fails as its creation would; both with `offset`.
 * Nothing recurses: tuples may nest XLASHAPE_MAX_DEPTH deep (protobuf's own readers stop at 100). Program shapes and
 * paths are in xlashape_xla.h.
 *     xlashape_shape_from_proto(bytes, size, 0, &shape, &err);                                                       */

/* ShapeProto. `*needed` counts bytes. */
XLASHAPE_API xlashape_status xlashape_shape_to_proto(const xlashape_shape* shape, uint32_t flags,
                                                     uint8_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                     int64_t capacity, int64_t* needed, xlashape_error* err);
/* An array whose message has no layout gets the row-major one; with XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT it stays without
 * one, and so does a scalar. An unbounded dimension is dynamic, whatever the message says. */
XLASHAPE_API xlashape_status xlashape_shape_from_proto(const uint8_t* bytes XLASHAPE_LEN(size) XLASHAPE_NULLABLE,
                                                       int64_t size, uint32_t flags, xlashape_shape** shape,
                                                       xlashape_error* err);
/* LayoutProto, with TileProto and SplitConfigProto inside. A tile size of -1 is read as `*`, as INT64_MIN is. */
XLASHAPE_API xlashape_status xlashape_layout_to_proto(const xlashape_layout* layout, uint32_t flags,
                                                      uint8_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                      int64_t capacity, int64_t* needed, xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_layout_from_proto(const uint8_t* bytes XLASHAPE_LEN(size) XLASHAPE_NULLABLE,
                                                        int64_t size, uint32_t flags, xlashape_layout** layout,
                                                        xlashape_error* err);

/* == Sizes ========================================================================================================= *
 * Sizes are exact: all padding, all tile levels and the tail count. A dynamic dimension counts with its bound. A shape
 * with an unbounded dimension has no size (UNSUPPORTED), nor has one whose layout has no index map (see below). The
 * metadata prefix M(n) is never counted. An array without a layout counts as row-major.                              */

typedef struct xlashape_sizes {
  uint32_t struct_size;
  int32_t element_bits;      /* bits that one element takes: E(n), or the type's storage bits */
  int64_t elements;          /* product of the dimensions */
  int64_t storage_elements;  /* places: padding, tiles and tail counted */
  int64_t logical_bytes;     /* elements x element_bits, rounded up to bytes */
  int64_t bytes;             /* storage_elements x element_bits, rounded up to bytes */
  int64_t xla_bytes;         /* what ShapeUtil::ArraySize answers: first tile level, its own rule for tail and splits */
  int64_t data_bytes;        /* up to and with the furthest element; an upper bound where tile levels reach into each
                                other */
  int64_t dimension_padding; /* places without an element because of padded_dimensions and tiles */
  int64_t tail_padding;      /* places added by the tail alignment */
} xlashape_sizes;

/* All sizes of an array or a buffer. xla_bytes is -1 where XLA's overflows, and counts `*` as merged: XLA says 0. */
XLASHAPE_API xlashape_status xlashape_shape_sizes(const xlashape_shape* shape, xlashape_sizes* sizes XLASHAPE_INOUT,
                                                  xlashape_error* err);
/* Product of the dimensions (ShapeUtil::ElementsIn). */
XLASHAPE_API xlashape_status xlashape_shape_element_count(const xlashape_shape* shape, int64_t* elements,
                                                          xlashape_error* err);

typedef int32_t xlashape_unit;
#define XLASHAPE_UNIT_ELEMENTS 0
#define XLASHAPE_UNIT_BYTES 1 /* UNSUPPORTED where an element is not a whole number of bytes */
#define XLASHAPE_UNIT_BITS 2
/* Distance in memory between neighbours along each dimension, padded widths included (IndexUtil::GetDimensionStride,
 * ShapeUtil::ByteStrides). UNSUPPORTED where tiles leave no single distance. */
XLASHAPE_API xlashape_status xlashape_shape_strides(const xlashape_shape* shape, xlashape_unit unit,
                                                    int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                    int64_t capacity, int64_t* needed, xlashape_error* err);
/* == Index maps ==================================================================================================== *
 * Multidimensional index <-> linear index, exact for every layout: all tile levels count, and padding is recognised.
 * Batches of them are index plans, at the end of this header.
 *     xlashape_index_map_linear_index(map, index, 2, &linear, &err);                                                 */

XLASHAPE_API xlashape_index_map* xlashape_index_map_retain(const xlashape_index_map* map XLASHAPE_NULLABLE);
XLASHAPE_API int64_t xlashape_index_map_rank(const xlashape_index_map* map);
/* Places of the storage: linear indices run from 0 to this, exclusive. */
XLASHAPE_API int64_t xlashape_index_map_storage_elements(const xlashape_index_map* map);
/* The index of the element at linear index `linear`, and 0 in *is_padding; or, for a place of padding, 1 there and -1
 * in every index, which is OK, too. OUT_OF_RANGE outside the storage. */
XLASHAPE_API xlashape_status xlashape_index_map_multidimensional_index(
    const xlashape_index_map* map, int64_t linear, int64_t* index XLASHAPE_LEN(rank) XLASHAPE_NULLABLE, int64_t rank,
    int32_t* is_padding, xlashape_error* err);

/* == Relayout ====================================================================================================== *
 * Moves an array's bytes from one layout to another: same dimensions, and the same element type unless the plan
 * converts; everything else may differ.
 *     xlashape_plan_create(NULL, from, to, NULL, &plan, &err);
 *     xlashape_plan_execute(plan, src, src_bytes, dst, dst_bytes, &err);        any number of times, on any threads  */

/* Memory spaces, 1 to 63: DLPack's device type numbers; 32 and above are free for backends with other spaces, and mean
 * what the backends in use say: where two of them chose one number for different memory, deny one of them. */
typedef int32_t xlashape_memory_space;
#define XLASHAPE_SPACE_CPU 1           /* the host's memory */
#define XLASHAPE_SPACE_CUDA 2          /* of CUDA devices */
#define XLASHAPE_SPACE_CUDA_HOST 3     /* host memory that is pinned for CUDA */
#define XLASHAPE_SPACE_OPENCL 4        /* of OpenCL devices */
#define XLASHAPE_SPACE_CUDA_MANAGED 13 /* CUDA's managed memory */
#define XLASHAPE_SPACE_BIT(space) ((uint64_t)1 << (space)) /* in a set of spaces */

/* Device number `n` of a backend, for each parameter and field `device`. 0 itself is the device that is current in the
 * calling thread, or the backend's first one: a field that is not set has to mean the default, so the numbers begin
 * behind it. */
#define XLASHAPE_DEVICE(n) (1 + (n))

typedef struct xlashape_plan xlashape_plan XLASHAPE_THREADS("shared");

/* What happens to places of the destination that hold no element. */
typedef int32_t xlashape_fill_policy;
#define XLASHAPE_FILL_PADDING 0     /* they get the destination layout's padding value; spare bits at the end: 0 */
#define XLASHAPE_FILL_PRESERVE 1    /* they keep what they had */
#define XLASHAPE_FILL_UNSPECIFIED 2 /* anything: fastest */

#define XLASHAPE_PLAN_ALLOW_FALLBACK (1u << 0) /* another backend may stand in for the one asked for */
#define XLASHAPE_PLAN_KEEP_IN_CACHE (1u << 1)  /* the result is read at once: keep it in cache where it fits */
/* Source and destination are one array, and both pointers of each execution must be equal. An execution takes working
 * memory, the requirements' `scratch_bytes` in all and much less than the array: from the runtime's allocator, where
 * the options give none. One that fails or is cancelled leaves bytes that are neither the source nor the result.
 * UNSUPPORTED, with the reason, where a side has padding, a box or strides, where the sides differ in the bits of an
 * element, where elements change places within bytes, where tiles have no common factors, and on devices. Such plans
 * are not measured, predicted or verified, and are one task: a list runs them by themselves. Since 0.1. */
#define XLASHAPE_PLAN_IN_PLACE (1u << 2)

/* Values are converted: the destination's element type may be another one. Numbers become what XLA's convert and
 * ml_dtypes make of them: floats are rounded to the nearest, of two equally near ones to even; beyond the largest one
 * they become infinity, or NaN in a type without infinity; NaN stays NaN; a float becomes an integer by cutting off its
 * fraction, beyond the range its nearest end, NaN 0; integers keep their low bits; pred is "not 0". Each value is
 * rounded once. UNSUPPORTED for complex types, other than into themselves. Since 0.1. */
#define XLASHAPE_PLAN_CONVERT (1u << 3)
/* With CONVERT: integers beyond the new range become its nearest end, and floats (infinity, too) the largest finite
 * number. Since 0.1. */
#define XLASHAPE_PLAN_SATURATE (1u << 4)
/* The elements of that side, less than a byte wide, start in the *highest* bits of each byte, as those of
 * numpy.packbits do; XLA starts in the lowest. Since 0.1. */
#define XLASHAPE_PLAN_SRC_HIGH_FIRST (1u << 5)
#define XLASHAPE_PLAN_DST_HIGH_FIRST (1u << 6)

/* Zero or NULL: the default. All arrays have the shapes' rank; they are copied. */
struct xlashape_relayout_options {
  uint32_t struct_size;
  uint32_t flags;
  xlashape_fill_policy fill_policy;
  xlashape_memory_space src_space; /* 0: CPU */
  xlashape_memory_space dst_space;
  int32_t device; /* of the backend: 0 or XLASHAPE_DEVICE(n). OUT_OF_RANGE where the backend has no such device */
  const char* backend; /* by name, NUL-terminated; NULL: selected by XLASHAPE_BACKEND, space, level, priority, name */
  /* A side given by byte strides instead of by its layout: pointer at index 0...0, each element in ceil(value bits / 8)
   * bytes. Source strides may be negative or 0; destination strides may be negative but must provably not overlap.
   * Strides of size-1 dimensions are ignored. */
  const int64_t* src_byte_strides;
  const int64_t* dst_byte_strides;
  /* A box: `extent` elements from src_base of the source to dst_base of the destination (NULL bases: 0...0). With it
   * the shapes' dimensions may differ, and nothing outside the box is written, whatever the fill policy. Boxes of one
   * destination that do not overlap may be written at the same time: where elements of two of them share a byte, the
   * scalar and simd backends change it atomically; for others see xlashape_shape_piece_granularity. */
  const int64_t* src_base;
  const int64_t* dst_base;
  const int64_t* extent;
  /* With CONVERT, quantized values, of which the integers of one side stand for the reals of the other one, or the
   * narrower floats for the wider ones: real = (quantized - zero_point) * scale, and back
   * quantized = nearest_even(real / scale) + zero_point, which saturates. `scale_count` is 0 (none), 1 for the whole
   * array, or the source's size in `scale_dimension`, whose indices have one each. Scales are finite, and not 0 where
   * reals are divided by them. `zero_point` may be NULL (all 0), and must be where the quantized type is a float.
   * Computed in f32, or f64 where the real type is that. */
  int64_t scale_count;
  const float* scale XLASHAPE_LEN(scale_count);
  const int32_t* zero_point XLASHAPE_LEN(scale_count);
  int64_t scale_dimension;
  /* A side given by strides in elements, each as wide as its layout has it, also packed (E(4)): numbered from the
   * pointer on, the elements lie at first_element + sum of index x stride, which is 0 or more for all that are moved,
   * else OUT_OF_RANGE. Else as byte strides, of which the side has none then. NumPy's a[::-1] of seven elements: stride
   * -1, first element 6. Since 0.1. */
  const int64_t* src_element_strides;
  const int64_t* dst_element_strides;
  int64_t src_first_element;
  int64_t dst_first_element;
};

/* Makes a plan, to be executed any number of times. UNSUPPORTED for unbounded dimensions and for containers (E(n)
 * in a layout) narrower than the value or not of 1, 2, 4, 8, 16, 32, 64 or 128 bits. */
XLASHAPE_API xlashape_status xlashape_plan_create(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                                  const xlashape_shape* src_shape, const xlashape_shape* dst_shape,
                                                  const xlashape_relayout_options* options XLASHAPE_NULLABLE,
                                                  xlashape_plan** plan, xlashape_error* err);
XLASHAPE_API xlashape_plan* xlashape_plan_retain(const xlashape_plan* plan XLASHAPE_NULLABLE);
XLASHAPE_API void xlashape_plan_release(xlashape_plan* plan XLASHAPE_NULLABLE);

/* Moves the bytes. `src` and `dst` point at linear index 0 (strided: at index 0...0) and must not overlap, except that
 * an identity plan may run onto itself, and that a plan made with IN_PLACE always does. `src_bytes`, `dst_bytes`: how
 * many bytes from the pointer on may be touched; OUT_OF_RANGE, and nothing is touched, where the plan would touch
 * others (for strided sides also those before the pointer). Allocates nothing, but for IN_PLACE. May run on many
 * threads at once with different destinations, or different boxes of one. */
XLASHAPE_API xlashape_status xlashape_plan_execute(const xlashape_plan* plan, const void* src XLASHAPE_NULLABLE,
                                                   int64_t src_bytes, void* dst XLASHAPE_NULLABLE, int64_t dst_bytes,
                                                   xlashape_error* err);

typedef struct xlashape_plan_requirements {
  uint32_t struct_size;
  int32_t reserved;
  int64_t src_low; /* bytes touched lie in [pointer + low, pointer + high) */
  int64_t src_high;
  int64_t dst_low;
  int64_t dst_high;
  int64_t src_alignment; /* bytes; pointers must be multiples */
  int64_t dst_alignment;
  int64_t src_preferred_alignment; /* pointers that are multiples of it are fastest */
  int64_t dst_preferred_alignment;
  int64_t scratch_bytes; /* working memory that an execution may be given: its option `scratch` */
  int64_t scratch_alignment;
  int64_t stack_bytes; /* of each thread that executes it, at most, with the library's frames: docs/embedding.md */
  int64_t plan_bytes;  /* memory that the plan itself takes */
} xlashape_plan_requirements;
XLASHAPE_API xlashape_status xlashape_plan_get_requirements(const xlashape_plan* plan,
                                                            xlashape_plan_requirements* requirements XLASHAPE_INOUT,
                                                            xlashape_error* err);
/* One line: backend, kernel, loops. For people and tests; not stable. */
XLASHAPE_API xlashape_status xlashape_plan_describe(const xlashape_plan* plan,
                                                    char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                    int64_t capacity, int64_t* needed, xlashape_error* err);
/* Name of the backend that runs it. Valid as long as the runtime, which the plan keeps alive. */
XLASHAPE_API const char* xlashape_plan_backend(const xlashape_plan* plan);
/* The shapes that it was made from (for a buffer: its array). */
XLASHAPE_API xlashape_status xlashape_plan_shapes(const xlashape_plan* plan, xlashape_shape** src_shape,
                                                  xlashape_shape** dst_shape, xlashape_error* err);
/* A key for caches of plans: a text that is equal for equal requests (shapes and options) and differs for different
 * ones. It is the same in every process and on every machine for one release of the library. Names of backends are part
 * of it, what the environment says is not. Checks only the form of the options: making the plan may still fail. */
XLASHAPE_API xlashape_status xlashape_plan_key(const xlashape_shape* src_shape, const xlashape_shape* dst_shape,
                                               const xlashape_relayout_options* options XLASHAPE_NULLABLE,
                                               char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE, int64_t capacity,
                                               int64_t* needed, xlashape_error* err);

/* Where each dimension d may be cut without cutting a byte: at multiples of out[d]. Pieces (boxes of the relayout
 * options) that begin and end at such multiples, or at the dimension's end, share no byte of the array. 1 where
 * elements are whole bytes; the whole dimension where every cut would be within a byte, or tiles leave no rule.
 * Since 0.1. */
XLASHAPE_API xlashape_status xlashape_shape_piece_granularity(const xlashape_shape* shape,
                                                              int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                              int64_t capacity, int64_t* needed, xlashape_error* err);

/* == Index plans =================================================================================================== *
 * Batches of index conversions, planned once: in any memory, on any queue. An execution selects, loads and (given a
 * queue) allocates nothing. For a single batch make the plan, execute it and release it.
 *     xlashape_index_plan_create(NULL, map, XLASHAPE_CONVERSION_TO_LINEAR, NULL, &plan, &err);
 *     xlashape_index_plan_execute(plan, 2, indices, sizeof indices, linear, sizeof linear, NULL, &err);              */

typedef struct xlashape_index_plan xlashape_index_plan XLASHAPE_THREADS("shared");

typedef int32_t xlashape_index_conversion;
#define XLASHAPE_CONVERSION_TO_LINEAR 1           /* src: multidimensional indices, dst: linear ones */
#define XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL 2 /* the reverse */

#define XLASHAPE_INDEX_MARK_INVALID (1u << 8) /* write -1 for invalid indices (and padding); else stop at the first */

/* Zero or NULL: the default. Index i's entry for dimension d is at [i * index_step + d * dimension_step] (in int64
 * units): (1, count) is structure of arrays, (rank, 1) array of structures. */
typedef struct xlashape_index_options {
  uint32_t struct_size;
  uint32_t flags;                  /* XLASHAPE_INDEX_MARK_INVALID, XLASHAPE_PLAN_ALLOW_FALLBACK */
  xlashape_memory_space src_space; /* 0: CPU */
  xlashape_memory_space dst_space;
  int32_t device; /* as for a relayout, as is `backend` */
  int32_t reserved;
  const char* backend;
  int64_t index_step; /* each at least 1; both 0: (rank, 1) */
  int64_t dimension_step;
} xlashape_index_options;

/* A plan for one direction and one arrangement; the map is not referred to afterwards. */
XLASHAPE_API xlashape_status xlashape_index_plan_create(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                                        const xlashape_index_map* map,
                                                        xlashape_index_conversion conversion,
                                                        const xlashape_index_options* options XLASHAPE_NULLABLE,
                                                        xlashape_index_plan** plan, xlashape_error* err);
XLASHAPE_API xlashape_index_plan* xlashape_index_plan_retain(const xlashape_index_plan* plan XLASHAPE_NULLABLE);
XLASHAPE_API void xlashape_index_plan_release(xlashape_index_plan* plan XLASHAPE_NULLABLE);

/* Converts `count` indices, which may be another number each time, between two arrays of int64_t (8-byte aligned) that
 * must not overlap. `src_bytes`, `dst_bytes` as for xlashape_plan_execute: OUT_OF_RANGE where the entries of `count`
 * indices take more. A scalar's multidimensional indices have no entries, but a buffer of a device must be given.
 * Indices to be written must not overlap each other: one step must exceed what the other spans. Without MARK_INVALID
 * the first invalid one ends the batch with OUT_OF_RANGE and its number in err->index (of those in the tasks that ran):
 * answers before it are valid, the others unspecified. `invalid_count` gets the number of invalid ones, which is 0
 * unless they are marked. On a device, executions of one plan without a queue wait for each other. */
XLASHAPE_API xlashape_status xlashape_index_plan_execute(const xlashape_index_plan* plan, int64_t count,
                                                         const void* src XLASHAPE_NULLABLE, int64_t src_bytes,
                                                         void* dst XLASHAPE_NULLABLE, int64_t dst_bytes,
                                                         int64_t* invalid_count XLASHAPE_NULLABLE, xlashape_error* err);
/* As for a plan of a relayout. Requirements have low and high 0, as these depend on the count. */
XLASHAPE_API int64_t xlashape_index_plan_task_count(const xlashape_index_plan* plan, int64_t workers);
XLASHAPE_API xlashape_status xlashape_index_plan_get_requirements(const xlashape_index_plan* plan,
                                                                  xlashape_plan_requirements* requirements
                                                                      XLASHAPE_INOUT,
                                                                  xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_index_plan_describe(const xlashape_index_plan* plan,
                                                          char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                          int64_t capacity, int64_t* needed, xlashape_error* err);
XLASHAPE_API const char* xlashape_index_plan_backend(const xlashape_index_plan* plan);

#ifdef __cplusplus
}
#endif
#endif /* XLASHAPE_H_ */
