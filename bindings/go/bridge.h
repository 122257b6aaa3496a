// The C side of the Go package: what turns several C calls into one transition from Go.
//
// Shapes and layouts are plain values in Go. A call sends them as numbers (`in`), this side makes the handles, calls the
// library, releases the handles and answers in numbers (`out`). Index maps, plans and runtimes are handles, and their
// calls are direct. Nothing here keeps a pointer that Go gave. Handles travel as uintptr_t, so that Go never mistakes
// them for memory of its own.
#ifndef XLASHAPE_GO_BRIDGE_H_
#define XLASHAPE_GO_BRIDGE_H_

#include <xlashape_util.h>

// Operations of xg_call. The comment says: in -> out, in the forms of numbers.h. `text` is the call's text or bytes.
enum xg_op {
  // Layouts.
  XG_LAYOUT_PARSE,       // text -> layout
  XG_LAYOUT_PRINT,       // layout, flags -> text
  XG_LAYOUT_VALIDATE,    // layout -> layout
  XG_LAYOUT_EQUAL,       // layout, layout, mask -> number
  XG_LAYOUT_TO_PHYSICAL, // layout -> list
  XG_LAYOUT_MAJOR,       // list major_to_minor -> layout
  XG_LAYOUT_MOVE,        // layout, dimension, to major -> layout
  XG_LAYOUT_DELETE,      // layout, list -> layout
  XG_LAYOUT_STRIDES,     // type, list dimensions, list byte strides, flags -> layout
  XG_LAYOUT_PJRT,        // address, type, list dimensions, flags -> layout
  XG_LAYOUT_TO_PROTO,    // layout -> text
  XG_LAYOUT_FROM_PROTO,  // text -> layout
  // What needs no shape.
  XG_SHAPE_PARSE,      // flags, text -> shape
  XG_FROM_PROTO,       // flags, text -> shape
  XG_PARSE_MLIR,       // text -> shape
  XG_PARSE_CUTE,       // type, flags, text -> shape
  XG_PARSE_NUMPY,      // flags, text -> shape
  XG_DIMENSION_NUMBER, // rank, dimension -> number
  XG_UNMODIFIED,       // list, list -> list
  XG_NORMALIZED,       // list, list -> list, list
  XG_TYPE_FROM_NAME,   // text -> number
  XG_PADDING_ELEMENT,  // type, padding value -> text
  // Runtimes and plans.
  XG_RUNTIME,          // seven numbers, text: see runtime_call in handles.c -> handle
  XG_RUNTIME_LOAD,     // runtime, text: path ->
  XG_RUNTIME_REPORT,   // runtime -> text
  XG_RUNTIME_BACKENDS, // runtime -> count, then five numbers and three texts each
  XG_RUNTIME_DEVICE,   // runtime, backend, device -> text
  XG_RUNTIME_PROFILE_PATH, // runtime -> text
  XG_RUNTIME_WISDOM,   // runtime -> text
  XG_RUNTIME_IMPORT,   // runtime, text -> number
  XG_RUNTIME_FORGET,   // runtime ->
  XG_PLAN,             // runtime, shape, shape, list of fields -> see plan_call in handles.c
  XG_PLAN_KEY,         // shape, shape, list of fields -> text
  XG_PLAN_DESCRIBE,    // plan -> text
  XG_PLAN_PREDICT,     // plan -> number
  XG_PLAN_SHAPES,      // plan -> shape, shape
  XG_PLAN_TASKS,       // plan, workers -> number
  // Shapes.
  XG_SHAPE_PRINT,       // shape, flags -> text
  XG_SHAPE_VALIDATE,    // shape -> shape
  XG_TO_PROTO,          // shape -> text
  XG_PRINT_MLIR,        // shape, flags -> text
  XG_PRINT_CUTE,        // shape -> text
  XG_PRINT_NUMPY,       // shape -> text
  XG_EQUAL,             // shape, shape, mask -> number
  XG_COMPATIBLE,        // shape, shape, mask -> number
  XG_SIZES,             // shape -> element_bits and the fields after it
  XG_BYTE_SIZE,         // shape, pointer size, flags -> number
  XG_COUNT,             // shape, which of enum xg_count -> number
  XG_STRIDES,           // shape, unit -> list
  XG_PIECE_GRANULARITY, // shape -> list
  XG_MAX_SPLIT_SIZE,    // shape, dimension -> number
  XG_TEST,              // shape, which of enum xg_test -> number
  XG_NEXT_INDEX,        // shape, list -> number, list
  XG_SUBSHAPE,          // shape, list -> shape
  XG_CHANGE,            // shape, which of enum xg_change -> shape
  XG_WITHOUT_PARTS,     // shape, parts -> shape
  XG_WITH_ELEMENT_TYPE, // shape, type -> shape
  XG_PERMUTE,           // shape, list, flags -> shape
  XG_INSERT,            // shape, at, list, flags -> shape
  XG_DELETE,            // shape, list -> shape
  XG_RESHAPE_BITCAST,   // shape, shape, flags -> number
  XG_TRANSPOSE_BITCAST, // shape, shape, list, flags -> number
  XG_DEDUCE_TRANSPOSE,  // shape, shape, flags -> list
  XG_ALIGN_LAYOUTS,     // shape, list, flags -> layout
  XG_ONES,              // shape, shape -> list, list
  XG_INDEX_MAP,         // shape -> handle, rank, storage elements
  // In functions.c. A box: list base, list count, list step, list order.
  XG_SHAPE_HEAD,   // flags, text -> end, shape
  XG_LAYOUT_HEAD,  // text -> end, layout
  XG_BOX_COUNT,    // box -> number
  XG_BOX_AT,       // box, number -> list
  XG_BOX_NEXT,     // box, list -> number, list
  XG_DECOMPOSE,    // shape, shape, flags -> kind, list, list, shape, shape
  XG_FLOAT_FORMAT, // type -> nine numbers
  XG_DRAW,         // shape, whether another follows, that shape, fields as in xlashape_draw_options, list at -> text
  XG_HASH,         // shape, mask -> number
  XG_LAYOUT_HASH,  // layout, mask -> number
  // In target.c.
  XG_TARGET_FROM_NAME,   // text -> number
  XG_TARGET_PROPERTIES,  // target -> lanes and the fields after it
  XG_TARGET_TUPLE_BYTES, // target, elements -> number
  XG_TARGET_SPACE_NAME,  // target, memory space -> text
  XG_TARGET_LAYOUT,      // target, type, list dimensions, list order -> layout
  XG_FOR_TARGET,         // shape, target, flags -> shape
};

enum xg_count { XG_ELEMENTS, XG_STATIC_ELEMENTS, XG_ALL_ELEMENTS, XG_ALL_BYTES, XG_SPLIT_ELEMENTS };
enum xg_test { XG_DYNAMIC, XG_UNBOUNDED, XG_TRUE_RANK, XG_SCALAR, XG_LEAVES, XG_UNTILED, XG_MINOR_LAST, XG_HAS_ONES };
enum xg_change { XG_PHYSICAL_ORDER, XG_DROP_ONES, XG_STATIC, XG_DEFAULT_LAYOUTS, XG_PACKED, XG_FLATTEN };

// An error for Go to take and free. `cause`: the name of the error that an executor of Go gave up with, or 0.
typedef struct {
  xlashape_error error;
  uintptr_t cause;
} xg_failure;
void xg_free_failure(xg_failure* failure);

// `size` numbers lie in `out`, or, when they were more than it holds, in `more`, which is then the caller's to free.
// On failure `failure` holds the error, the caller's to free, and there are no numbers.
typedef struct {
  int64_t size;
  int64_t* more;
  xg_failure* failure;
} xg_answer;
// Whether there is memory for a Go slice of so many bytes, and for what Go keeps beside it.
int32_t xg_has_memory(int64_t bytes);
xg_answer xg_call(int32_t op, int64_t* in, int64_t* out, int64_t capacity, char* text, int64_t text_len);

// Indices of up to XG_RANK dimensions travel by value: Go then has nothing to allocate.
#define XG_RANK 8
typedef struct {
  int64_t at[XG_RANK];
} xg_index;
typedef struct {
  int64_t value;
  xg_failure* failure;
} xg_number;
typedef struct {
  xg_index index;
  int32_t is_padding;
  xg_failure* failure;
} xg_element;

xg_number xg_linear_index(uintptr_t map, xg_index index, int64_t rank);
xg_number xg_linear_index_at(uintptr_t map, int64_t* index, int64_t rank);
xg_element xg_multidimensional_index(uintptr_t map, int64_t linear, int64_t rank);
xg_element xg_multidimensional_index_at(uintptr_t map, int64_t linear, int64_t* index, int64_t rank);

xg_number xg_linear_indices(uintptr_t runtime, uintptr_t map, int64_t count, int64_t* index, int64_t index_step,
                            int64_t dimension_step, int64_t* linear, uint32_t flags);
xg_number xg_multidimensional_indices(uintptr_t runtime, uintptr_t map, int64_t count, int64_t* linear, int64_t* index,
                                      int64_t index_step, int64_t dimension_step, uint32_t flags);
// Memory of Go is `char*`, never `void*`: cgo would look for pointers in the whole Go object around it.
// One side of an execution: `size` bytes from `data` on, position 0 (strided: index 0...0) `offset` bytes into them.
xg_failure* xg_execute(uintptr_t plan, char* src, int64_t src_size, int64_t src_offset, char* dst, int64_t dst_size,
                       int64_t dst_offset);
xg_failure* xg_execute_batch(uintptr_t plan, int64_t count, char* src, int64_t src_step, char* dst, int64_t dst_step);
// `count` relayouts: `in` has the plans, the sources' addresses, the destinations'. That they are Go's, and stay where they are,
// is Go's to see to. `cancel`, `watch`: what xlashape_exec calls `cancel`, and the name of what hears of tasks; 0: nobody.
xg_failure* xg_execute_list(int64_t count, int64_t* in, int32_t* cancel, uintptr_t watch);
// Memory that is not Go's: addresses, cl_mem, queues.
xg_failure* xg_execute_raw(uintptr_t plan, xlashape_exec exec);
// A plan of conversions, as a number; one batch, and how many were bad.
xg_number xg_index_plan(uintptr_t runtime, uintptr_t map, int32_t conversion, xlashape_index_options options, char* backend);
xg_number xg_execute_indices(uintptr_t plan, xlashape_exec exec);
// `in` as for XG_PLAN, then whether the source's size must be exact, and the destination's. A side given by strides begins
// with index 0...0.
xg_failure* xg_relayout(int64_t* in, char* src, int64_t src_size, char* dst, int64_t dst_size);

// A profile, into the `capacity` bytes at `text`: the bytes of it and its NUL. `cancel`, `watch`: as for xg_execute_list.
xg_number xg_calibrate(uintptr_t runtime, int64_t budget_ns, int32_t* cancel, uintptr_t watch, char* text,
                       int64_t capacity);

void xg_release_index_map(uintptr_t map);
void xg_release_runtime(uintptr_t runtime);
void xg_release_plan(uintptr_t plan);

// From Go's executor back into C: one task.
void xg_run_task(uintptr_t task, uintptr_t opaque, int64_t index, uint32_t worker);

#endif
