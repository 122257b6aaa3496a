/* SPDX-License-Identifier: Apache-2.0 */
// What Go calls: functions of the library, for shapes and layouts that are Go structs.
//
// A method of Go is one transition to C. It describes its shapes and layouts in an xg_call, which is memory of C, so
// that the structs in it may point to each other. The function here makes the handles, calls the library, releases the
// handles, and leaves the answer in the xg_call. Nothing here keeps a pointer that Go gave.
#ifndef XLASHAPE_GO_CALLS_H_
#define XLASHAPE_GO_CALLS_H_

#include <stdlib.h>
#include <string.h>
#include <xlashape_interop.h>
#include <xlashape_runtime.h>
#include <xlashape_target.h>
#include <xlashape_xla.h>

// An error. `cause`: the name (a cgo.Handle) of the error that an executor of Go gave up with, or 0.
typedef struct {
  xlashape_error error;
  uintptr_t cause;
} xg_failure;

// One of the shapes inside a shape; the elements of a tuple come before it.
typedef struct {
  xlashape_element_type type;          // also TUPLE, BUFFER, TOKEN, OPAQUE
  int64_t count;                       // the rank of an array, or how many shapes before it are its elements
  const int64_t* dimensions;           // [count], of an array
  const uint8_t* dynamic;              // [count] or NULL, of an array
  const xlashape_layout_spec* layout;  // or NULL, of an array
} xg_record;

typedef struct {
  int64_t count;  // 0: not given
  const xg_record* records;
} xg_shape;

typedef struct {
  int64_t size;  // of texts with the final NUL
  void* data;
} xg_list;

typedef struct xg_chunk xg_chunk;

typedef struct {
  xg_failure failure;
  int32_t refused;     // Go has found something wrong, and knows what: nothing is to be done
  xg_shape shapes[2];  // those of the arguments; then those of the answer
  const xlashape_layout_spec* layouts[2];
  xg_list lists[2];
  int64_t number;
  void* handle;
  // The handles of the arguments, during the call.
  xlashape_shape *a, *b;
  xlashape_layout *l, *m;
  // The memory of all that: [at, end) is free, in the newest of the chunks or here.
  char *at, *end;
  xg_chunk* chunks;
  int64_t own[1024];
} xg_call;

// An xg_call as a number: of a pointer cgo would find out, with each call, where it points.
typedef uintptr_t xg_at;

void xg_reset(xg_call* c);                 // frees the chunks
void* xg_room(xg_call* c, int64_t bytes);  // NULL where there is none
xlashape_status xg_open(xg_call* c);       // makes the handles of the arguments
xlashape_status xg_close(xg_call* c, xlashape_status status);
xlashape_status xg_no_memory(xg_call* c);
// These take the handle, and describe it as answer `i`.
xlashape_status xg_take_shape(xg_call* c, int i, xlashape_shape* shape);
xlashape_status xg_take_layout(xg_call* c, xlashape_layout* layout);
// Whether there is memory for a Go slice of so many bytes, and for what Go keeps beside it.
int32_t xg_has_memory(int64_t bytes);

// One function for Go: `name` without xlashape_, its parameters after the call, and what sets `status`.
#define XG(name, parameters, ...)                      \
  static inline xlashape_status xg_##name parameters { \
    xg_call* const c = (xg_call*)at;                   \
    xlashape_status status = xg_open(c);               \
    if (status == XLASHAPE_STATUS_OK) {                \
      __VA_ARGS__;                                     \
    }                                                  \
    return xg_close(c, status);                        \
  }
#define XG_ERR &c->failure.error

// The answers: a function and its arguments up to those that receive the answer.
#define XG_SHAPE(function, ...)                  \
  xlashape_shape* made = NULL;                   \
  status = function(__VA_ARGS__, &made, XG_ERR); \
  if (status == XLASHAPE_STATUS_OK) status = xg_take_shape(c, 0, made)
#define XG_LAYOUT(function, ...)                 \
  xlashape_layout* made = NULL;                  \
  status = function(__VA_ARGS__, &made, XG_ERR); \
  if (status == XLASHAPE_STATUS_OK) status = xg_take_layout(c, made)
#define XG_NUMBER(function, ...) status = function(__VA_ARGS__, &c->number, XG_ERR)
#define XG_ANSWER(function, ...) c->number = (int64_t)function(__VA_ARGS__)
#define XG_LIST_OF(Item, expected, function, ...)                                 \
  for (int64_t room = expected;;) { /* nearly always there is room at once */     \
    xg_list* list = &c->lists[0];                                                 \
    list->data = xg_room(c, room * (int64_t)sizeof(Item));                        \
    if (list->data == NULL) {                                                     \
      status = xg_no_memory(c);                                                   \
      break;                                                                      \
    }                                                                             \
    list->size = 0; /* it is not set by every failure */                          \
    status = function(__VA_ARGS__, (Item*)list->data, room, &list->size, XG_ERR); \
    if (status != XLASHAPE_STATUS_OUT_OF_RANGE || list->size <= room) break;      \
    room = list->size;                                                            \
  }
#define XG_LIST(...) XG_LIST_OF(int64_t, 32, __VA_ARGS__)
#define XG_TEXT(...) XG_LIST_OF(char, 512, __VA_ARGS__)
#define XG_BYTES(...) XG_LIST_OF(uint8_t, 512, __VA_ARGS__)

// == Layouts: c->l is the argument ===============================================================================

XG(layout_validate, (xg_at at), (void)c)
XG(layout_parse, (xg_at at, const char* text, int64_t len), XG_LAYOUT(xlashape_layout_parse, text, len, 0))
XG(layout_parse_head, (xg_at at, const char* text, int64_t len), xlashape_layout* made = NULL;
   status = xlashape_layout_parse_head(text, len, 0, &made, &c->number, XG_ERR);
   if (status == XLASHAPE_STATUS_OK) status = xg_take_layout(c, made))
XG(layout_print, (xg_at at, uint32_t flags), XG_TEXT(xlashape_layout_print, c->l, flags))
XG(layout_to_proto, (xg_at at), XG_BYTES(xlashape_layout_to_proto, c->l, 0))
XG(layout_from_proto, (xg_at at, const char* bytes, int64_t size),
   XG_LAYOUT(xlashape_layout_from_proto, (const uint8_t*)bytes, size, 0))
XG(layout_equal, (xg_at at, uint32_t mask), XG_ANSWER(xlashape_layout_equal, c->l, c->m, mask))
XG(layout_hash, (xg_at at, uint32_t mask), XG_ANSWER(xlashape_layout_hash, c->l, mask))
XG(layout_logical_to_physical, (xg_at at), XG_LIST(xlashape_layout_logical_to_physical, c->l))
XG(layout_create_major_to_minor, (xg_at at, const int64_t* order, int64_t rank),
   XG_LAYOUT(xlashape_layout_create_major_to_minor, order, rank))
XG(layout_move_dimension_to_major, (xg_at at, int64_t dimension),
   XG_LAYOUT(xlashape_layout_move_dimension_to_major, c->l, dimension))
XG(layout_move_dimension_to_minor, (xg_at at, int64_t dimension),
   XG_LAYOUT(xlashape_layout_move_dimension_to_minor, c->l, dimension))
XG(layout_delete_dimensions, (xg_at at, const int64_t* dimensions, int64_t count),
   XG_LAYOUT(xlashape_layout_delete_dimensions, c->l, dimensions, count))
XG(layout_from_byte_strides,
   (xg_at at, int32_t type, const int64_t* dimensions, const int64_t* strides, int64_t rank, uint32_t flags),
   XG_LAYOUT(xlashape_layout_from_byte_strides, type, dimensions, strides, rank, flags))
XG(layout_from_pjrt,
   (xg_at at, uintptr_t address, int32_t type, const int64_t* dimensions, int64_t rank, uint32_t flags),
   XG_LAYOUT(xlashape_layout_from_pjrt, (const void*)address, type, dimensions, rank, flags))
XG(target_layout,
   (xg_at at, int32_t target, int32_t type, const int64_t* dimensions, const int64_t* order, int64_t rank),
   XG_LAYOUT(xlashape_target_layout, target, type, dimensions, order, rank))

// == Shapes: c->a, and c->b, are the arguments ===================================================================

XG(shape_validate, (xg_at at), (void)c)
XG(shape_parse, (xg_at at, const char* text, int64_t len, uint32_t flags),
   XG_SHAPE(xlashape_shape_parse, text, len, flags))
XG(shape_parse_head, (xg_at at, const char* text, int64_t len, uint32_t flags), xlashape_shape* made = NULL;
   status = xlashape_shape_parse_head(text, len, flags, &made, &c->number, XG_ERR);
   if (status == XLASHAPE_STATUS_OK) status = xg_take_shape(c, 0, made))
XG(shape_print, (xg_at at, uint32_t flags), XG_TEXT(xlashape_shape_print, c->a, flags))
XG(shape_to_proto, (xg_at at), XG_BYTES(xlashape_shape_to_proto, c->a, 0))
XG(shape_from_proto, (xg_at at, const char* bytes, int64_t size, uint32_t flags),
   XG_SHAPE(xlashape_shape_from_proto, (const uint8_t*)bytes, size, flags))
// `offset`: whether the number of elements before the first one is asked for; else there must be none.
XG(shape_read, (xg_at at, const char* text, int64_t len, uint32_t flags, int32_t offset),
   XG_SHAPE(xlashape_shape_read, text, len, flags, offset ? &c->number : NULL))
XG(shape_with_words, (xg_at at, const char* text, int64_t len, uint32_t flags), xlashape_shape* destination = NULL;
   xlashape_shape* result = NULL;
   status = xlashape_shape_with_words(c->a, text, len, flags, &destination, &result, XG_ERR);
   if (status == XLASHAPE_STATUS_OK) status = xg_take_shape(c, 0, destination);
   if (status == XLASHAPE_STATUS_OK) status = xg_take_shape(c, 1, result); else xlashape_shape_release(result))
XG(shape_print_as, (xg_at at, int32_t notation, uint32_t flags),
   XG_TEXT(xlashape_shape_print_as, c->a, notation, flags))

XG(shape_equal, (xg_at at, uint32_t mask), XG_ANSWER(xlashape_shape_equal, c->a, c->b, mask))
XG(shape_compatible, (xg_at at, uint32_t mask), XG_ANSWER(xlashape_shape_compatible, c->a, c->b, mask))
XG(shape_hash, (xg_at at, uint32_t mask), XG_ANSWER(xlashape_shape_hash, c->a, mask))
XG(shape_true_rank, (xg_at at), XG_ANSWER(xlashape_shape_true_rank, c->a))
XG(shape_leaf_count, (xg_at at), XG_ANSWER(xlashape_shape_leaf_count, c->a))
XG(shape_is_dynamic, (xg_at at), XG_ANSWER(xlashape_shape_is_dynamic, c->a))
XG(shape_is_unbounded, (xg_at at), XG_ANSWER(xlashape_shape_is_unbounded, c->a))
XG(shape_is_effective_scalar, (xg_at at), XG_ANSWER(xlashape_shape_is_effective_scalar, c->a))
XG(shape_is_untiled, (xg_at at), XG_ANSWER(xlashape_shape_is_untiled, c->a))
XG(shape_last_dimension_is_most_minor, (xg_at at), XG_ANSWER(xlashape_shape_last_dimension_is_most_minor, c->a))
XG(shape_has_degenerate_dimensions, (xg_at at), XG_ANSWER(xlashape_shape_has_degenerate_dimensions, c->a))
XG(shape_next_index, (xg_at at, int64_t* index, int64_t rank), XG_ANSWER(xlashape_shape_next_index, c->a, index, rank))

XG(shape_sizes, (xg_at at, xlashape_sizes* sizes), status = xlashape_shape_sizes(c->a, sizes, XG_ERR))
XG(shape_byte_size, (xg_at at, int64_t pointer_size, uint32_t flags),
   XG_NUMBER(xlashape_shape_byte_size, c->a, pointer_size, flags))
XG(shape_element_count, (xg_at at), XG_NUMBER(xlashape_shape_element_count, c->a))
XG(shape_static_element_count, (xg_at at), XG_NUMBER(xlashape_shape_static_element_count, c->a))
XG(shape_element_count_recursive, (xg_at at), XG_NUMBER(xlashape_shape_element_count_recursive, c->a))
XG(shape_byte_size_recursive, (xg_at at), XG_NUMBER(xlashape_shape_byte_size_recursive, c->a))
XG(shape_max_elements_per_split, (xg_at at), XG_NUMBER(xlashape_shape_max_elements_per_split, c->a))
XG(shape_max_split_size, (xg_at at, int64_t dimension), XG_NUMBER(xlashape_shape_max_split_size, c->a, dimension))
XG(shape_strides, (xg_at at, xlashape_unit unit), XG_LIST(xlashape_shape_strides, c->a, unit))
XG(shape_piece_granularity, (xg_at at), XG_LIST(xlashape_shape_piece_granularity, c->a))
XG(shape_window,
   (xg_at at, const int64_t* base, const int64_t* extent, int64_t rank, xlashape_window* window),
   status = xlashape_shape_window(c->a, base, extent, rank, window, XG_ERR);
   if (status == XLASHAPE_STATUS_OK) status = xg_take_shape(c, 0, window->shape))
XG(shape_window_runs,
   (xg_at at, const int64_t* base, const int64_t* extent, int64_t rank, int64_t first, int64_t count, int64_t* offsets),
   status = xlashape_shape_window_runs(c->a, base, extent, rank, first, count, offsets, XG_ERR))
XG(shape_window_granularity, (xg_at at), XG_LIST(xlashape_shape_window_granularity, c->a))
// The list has room for as many numbers as the shapes have dimensions.
XG(relayout_slabs, (xg_at at, int64_t max_bytes, xlashape_slabs* slabs), xg_list* extent = &c->lists[0];
   status = xlashape_relayout_slabs(c->a, c->b, max_bytes, extent->data, extent->size, &extent->size, slabs, XG_ERR))

XG(shape_subshape, (xg_at at, const int64_t* path, int64_t len), XG_SHAPE(xlashape_shape_subshape, c->a, path, len))
XG(shape_to_physical_order, (xg_at at), XG_SHAPE(xlashape_shape_to_physical_order, c->a))
XG(shape_drop_degenerate_dimensions, (xg_at at), XG_SHAPE(xlashape_shape_drop_degenerate_dimensions, c->a))
XG(shape_to_static, (xg_at at), XG_SHAPE(xlashape_shape_to_static, c->a))
XG(shape_with_default_layouts, (xg_at at), XG_SHAPE(xlashape_shape_with_default_layouts, c->a))
XG(shape_with_packed_elements, (xg_at at), XG_SHAPE(xlashape_shape_with_packed_elements, c->a))
XG(shape_flatten_tuple, (xg_at at), XG_SHAPE(xlashape_shape_flatten_tuple, c->a))
XG(shape_without_layout_fields, (xg_at at, uint32_t fields),
   XG_SHAPE(xlashape_shape_without_layout_fields, c->a, fields))
XG(shape_with_element_type, (xg_at at, int32_t type), XG_SHAPE(xlashape_shape_with_element_type, c->a, type))
XG(shape_permute_dimensions, (xg_at at, const int64_t* permutation, int64_t rank, uint32_t flags),
   XG_SHAPE(xlashape_shape_permute_dimensions, c->a, permutation, rank, flags))
XG(shape_insert_dimensions, (xg_at at, int64_t before, const int64_t* sizes, int64_t count, uint32_t flags),
   XG_SHAPE(xlashape_shape_insert_dimensions, c->a, before, sizes, count, flags))
XG(shape_delete_dimensions, (xg_at at, const int64_t* dimensions, int64_t count),
   XG_SHAPE(xlashape_shape_delete_dimensions, c->a, dimensions, count))
XG(shape_for_target, (xg_at at, xlashape_target target, uint32_t flags),
   XG_SHAPE(xlashape_shape_for_target, c->a, target, flags))

XG(shape_reshape_is_bitcast, (xg_at at, uint32_t flags),
   XG_ANSWER(xlashape_shape_reshape_is_bitcast, c->a, c->b, flags))
XG(shape_transpose_is_bitcast, (xg_at at, const int64_t* permutation, int64_t rank, uint32_t flags),
   XG_ANSWER(xlashape_shape_transpose_is_bitcast, c->a, c->b, permutation, rank, flags))
XG(shape_deduce_transpose, (xg_at at, uint32_t flags), XG_LIST(xlashape_shape_deduce_transpose, c->a, c->b, flags))
XG(shape_align_layouts, (xg_at at, const int64_t* dimensions, int64_t rank, uint32_t flags),
   XG_LAYOUT(xlashape_shape_align_layouts, c->a, dimensions, rank, flags))
// Both lists have room for as many numbers as their shape has dimensions.
XG(shape_inserted_or_deleted_ones, (xg_at at), xg_list* deleted = &c->lists[0], *inserted = &c->lists[1];
   status = xlashape_shape_inserted_or_deleted_ones(c->a, c->b, deleted->data, deleted->size, &deleted->size,
                                                    inserted->data, inserted->size, &inserted->size, XG_ERR))
XG(shape_decompose_bitcast, (xg_at at, uint32_t flags),
   xlashape_bitcast_steps steps = XLASHAPE_INIT(xlashape_bitcast_steps);
   steps.transpose1 = c->lists[0].data; steps.transpose1_capacity = c->lists[0].size;
   steps.transpose2 = c->lists[1].data; steps.transpose2_capacity = c->lists[1].size;
   status = xlashape_shape_decompose_bitcast(c->a, c->b, flags, &steps, XG_ERR); c->number = steps.kind;
   if (status == XLASHAPE_STATUS_OK) status = xg_take_shape(c, 0, steps.reshape_from);
   if (status == XLASHAPE_STATUS_OK) status = xg_take_shape(c, 1, steps.reshape_to);
   else xlashape_shape_release(steps.reshape_to))

// == Numbers and names ===========================================================================================

XG(padding_element, (xg_at at, int32_t type, int32_t value), XG_BYTES(xlashape_padding_element, type, value))
XG(dimensions_unmodified_by_reshape, (xg_at at, const int64_t* a, int64_t a_rank, const int64_t* b, int64_t b_rank),
   XG_LIST(xlashape_dimensions_unmodified_by_reshape, a, a_rank, b, b_rank))
XG(box_index_at,
   (xg_at at, const int64_t* base, const int64_t* count, const int64_t* step, const int64_t* order, int64_t rank,
    int64_t number),
   XG_LIST(xlashape_box_index_at, base, count, step, order, rank, number))
XG(target_memory_space_name, (xg_at at, xlashape_target target, int64_t space),
   XG_TEXT(xlashape_target_memory_space_name, target, space))

// == Index maps, plans, runtimes: c->handle is what is made ======================================================

XG(index_map_create, (xg_at at), xlashape_index_map* map = NULL; status = xlashape_index_map_create(c->a, &map, XG_ERR);
   c->handle = map; c->number = xlashape_index_map_storage_elements(map))

// A handle as a number: Go 1.19 allocates where it passes a pointer to a type that it does not know.
typedef uintptr_t xg_handle;
static inline void xg_release_index_map(xg_handle map) { xlashape_index_map_release((xlashape_index_map*)map); }
static inline void xg_release_index_plan(xg_handle plan) { xlashape_index_plan_release((xlashape_index_plan*)plan); }
static inline void xg_release_plan(xg_handle plan) { xlashape_plan_release((xlashape_plan*)plan); }
static inline void xg_release_runtime(xg_handle runtime) { xlashape_runtime_release((xlashape_runtime*)runtime); }

// The indices of few dimensions travel by value: Go then has nothing to allocate. Where these fail Go asks again, by
// pointer.
#define XG_RANK 8
typedef struct {
  int64_t at[XG_RANK];
} xg_index;
typedef struct {
  int64_t linear;
  xlashape_status status;
} xg_linear;
typedef struct {
  xg_index index;
  int32_t is_padding;
  xlashape_status status;
} xg_element;
static inline xg_linear xg_linear_index(xg_handle map, xg_index index, int64_t rank) {
  xg_linear found;
  found.status = xlashape_index_map_linear_index((const xlashape_index_map*)map, index.at, rank, &found.linear, NULL);
  return found;
}
static inline xg_element xg_multidimensional_index(xg_handle map, int64_t linear, int64_t rank) {
  xg_element found;
  found.status = xlashape_index_map_multidimensional_index((const xlashape_index_map*)map, linear, found.index.at, rank,
                                                           &found.is_padding, NULL);
  return found;
}
// A batch, by an index plan for it alone.
xlashape_status xg_convert(xg_at at, xg_handle runtime, xg_handle map, int32_t conversion, uint32_t flags,
                           int64_t index_step, int64_t dimension_step, int64_t count, int64_t* src, int64_t src_bytes,
                           int64_t* dst, int64_t dst_bytes);

XG(index_plan_create,
   (xg_at at, xlashape_runtime* runtime, const xlashape_index_map* map, int32_t conversion,
    xlashape_index_options* options),
   xlashape_index_plan* plan = NULL;
   status = xlashape_index_plan_create(runtime, map, conversion, options, &plan, XG_ERR); c->handle = plan)
XG(index_plan_describe, (xg_at at, const xlashape_index_plan* plan), XG_TEXT(xlashape_index_plan_describe, plan))
// `counted`: whether invalid ones are.
XG(index_plan_execute_with,
   (xg_at at, const xlashape_index_plan* plan, int64_t count, int32_t counted, xlashape_execute_options* options),
   c->number = 0;
   status = xlashape_index_plan_execute_with(plan, count, options, counted ? &c->number : NULL, XG_ERR))

// What is known of a plan once it is made.
typedef struct {
  xlashape_plan_requirements need;
  xlashape_sizes src, dst;
  const char* backend;
} xg_plan_facts;
// `how`: NULL: nothing is measured.
xlashape_status xg_plan_create(xg_at at, xg_handle runtime, xlashape_relayout_options* options,
                               xlashape_measure_options* how, xg_plan_facts* facts);
XG(plan_key, (xg_at at, xlashape_relayout_options* options), XG_TEXT(xlashape_plan_key, c->a, c->b, options))
XG(plan_predict, (xg_at at, const xlashape_plan* plan), XG_NUMBER(xlashape_plan_predict, plan))
XG(plan_task_count, (xg_at at, const xlashape_plan* plan, int64_t workers),
   XG_ANSWER(xlashape_plan_task_count, plan, workers))
XG(plan_describe, (xg_at at, const xlashape_plan* plan), XG_TEXT(xlashape_plan_describe, plan))
XG(plan_shapes, (xg_at at, const xlashape_plan* plan), xlashape_shape* src = NULL; xlashape_shape* dst = NULL;
   status = xlashape_plan_shapes(plan, &src, &dst, XG_ERR);
   if (status == XLASHAPE_STATUS_OK) status = xg_take_shape(c, 0, src);
   if (status == XLASHAPE_STATUS_OK) status = xg_take_shape(c, 1, dst); else xlashape_shape_release(dst))

// Memory of Go is `char*`, never `void*`: cgo would look for pointers in the whole Go object around it. One execution:
// `size` bytes from `data` on, position 0 (byte strides: index 0...0) `offset` bytes into them. NULL, or the error,
// which is to be freed.
xg_failure* xg_execute(xg_handle plan, char* src, int64_t src_size, int64_t src_offset, char* dst, int64_t dst_size,
                       int64_t dst_offset);
void xg_free_failure(xg_failure* failure);
// `cancel`, `watch`: what xlashape_execute_options call `cancel`, and the name of what hears of tasks; 0: nobody.
xlashape_status xg_execute_list(xg_at at, int64_t count, xlashape_plan** plans, uint64_t* src, int64_t* src_bytes,
                                uint64_t* dst, int64_t* dst_bytes, int32_t* cancel, uintptr_t watch);
XG(plan_execute_with, (xg_at at, const xlashape_plan* plan, xlashape_execute_options* options),
   status = xlashape_plan_execute_with(plan, options, XG_ERR))
// A slice of another size than its shape's is a mistake where `exact`, even if the library could do with it. A side
// given by byte strides begins with index 0...0.
xlashape_status xg_relayout(xg_at at, xg_handle runtime, xlashape_relayout_options* options, char* src,
                            int64_t src_size, char* dst, int64_t dst_size);

// The hooks are known by their names (a cgo.Handle); 0: there is none.
xlashape_status xg_runtime_create(xg_at at, xlashape_runtime_options* options, uint32_t workers, uintptr_t parallel_for,
                                  uintptr_t log);
XG(runtime_load_backend, (xg_at at, xlashape_runtime* runtime, const char* path, int64_t len),
   status = xlashape_runtime_load_backend(runtime, path, len, XG_ERR))
XG(runtime_set_default, (xg_at at, xlashape_runtime* runtime), status = xlashape_runtime_set_default(runtime, XG_ERR))
XG(runtime_report, (xg_at at, xlashape_runtime* runtime), XG_TEXT(xlashape_runtime_report, runtime))
XG(runtime_backend_text, (xg_at at, xlashape_runtime* runtime, int64_t backend, int32_t which),
   XG_TEXT(xlashape_runtime_backend_text, runtime, backend, which))
XG(runtime_device_text, (xg_at at, xlashape_runtime* runtime, int64_t backend, int32_t device),
   XG_TEXT(xlashape_runtime_device_text, runtime, backend, device))
XG(runtime_profile_path, (xg_at at, xlashape_runtime* runtime), XG_TEXT(xlashape_runtime_profile_path, runtime))
XG(runtime_export_wisdom, (xg_at at, xlashape_runtime* runtime), XG_TEXT(xlashape_runtime_export_wisdom, runtime))
XG(runtime_import_wisdom, (xg_at at, xlashape_runtime* runtime, const char* text, int64_t len),
   XG_NUMBER(xlashape_runtime_import_wisdom, runtime, text, len))
XG(runtime_forget_wisdom, (xg_at at, xlashape_runtime* runtime), xlashape_runtime_forget_wisdom(runtime))
xlashape_status xg_calibrate(xg_at at, xlashape_runtime* runtime, int64_t budget_ns, int32_t* cancel, uintptr_t watch);

// From Go's executor back into C: one task.
void xg_run_task(uintptr_t task, uintptr_t opaque, int64_t index, uint32_t worker);

#endif
