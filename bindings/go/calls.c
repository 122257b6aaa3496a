/* SPDX-License-Identifier: Apache-2.0 */
#include "calls.h"

#include <stdio.h>

#define TRY(...)                                       \
  do {                                                 \
    const xlashape_status status_ = (__VA_ARGS__);     \
    if (status_ != XLASHAPE_STATUS_OK) return status_; \
  } while (0)

// == Memory ======================================================================================================

struct xg_chunk {
  xg_chunk* next;
  int64_t size;
};

void xg_reset(xg_call* c) {
  while (c->chunks != NULL) {
    xg_chunk* next = c->chunks->next;
    free(c->chunks);
    c->chunks = next;
  }
}

void* xg_room(xg_call* c, int64_t bytes) {
  bytes = (bytes + 7) & ~(int64_t)7;
  if (bytes > c->end - c->at) {
    int64_t size = 2 * (c->chunks != NULL ? c->chunks->size : (int64_t)sizeof c->own);
    if (size < bytes) size = bytes;
    xg_chunk* chunk = malloc(sizeof *chunk + (size_t)size);
    if (chunk == NULL) return NULL;
    *chunk = (xg_chunk){c->chunks, size};
    c->chunks = chunk;
    c->at = (char*)(chunk + 1);
    c->end = c->at + size;
  }
  void* room = c->at;
  c->at += bytes;
  return room;
}

// Go takes memory in pieces of 64 MiB, and a thirtysecond more for its own bookkeeping.
int32_t xg_has_memory(int64_t bytes) {
  const int64_t more = bytes / 16 + (INT64_C(128) << 20);
  if (bytes < 0 || bytes > (INT64_C(1) << 62) - more) return 0;
  void* volatile memory = malloc((size_t)(bytes + more));  // volatile: else compilers think that it never fails
  free(memory);
  return memory != NULL;
}

// == Failures ====================================================================================================

// The name of the error that an executor gave up with. The library calls parallel_for on the thread that executes, so
// the call that then fails finds it.
static _Thread_local uintptr_t cause;

static xlashape_status refuse(xg_call* c, xlashape_status status, const char* message) {
  xlashape_error* err = &c->failure.error;
  err->code = status;
  err->index = err->offset = -1;
  err->source = 0;
  err->message_len = (uint32_t)snprintf(err->message, sizeof err->message, "%s", message);
  return status;
}

xlashape_status xg_no_memory(xg_call* c) { return refuse(c, XLASHAPE_STATUS_NO_MEMORY, "out of memory"); }

static xlashape_status failed(xg_call* c, xlashape_status status) {
  if (status != XLASHAPE_STATUS_OK) {
    c->failure.cause = cause;
    cause = 0;
  }
  return status;
}

// == Shapes and layouts to C =====================================================================================

static xlashape_status make_array(xg_call* c, const xg_record* record, xlashape_shape** shape) {
  xlashape_layout* layout = NULL;
  if (record->layout != NULL) TRY(xlashape_layout_create(record->layout, &layout, XG_ERR));
  const xlashape_status status =
      xlashape_shape_create_array(record->type, record->dimensions, record->dynamic, record->count, layout,
                                  XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT, shape, XG_ERR);
  xlashape_layout_release(layout);
  return status;
}

// A tuple or a buffer takes its elements off the top of the stack and leaves itself there.
static xlashape_status make_record(xg_call* c, const xg_record* record, xlashape_shape** stack, int64_t* top) {
  xlashape_shape* made = NULL;
  int64_t taken = 0;
  xlashape_status status;
  switch (record->type) {
    case XLASHAPE_TYPE_TUPLE:
      taken = record->count;
      status = xlashape_shape_create_tuple(stack + *top - taken, taken, &made, XG_ERR);
      break;
    case XLASHAPE_TYPE_BUFFER:
      taken = 1;
      status = xlashape_shape_create_buffer(stack[*top - 1], &made, XG_ERR);
      break;
    case XLASHAPE_TYPE_TOKEN:
      status = xlashape_shape_create_token(&made, XG_ERR);
      break;
    case XLASHAPE_TYPE_OPAQUE:
      status = xlashape_shape_create_opaque(&made, XG_ERR);
      break;
    default:
      status = make_array(c, record, &made);
  }
  if (status != XLASHAPE_STATUS_OK) return status;
  for (; taken > 0; --taken) xlashape_shape_release(stack[--*top]);
  stack[(*top)++] = made;
  return XLASHAPE_STATUS_OK;
}

static xlashape_status make_shape(xg_call* c, const xg_shape* described, xlashape_shape** shape) {
  xlashape_shape** stack = xg_room(c, described->count * (int64_t)sizeof *stack);
  if (stack == NULL) return xg_no_memory(c);
  xlashape_status status = XLASHAPE_STATUS_OK;
  int64_t top = 0;
  for (int64_t i = 0; i < described->count && status == XLASHAPE_STATUS_OK; ++i)
    status = make_record(c, &described->records[i], stack, &top);
  if (status == XLASHAPE_STATUS_OK) {
    *shape = stack[0];
  } else {
    while (top > 0) xlashape_shape_release(stack[--top]);
  }
  return status;
}

xlashape_status xg_open(xg_call* c) {
  if (c->refused) return XLASHAPE_STATUS_INVALID_ARGUMENT;
  if (c->shapes[0].count > 0) TRY(make_shape(c, &c->shapes[0], &c->a));
  if (c->shapes[1].count > 0) TRY(make_shape(c, &c->shapes[1], &c->b));
  if (c->layouts[0] != NULL) TRY(xlashape_layout_create(c->layouts[0], &c->l, XG_ERR));
  if (c->layouts[1] != NULL) TRY(xlashape_layout_create(c->layouts[1], &c->m, XG_ERR));
  return XLASHAPE_STATUS_OK;
}

xlashape_status xg_close(xg_call* c, xlashape_status status) {
  xlashape_shape_release(c->a);
  xlashape_shape_release(c->b);
  xlashape_layout_release(c->l);
  xlashape_layout_release(c->m);
  c->a = c->b = NULL;
  c->l = c->m = NULL;
  return failed(c, status);
}

// == Shapes and layouts from C ===================================================================================

// Replaces a list by a copy in the memory of the call; false where there is none for it.
static int keep(xg_call* c, const int64_t** list, int64_t count) {
  if (*list == NULL) return 1;
  int64_t* copy = xg_room(c, count * (int64_t)sizeof *copy);
  if (copy != NULL && count > 0) memcpy(copy, *list, (size_t)count * sizeof *copy);
  *list = copy;
  return copy != NULL;
}

static int64_t sum(const int64_t* list, int64_t count) {
  int64_t all = 0;
  for (int64_t i = 0; i < count; ++i) all += list[i];
  return all;
}

static xlashape_status describe_layout(xg_call* c, const xlashape_layout* layout,
                                       const xlashape_layout_spec** described) {
  xlashape_layout_spec* spec = xg_room(c, sizeof *spec);
  if (spec == NULL) return xg_no_memory(c);
  spec->struct_size = sizeof *spec;
  TRY(xlashape_layout_get_spec(layout, spec, XG_ERR));
  const int64_t tiled = sum(spec->tile_ranks, spec->tile_count), split = sum(spec->split_sizes, spec->split_count);
  *described = spec;
  return keep(c, &spec->minor_to_major, spec->rank) && keep(c, &spec->padded_dimensions, spec->rank) &&
                 keep(c, &spec->tile_ranks, spec->tile_count) && keep(c, &spec->tile_dimensions, tiled) &&
                 keep(c, &spec->split_dimensions, spec->split_count) &&
                 keep(c, &spec->split_sizes, spec->split_count) && keep(c, &spec->split_indices, split)
             ? XLASHAPE_STATUS_OK
             : xg_no_memory(c);
}

xlashape_status xg_take_layout(xg_call* c, xlashape_layout* layout) {
  const xlashape_status status = describe_layout(c, layout, &c->layouts[0]);
  xlashape_layout_release(layout);
  return status;
}

static xlashape_status describe_array(xg_call* c, const xlashape_shape* shape, xg_record* record) {
  record->count = xlashape_shape_rank(shape);
  int64_t needed, *dimensions = xg_room(c, record->count * (int64_t)sizeof *dimensions);
  if (dimensions == NULL) return xg_no_memory(c);
  TRY(xlashape_shape_dimensions(shape, dimensions, record->count, &needed, XG_ERR));
  record->dimensions = dimensions;
  if (xlashape_shape_is_dynamic(shape)) {
    uint8_t* dynamic = xg_room(c, record->count);
    if (dynamic == NULL) return xg_no_memory(c);
    TRY(xlashape_shape_dynamic_dimensions(shape, dynamic, record->count, &needed, XG_ERR));
    record->dynamic = dynamic;
  }
  if (!xlashape_shape_has_layout(shape)) return XLASHAPE_STATUS_OK;
  xlashape_layout* layout = NULL;
  TRY(xlashape_shape_layout(shape, &layout, XG_ERR));
  const xlashape_status status = describe_layout(c, layout, &record->layout);
  xlashape_layout_release(layout);
  return status;
}

static xlashape_status describe(xg_call* c, const xlashape_shape* shape, xg_record* record) {
  const xlashape_category category = xlashape_shape_category(shape);
  memset(record, 0, sizeof *record);
  if (category == XLASHAPE_CATEGORY_ARRAY) {
    record->type = xlashape_shape_element_type(shape);
    return describe_array(c, shape, record);
  }
  record->type = category == XLASHAPE_CATEGORY_BUFFER ? XLASHAPE_TYPE_BUFFER : xlashape_shape_element_type(shape);
  record->count = xlashape_shape_tuple_element_count(shape);
  return XLASHAPE_STATUS_OK;
}

// Tuples may nest deep: an explicit stack, the shape itself at its bottom.
typedef struct {
  xlashape_shape* shape;
  int64_t next;
} Level;

static xlashape_status describe_all(xg_call* c, xlashape_shape* shape, xg_record* records, int64_t* count) {
  xlashape_status status = XLASHAPE_STATUS_OK;
  int64_t depth = 0, room = 0;
  Level* stack = NULL;
  xlashape_shape* inner = xlashape_shape_retain(shape);
  while (status == XLASHAPE_STATUS_OK && (inner != NULL || depth > 0)) {
    if (inner != NULL) {  // down
      if (depth == room) {
        Level* more = realloc(stack, (size_t)(room = 2 * room + 8) * sizeof *stack);
        if (more == NULL) {
          status = xg_no_memory(c);
          break;
        }
        stack = more;
      }
      stack[depth++] = (Level){inner, 0};
      inner = NULL;
    }
    Level* level = &stack[depth - 1];
    if (level->next < xlashape_shape_tuple_element_count(level->shape)) {
      status = xlashape_shape_tuple_element(level->shape, level->next++, &inner, XG_ERR);
    } else {
      status = describe(c, level->shape, &records[(*count)++]);
      xlashape_shape_release(level->shape);
      --depth;
    }
  }
  xlashape_shape_release(inner);
  while (depth > 0) xlashape_shape_release(stack[--depth].shape);
  free(stack);
  return status;
}

xlashape_status xg_take_shape(xg_call* c, int i, xlashape_shape* shape) {
  // A buffer counts as one, and is two records.
  xg_record* records = xg_room(c, 2 * xlashape_shape_subshape_count(shape) * (int64_t)sizeof *records);
  int64_t count = 0;
  xlashape_status status;
  if (records == NULL) {
    status = xg_no_memory(c);
  } else if (xlashape_shape_tuple_element_count(shape) == 0) {
    status = describe(c, shape, &records[count++]);
  } else {
    status = describe_all(c, shape, records, &count);
  }
  xlashape_shape_release(shape);
  c->shapes[i] = (xg_shape){count, records};
  return status;
}

// == Hooks =======================================================================================================
// What Go gave is known here by its name, the hook's `opaque`. In hooks.go:

extern uintptr_t xgParallelFor(uintptr_t executor, int64_t count, uintptr_t task, uintptr_t task_opaque);
extern void xgLog(uintptr_t logger, int32_t level, uint32_t source, char* text, int64_t size);
extern void xgProgress(uintptr_t watch, int64_t done, int64_t count);
extern void xgForget(uintptr_t name);

static int32_t XLASHAPE_CALL parallel_for(void* opaque, int64_t count, void* task_opaque, xlashape_task_fn task) {
  if (cause != 0) xgForget(cause); /* of an earlier execution of the same call */
  cause = xgParallelFor((uintptr_t)opaque, count, (uintptr_t)task, (uintptr_t)task_opaque);
  return cause != 0;
}

void xg_run_task(uintptr_t task, uintptr_t opaque, int64_t index, uint32_t worker) {
  ((xlashape_task_fn)task)((void*)opaque, index, worker);
}

static void XLASHAPE_CALL write_log(void* opaque, int32_t level, uint32_t source, const char* text, int64_t size) {
  xgLog((uintptr_t)opaque, level, source, (char*)text, size);
}

static void XLASHAPE_CALL hear(void* opaque, int64_t done, int64_t count) {
  xgProgress((uintptr_t)opaque, done, count);
}

static void XLASHAPE_CALL forget(void* opaque) { xgForget((uintptr_t)opaque); }

// == Index maps, plans, runtimes =================================================================================

xlashape_status xg_convert(xg_at at, xg_handle runtime, xg_handle map, int32_t conversion, uint32_t flags,
                           int64_t index_step, int64_t dimension_step, int64_t count, int64_t* src, int64_t src_bytes,
                           int64_t* dst, int64_t dst_bytes) {
  xg_call* const c = (xg_call*)at;
  xlashape_index_options options = XLASHAPE_INIT(xlashape_index_options);
  options.flags = flags;
  options.index_step = index_step;
  options.dimension_step = dimension_step;
  xlashape_index_plan* plan = NULL;
  xlashape_status status = xlashape_index_plan_create((xlashape_runtime*)runtime, (const xlashape_index_map*)map,
                                                      conversion, &options, &plan, XG_ERR);
  if (status == XLASHAPE_STATUS_OK) {
    status = xlashape_index_plan_execute(plan, count, src, src_bytes, dst, dst_bytes, &c->number, XG_ERR);
    xlashape_index_plan_release(plan);
  }
  return failed(c, status);
}

static xlashape_status learn(xg_call* c, const xlashape_plan* plan, xg_plan_facts* facts) {
  facts->need.struct_size = sizeof facts->need;
  facts->src.struct_size = facts->dst.struct_size = sizeof facts->src;
  facts->backend = xlashape_plan_backend(plan);
  TRY(xlashape_plan_get_requirements(plan, &facts->need, XG_ERR));
  TRY(xlashape_shape_sizes(c->a, &facts->src, XG_ERR));
  return xlashape_shape_sizes(c->b, &facts->dst, XG_ERR);
}

xlashape_status xg_plan_create(xg_at at, xg_handle runtime, xlashape_relayout_options* options,
                               xlashape_measure_options* how, xg_plan_facts* facts) {
  xg_call* const c = (xg_call*)at;
  xlashape_plan* plan = NULL;
  xlashape_status status = xg_open(c);
  if (status == XLASHAPE_STATUS_OK)
    status = how == NULL
                 ? xlashape_plan_create((xlashape_runtime*)runtime, c->a, c->b, options, &plan, XG_ERR)
                 : xlashape_plan_create_measured((xlashape_runtime*)runtime, c->a, c->b, options, how, &plan, XG_ERR);
  if (status == XLASHAPE_STATUS_OK) status = learn(c, plan, facts);
  if (status != XLASHAPE_STATUS_OK) xlashape_plan_release(plan);
  c->handle = plan;
  return xg_close(c, status);
}

// Where there is no memory for an error: never freed.
static xg_failure no_memory = {{sizeof(xlashape_error), XLASHAPE_STATUS_NO_MEMORY, -1, -1, 0, 13, "out of memory"}, 0};

void xg_free_failure(xg_failure* failure) {
  if (failure != &no_memory) free(failure);
}

xg_failure* xg_execute(xg_handle plan, char* src, int64_t src_size, int64_t src_offset, char* dst, int64_t dst_size,
                       int64_t dst_offset) {
  xlashape_execute_options options = XLASHAPE_INIT(xlashape_execute_options);
  options.src = (uintptr_t)src;
  options.dst = (uintptr_t)dst;
  options.src_bytes = src_size;
  options.dst_bytes = dst_size;
  options.src_byte_offset = src_offset;
  options.dst_byte_offset = dst_offset;
  xlashape_error err;  // the library fills it where it fails
  err.struct_size = sizeof err;
  if (xlashape_plan_execute_with((const xlashape_plan*)plan, &options, &err) == XLASHAPE_STATUS_OK) return NULL;
  xg_failure* kept = malloc(sizeof *kept);
  if (kept == NULL) {
    if (cause != 0) xgForget(cause);
    kept = &no_memory;
  } else {
    *kept = (xg_failure){err, cause};
  }
  cause = 0;
  return kept;
}

xlashape_status xg_execute_list(xg_at at, int64_t count, xlashape_plan** plans, uint64_t* src, int64_t* src_bytes,
                                uint64_t* dst, int64_t* dst_bytes, int32_t* cancel, uintptr_t watch) {
  xg_call* const c = (xg_call*)at;
  xlashape_execute_options options = XLASHAPE_INIT(xlashape_execute_options);
  options.cancel = cancel;
  if (watch != 0) options.progress = hear;
  options.progress_opaque = (void*)watch;
  return failed(c, xlashape_plan_execute_list(count, plans, src, src_bytes, dst, dst_bytes, &options, XG_ERR));
}

static xlashape_status check_size(xg_call* c, const char* side, const xlashape_shape* shape, int64_t size) {
  xlashape_sizes sizes = XLASHAPE_INIT(xlashape_sizes);
  TRY(xlashape_shape_sizes(shape, &sizes, XG_ERR));
  if (sizes.bytes == size) return XLASHAPE_STATUS_OK;
  char message[128];
  snprintf(message, sizeof message, "the %s has %lld bytes, its shape takes %lld", side, (long long)size,
           (long long)sizes.bytes);
  return refuse(c, XLASHAPE_STATUS_OUT_OF_RANGE, message);
}

xlashape_status xg_relayout(xg_at at, xg_handle runtime, xlashape_relayout_options* options, char* src,
                            int64_t src_size, char* dst, int64_t dst_size) {
  xg_call* const c = (xg_call*)at;
  xlashape_status status = xg_open(c);
  if (status == XLASHAPE_STATUS_OK && options->src_byte_strides == NULL && options->src_element_strides == NULL)
    status = check_size(c, "source", c->a, src_size);
  if (status == XLASHAPE_STATUS_OK && options->dst_byte_strides == NULL && options->dst_element_strides == NULL)
    status = check_size(c, "destination", c->b, dst_size);
  if (status == XLASHAPE_STATUS_OK)
    status = xlashape_relayout((xlashape_runtime*)runtime, c->a, src, src_size, c->b, dst, dst_size, options, XG_ERR);
  return xg_close(c, status);
}

xlashape_status xg_runtime_create(xg_at at, xlashape_runtime_options* options, uint32_t workers, uintptr_t executor,
                                  uintptr_t log) {
  xg_call* const c = (xg_call*)at;
  const xlashape_executor run = {sizeof run, .max_workers = workers, .opaque = (void*)executor,
                                 .parallel_for = parallel_for, .release = forget};
  const xlashape_logger logger = {sizeof logger, .opaque = (void*)log, .log = write_log, .release = forget};
  if (executor != 0) options->executor = &run;
  if (log != 0) options->logger = &logger;
  xlashape_runtime* runtime = NULL;
  const xlashape_status status = xlashape_runtime_create(options, &runtime, XG_ERR);
  c->handle = runtime;
  return failed(c, status);
}

xlashape_status xg_calibrate(xg_at at, xlashape_runtime* runtime, int64_t budget_ns, int32_t* cancel, uintptr_t watch) {
  xg_call* const c = (xg_call*)at;
  xlashape_calibrate_options options = XLASHAPE_INIT(xlashape_calibrate_options);
  options.budget_ns = budget_ns;
  options.cancel = cancel;
  if (watch != 0) options.progress = hear;
  options.progress_opaque = (void*)watch;
  xlashape_status status = xg_open(c);
  if (status == XLASHAPE_STATUS_OK) {
    XG_LIST_OF(char, XLASHAPE_PROFILE_BYTES, xlashape_runtime_calibrate, runtime, &options)
  }
  return xg_close(c, status);
}
