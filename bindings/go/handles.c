// Index maps, plans, runtimes: calls on handles, and the executor that runs tasks on goroutines.
#include <stdio.h>

#include "bridge.h"
#include "numbers.h"

// The error record is not cleared: the library fills it where it fails.
#define WITH_ERROR(err) \
  xlashape_error err;   \
  err.struct_size = sizeof err

static xg_number number(int64_t value, xlashape_status status, const xlashape_error* err) {
  return (xg_number){value, status == XLASHAPE_OK ? NULL : xg_failure(err)};
}

// == Executor ====================================================================================================
// The library calls parallel_for on the thread that executes. So the Go value that belongs to the call waits in a
// variable of that thread.

static _Thread_local uintptr_t current;

// In executor.go.
extern int32_t xgParallelFor(uintptr_t execution, int64_t count, uintptr_t task, uintptr_t opaque);

static int32_t parallel_for(void* opaque, int64_t count, void* task_opaque,
                            void (*task)(void* task_opaque, int64_t index, uint32_t worker)) {
  (void)opaque;
  if (current != 0) return xgParallelFor(current, count, (uintptr_t)task, (uintptr_t)task_opaque);
  for (int64_t i = 0; i < count; ++i) task(task_opaque, i, 0);
  return 0;
}

void xg_run_task(uintptr_t task, uintptr_t opaque, int64_t index, uint32_t worker) {
  ((void (*)(void*, int64_t, uint32_t))task)((void*)opaque, index, worker);
}

// == Index maps ==================================================================================================

xg_number xg_linear_index_at(uintptr_t map, int64_t* index, int64_t rank) {
  WITH_ERROR(err);
  int64_t linear = 0;
  const xlashape_status status =
      xlashape_index_map_linear_index((const xlashape_index_map*)map, index, rank, &linear, &err);
  return number(linear, status, &err);
}

xg_number xg_linear_index(uintptr_t map, xg_index index, int64_t rank) {
  return xg_linear_index_at(map, index.at, rank);
}

xg_element xg_multidimensional_index_at(uintptr_t map, int64_t linear, int64_t* index, int64_t rank) {
  WITH_ERROR(err);
  xg_element element;
  element.is_padding = 0;
  const xlashape_status status = xlashape_index_map_multidimensional_index(
      (const xlashape_index_map*)map, linear, index != NULL ? index : element.index.at, rank, &element.is_padding, &err);
  element.failure = status == XLASHAPE_OK ? NULL : xg_failure(&err);
  return element;
}

xg_element xg_multidimensional_index(uintptr_t map, int64_t linear, int64_t rank) {
  return xg_multidimensional_index_at(map, linear, NULL, rank);
}

xg_number xg_linear_indices(uintptr_t runtime, uintptr_t map, int64_t count, int64_t* index, int64_t index_step,
                            int64_t dimension_step, int64_t* linear, uint32_t flags, uintptr_t execution) {
  WITH_ERROR(err);
  int64_t bad = 0;
  current = execution;
  const xlashape_status status = xlashape_index_map_linear_indices(
      (xlashape_runtime*)runtime, (const xlashape_index_map*)map, count, index, index_step, dimension_step, linear, flags,
      &bad, &err);
  current = 0;
  return number(bad, status, &err);
}

xg_number xg_multidimensional_indices(uintptr_t runtime, uintptr_t map, int64_t count, int64_t* linear, int64_t* index,
                                      int64_t index_step, int64_t dimension_step, uint32_t flags, uintptr_t execution) {
  WITH_ERROR(err);
  int64_t bad = 0;
  current = execution;
  const xlashape_status status = xlashape_index_map_multidimensional_indices(
      (xlashape_runtime*)runtime, (const xlashape_index_map*)map, count, linear, index, index_step, dimension_step, flags,
      &bad, &err);
  current = 0;
  return number(bad, status, &err);
}

// == Plans =======================================================================================================

// What a plan is made from. The lists of the options have no length in C, so it is checked here.
typedef struct {
  xlashape_runtime* runtime;
  xlashape_shape *src, *dst;
  xlashape_relayout_options options;
} Relayout;

static xlashape_status read_side(xg_frame* f, const char* name, int64_t rank, const int64_t** list) {
  const xg_list given = xg_read_list(f);
  *list = given.data;
  if (given.data == NULL || given.size == rank) return XLASHAPE_OK;
  char message[128];
  snprintf(message, sizeof message, "%s has %lld numbers, the shape has rank %lld", name, (long long)given.size,
           (long long)rank);
  return xg_refuse(f, XLASHAPE_INVALID_ARGUMENT, message);
}

// In: runtime, source shape, destination shape, flags, fill policy, source space, destination space, five lists. `text`:
// the backend's name with a NUL, or nothing.
static xlashape_status read_relayout(xg_frame* f, const char* backend, Relayout* r) {
  r->runtime = (xlashape_runtime*)(uintptr_t)xg_read(f);
  TRY(xg_read_shape(f, &r->src));
  TRY(xg_read_shape(f, &r->dst));
  xlashape_relayout_options* o = &r->options;
  *o = (xlashape_relayout_options){sizeof *o};
  o->flags = (uint32_t)xg_read(f);
  o->fill_policy = (xlashape_fill_policy)xg_read(f);
  o->src_space = (xlashape_memory_space)xg_read(f);
  o->dst_space = (xlashape_memory_space)xg_read(f);
  o->backend = backend;
  const int64_t rank = xlashape_shape_rank(r->src);
  TRY(read_side(f, "SrcByteStrides", rank, &o->src_byte_strides));
  TRY(read_side(f, "DstByteStrides", rank, &o->dst_byte_strides));
  TRY(read_side(f, "SrcBase", rank, &o->src_base));
  TRY(read_side(f, "DstBase", rank, &o->dst_base));
  return read_side(f, "Extent", rank, &o->extent);
}

static xlashape_status write_side(xg_frame* f, const xlashape_shape* shape, const int64_t* byte_strides) {
  xlashape_sizes sizes = {sizeof sizes};
  TRY(xlashape_shape_sizes(shape, &sizes, &f->err));
  TRY(xg_write(f, byte_strides != NULL ? -1 : sizes.bytes));
  TRY(xg_write(f, xlashape_shape_element_type(shape)));
  return xg_write(f, byte_strides != NULL ? -1 : sizes.element_bits);
}

// Out: handle, requirements from src_alignment on, per side its bytes (-1: strided), element type, bits per element; the
// backend's name.
static xlashape_status plan_call(xg_frame* f, const char* backend) {
  Relayout r;
  TRY(read_relayout(f, backend, &r));
  xlashape_plan* plan = NULL;
  TRY(xlashape_plan_create(r.runtime, r.src, r.dst, &r.options, &plan, &f->err));
  xlashape_plan_requirements need = {sizeof need};
  xlashape_status status = xlashape_plan_get_requirements(plan, &need, &f->err);
  const int64_t all[] = {(int64_t)(uintptr_t)plan, need.src_alignment, need.dst_alignment, need.src_low,   need.src_high,
                         need.dst_low,             need.dst_high,      need.scratch_bytes, need.plan_bytes};
  for (size_t i = 0; i < sizeof all / sizeof *all && status == XLASHAPE_OK; ++i) status = xg_write(f, all[i]);
  if (status == XLASHAPE_OK) status = write_side(f, r.src, r.options.src_byte_strides);
  if (status == XLASHAPE_OK) status = write_side(f, r.dst, r.options.dst_byte_strides);
  if (status == XLASHAPE_OK) status = xg_write_text(f, xlashape_plan_backend(plan));
  if (status != XLASHAPE_OK) xlashape_plan_release(plan);
  return status;
}

static uint64_t address(const void* memory) { return (uint64_t)(uintptr_t)memory; }

xlashape_error* xg_execute(uintptr_t plan, char* src, int64_t src_size, int64_t src_offset, char* dst, int64_t dst_size,
                           int64_t dst_offset, uintptr_t execution) {
  xlashape_exec exec = {sizeof exec};
  exec.src = address(src);
  exec.dst = address(dst);
  exec.src_byte_size = src_size;
  exec.dst_byte_size = dst_size;
  exec.src_byte_offset = src_offset;
  exec.dst_byte_offset = dst_offset;
  return xg_execute_raw(plan, exec, execution);
}

xlashape_error* xg_execute_batch(uintptr_t plan, int64_t count, char* src, int64_t src_step, char* dst, int64_t dst_step,
                                 uintptr_t execution) {
  WITH_ERROR(err);
  current = execution;
  const xlashape_status status =
      xlashape_plan_execute_batch((const xlashape_plan*)plan, count, src, src_step, dst, dst_step, &err);
  current = 0;
  return status == XLASHAPE_OK ? NULL : xg_failure(&err);
}

xlashape_error* xg_execute_raw(uintptr_t plan, xlashape_exec exec, uintptr_t execution) {
  WITH_ERROR(err);
  current = execution;
  const xlashape_status status = xlashape_plan_execute_ex((const xlashape_plan*)plan, &exec, &err);
  current = 0;
  return status == XLASHAPE_OK ? NULL : xg_failure(&err);
}

xg_number xg_index_plan(uintptr_t runtime, uintptr_t map, int32_t conversion, xlashape_index_options options, char* backend) {
  WITH_ERROR(err);
  xlashape_plan* plan = NULL;
  options.backend = backend;
  const xlashape_status status = xlashape_index_plan_create((xlashape_runtime*)runtime, (const xlashape_index_map*)map,
                                                            conversion, &options, &plan, &err);
  return number((int64_t)(uintptr_t)plan, status, &err);
}

xg_number xg_execute_indices(uintptr_t plan, xlashape_exec exec, uintptr_t execution) {
  int64_t bad = 0;
  if (exec.queue_kind == XLASHAPE_QUEUE_NONE) exec.bad = &bad;
  xlashape_error* failure = xg_execute_raw(plan, exec, execution);
  return (xg_number){bad, failure};
}

// A slice of another size than its shape's is a mistake, even where the library could do with it.
static xlashape_status check_size(xg_frame* f, const char* side, const xlashape_shape* shape, int64_t size) {
  xlashape_sizes sizes = {sizeof sizes};
  TRY(xlashape_shape_sizes(shape, &sizes, &f->err));
  if (sizes.bytes == size) return XLASHAPE_OK;
  char message[128];
  snprintf(message, sizeof message, "the %s has %lld bytes, its shape takes %lld", side, (long long)size,
           (long long)sizes.bytes);
  return xg_refuse(f, XLASHAPE_OUT_OF_RANGE, message);
}

xlashape_error* xg_relayout(int64_t* in, char* text, size_t text_len, char* src, int64_t src_size, char* dst,
                            int64_t dst_size, uintptr_t execution) {
  xg_frame f = {.in = in};
  f.err.struct_size = sizeof f.err;
  Relayout r;
  xlashape_status status = read_relayout(&f, text_len > 0 ? text : NULL, &r);
  if (status == XLASHAPE_OK) status = check_size(&f, "source", r.src, src_size);
  if (status == XLASHAPE_OK) status = check_size(&f, "destination", r.dst, dst_size);
  if (status == XLASHAPE_OK) {
    current = execution;
    status = xlashape_relayout(r.runtime, r.src, src, src_size, r.dst, dst, dst_size, &r.options, &f.err);
    current = 0;
  }
  xg_close(&f);
  return status == XLASHAPE_OK ? NULL : xg_failure(&f.err);
}

// == Runtimes ====================================================================================================

// In logger.go.
extern void xgLog(uintptr_t name, int32_t level, uint32_t source, char* text, size_t size);

static void write_log(void* opaque, int32_t level, uint32_t source, const char* text, size_t size) {
  xgLog((uintptr_t)opaque, level, source, (char*)text, size);
}

// In: flags, threads, workers, positions to verify, the logger's name; `dirs`: folders with a NUL, or nothing.
// Workers > 0: the executor is Go's. A name > 0: so is the logger.
static xlashape_status runtime_call(xg_frame* f, const char* dirs) {
  xlashape_runtime_options options = {sizeof options};
  options.flags = (uint32_t)xg_read(f);
  options.threads = (int32_t)xg_read(f);
  options.backend_dirs = dirs;
  xlashape_executor executor = {sizeof executor, (uint32_t)xg_read(f), NULL, parallel_for};
  if (executor.max_workers > 0) options.executor = &executor;
  options.verify_positions = xg_read(f);
  const xlashape_logger logger = {sizeof logger, 0, (void*)(uintptr_t)xg_read(f), write_log};
  if (logger.opaque != NULL) options.logger = &logger;
  xlashape_runtime* runtime = NULL;
  TRY(xlashape_runtime_create(&options, &runtime, &f->err));
  return xg_write(f, (int64_t)(uintptr_t)runtime);
}

static xlashape_status backends_call(xg_frame* f, xlashape_runtime* runtime) {
  const int64_t count = xlashape_runtime_backend_count(runtime);
  TRY(xg_write(f, count));
  for (int64_t i = 0; i < count; ++i) {
    xlashape_backend_info info = {sizeof info};
    TRY(xlashape_runtime_backend_info(runtime, i, &info, &f->err));
    const int64_t all[] = {info.state, info.abi_version, info.priority, info.memory_space, info.device_count};
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) TRY(xg_write(f, all[k]));
    TRY(xg_write_text(f, info.name));
    TRY(xg_write_text(f, info.path));
    TRY(xg_write_text(f, info.detail));
  }
  return XLASHAPE_OK;
}

xlashape_status xg_handle_call(int32_t op, xg_frame* f, const char* text, size_t text_len) {
  const char* given = text_len > 0 ? text : NULL;
  if (op == XG_RUNTIME) return runtime_call(f, given);
  if (op == XG_PLAN) return plan_call(f, given);
  const uintptr_t handle = (uintptr_t)xg_read(f);
  switch (op) {
    case XG_RUNTIME_LOAD: return xlashape_runtime_load_backend((xlashape_runtime*)handle, text, text_len, &f->err);
    case XG_RUNTIME_REPORT: {
      XG_WRITE_BYTES(f, char, size_t, 1, xlashape_runtime_report, (xlashape_runtime*)handle);
      return XLASHAPE_OK;
    }
    case XG_RUNTIME_BACKENDS: return backends_call(f, (xlashape_runtime*)handle);
    case XG_PLAN_DESCRIBE: {
      XG_WRITE_BYTES(f, char, size_t, 1, xlashape_plan_describe, (const xlashape_plan*)handle);
      return XLASHAPE_OK;
    }
    default: return xg_write(f, xlashape_plan_task_count((const xlashape_plan*)handle, xg_read(f)));
  }
}

void xg_release_index_map(uintptr_t map) { xlashape_index_map_release((xlashape_index_map*)map); }
void xg_release_runtime(uintptr_t runtime) { xlashape_runtime_release((xlashape_runtime*)runtime); }
void xg_release_plan(uintptr_t plan) { xlashape_plan_release((xlashape_plan*)plan); }
