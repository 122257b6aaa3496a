// Index maps, plans, runtimes: calls on handles, and the hooks of Go.
#include <stdio.h>

#include "numbers.h"

// The error record is not cleared: the library fills it where it fails.
#define WITH_ERROR(err) \
  xlashape_error err;   \
  err.struct_size = sizeof err

// == Hooks =======================================================================================================
// What Go gave is known here by a name, the hook's `opaque`. In executor.go, logger.go, executions.go and runtime.go:

extern uintptr_t xgParallelFor(uintptr_t executor, int64_t count, uintptr_t task, uintptr_t task_opaque);
extern void xgLog(uintptr_t logger, int32_t level, uint32_t source, char* text, int64_t size);
extern void xgProgress(uintptr_t watch, int64_t done, int64_t count);
extern void xgForget(uintptr_t name);

// The name of the error that the executor gave up with. The library calls parallel_for on the thread that executes, so
// the call that then fails finds it.
static _Thread_local uintptr_t cause;

static int32_t XLASHAPE_CALL parallel_for(void* opaque, int64_t count, void* task_opaque,
                                          void(XLASHAPE_CALL* task)(void* task_opaque, int64_t index, uint32_t worker)) {
  cause = xgParallelFor((uintptr_t)opaque, count, (uintptr_t)task, (uintptr_t)task_opaque);
  return cause != 0;
}

void xg_run_task(uintptr_t task, uintptr_t opaque, int64_t index, uint32_t worker) {
  ((void(XLASHAPE_CALL*)(void*, int64_t, uint32_t))task)((void*)opaque, index, worker);
}

static void XLASHAPE_CALL write_log(void* opaque, int32_t level, uint32_t source, const char* text, int64_t size) {
  xgLog((uintptr_t)opaque, level, source, (char*)text, size);
}

static void XLASHAPE_CALL hear(void* opaque, int64_t done, int64_t count) {
  xgProgress((uintptr_t)opaque, done, count);
}

static void XLASHAPE_CALL forget(void* opaque) { xgForget((uintptr_t)opaque); }

// == Failures ====================================================================================================

// Where there is no memory for an error: never freed.
static xg_failure no_memory = {{sizeof(xlashape_error), XLASHAPE_STATUS_NO_MEMORY, -1, -1, 0, 13, "out of memory"}, 0};

xg_failure* xg_failed(const xlashape_error* err) {
  const uintptr_t why = cause;
  cause = 0;
  xg_failure* kept = malloc(sizeof *kept);
  if (kept == NULL) {
    if (why != 0) xgForget(why);
    return &no_memory;
  }
  memcpy(&kept->error, err, sizeof *err);
  kept->cause = why;
  return kept;
}

void xg_free_failure(xg_failure* failure) {
  if (failure != &no_memory) free(failure);
}

static xg_failure* failed_if(xlashape_status status, const xlashape_error* err) {
  return status == XLASHAPE_STATUS_OK ? NULL : xg_failed(err);
}

static xg_number number(int64_t value, xlashape_status status, const xlashape_error* err) {
  return (xg_number){value, failed_if(status, err)};
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
  element.failure = failed_if(status, &err);
  return element;
}

xg_element xg_multidimensional_index(uintptr_t map, int64_t linear, int64_t rank) {
  return xg_multidimensional_index_at(map, linear, NULL, rank);
}

xg_number xg_linear_indices(uintptr_t runtime, uintptr_t map, int64_t count, int64_t* index, int64_t index_step,
                            int64_t dimension_step, int64_t* linear, uint32_t flags) {
  WITH_ERROR(err);
  int64_t bad = 0;
  const xlashape_status status =
      xlashape_index_map_linear_indices((xlashape_runtime*)runtime, (const xlashape_index_map*)map, count, index,
                                        index_step, dimension_step, linear, flags, &bad, &err);
  return number(bad, status, &err);
}

xg_number xg_multidimensional_indices(uintptr_t runtime, uintptr_t map, int64_t count, int64_t* linear, int64_t* index,
                                      int64_t index_step, int64_t dimension_step, uint32_t flags) {
  WITH_ERROR(err);
  int64_t bad = 0;
  const xlashape_status status =
      xlashape_index_map_multidimensional_indices((xlashape_runtime*)runtime, (const xlashape_index_map*)map, count,
                                                  linear, index, index_step, dimension_step, flags, &bad, &err);
  return number(bad, status, &err);
}

// == Plans =======================================================================================================

static xlashape_status write_side(xg_frame* f, const xlashape_shape* shape) {
  xlashape_sizes sizes = {sizeof sizes};
  TRY(xlashape_shape_sizes(shape, &sizes, &f->err));
  TRY(xg_write(f, sizes.bytes));
  TRY(xg_write(f, xlashape_shape_element_type(shape)));
  return xg_write(f, sizes.element_bits);
}

static xlashape_status by_dimension(xg_frame* f, const char* name, const int64_t* field, int64_t rank, const int64_t** list) {
  *list = field + 2;
  if (field[1] == rank) return XLASHAPE_STATUS_OK;
  char message[128];
  snprintf(message, sizeof message, "%s has %lld values, it takes %lld", name, (long long)field[1], (long long)rank);
  return xg_refuse(f, XLASHAPE_STATUS_INVALID_ARGUMENT, message);
}

#define NAME_BYTES 256

static xlashape_status read_backend(xg_frame* f, const int64_t* field, char name[NAME_BYTES + 1]) {
  char message[128];
  if (field[1] < 1 || field[1] > NAME_BYTES) {
    snprintf(message, sizeof message, "backend has %lld bytes, it takes 1 to %d", (long long)field[1], NAME_BYTES);
    return xg_refuse(f, XLASHAPE_STATUS_INVALID_ARGUMENT, message);
  }
  for (int64_t i = 0; i < field[1]; ++i) {
    if (field[2 + i] == 0) {
      snprintf(message, sizeof message, "byte %lld of backend is 0", (long long)i);
      return xg_refuse(f, XLASHAPE_STATUS_INVALID_ARGUMENT, message);
    }
    name[i] = (char)field[2 + i];
  }
  name[field[1]] = '\0';
  return XLASHAPE_STATUS_OK;
}

// The options of a relayout as a struct, for the function that takes no list of fields.
static xlashape_status read_options(xg_frame* f, int64_t rank, xlashape_relayout_options* o, char backend[NAME_BYTES + 1]) {
  READ_LIST(fields);
  for (const int64_t *at = fields.data, *end = at + fields.size; at < end; at += 2 + at[1]) {
    switch (at[0]) {
      case XLASHAPE_PLAN_FIELD_FLAGS: o->flags = (uint32_t)at[2]; break;
      case XLASHAPE_PLAN_FIELD_FILL_POLICY: o->fill_policy = (int32_t)at[2]; break;
      case XLASHAPE_PLAN_FIELD_SRC_SPACE: o->src_space = (int32_t)at[2]; break;
      case XLASHAPE_PLAN_FIELD_DST_SPACE: o->dst_space = (int32_t)at[2]; break;
      case XLASHAPE_PLAN_FIELD_DEVICE: o->device = (int32_t)at[2]; break;
      case XLASHAPE_PLAN_FIELD_MEASURE_NS: o->measure_ns = at[2]; break;
      case XLASHAPE_PLAN_FIELD_BACKEND:
        TRY(read_backend(f, at, backend));
        o->backend = backend;
        break;
      case XLASHAPE_PLAN_FIELD_SRC_BYTE_STRIDES: TRY(by_dimension(f, "src_byte_strides", at, rank, &o->src_byte_strides)); break;
      case XLASHAPE_PLAN_FIELD_DST_BYTE_STRIDES: TRY(by_dimension(f, "dst_byte_strides", at, rank, &o->dst_byte_strides)); break;
      case XLASHAPE_PLAN_FIELD_SRC_BASE: TRY(by_dimension(f, "src_base", at, rank, &o->src_base)); break;
      case XLASHAPE_PLAN_FIELD_DST_BASE: TRY(by_dimension(f, "dst_base", at, rank, &o->dst_base)); break;
      case XLASHAPE_PLAN_FIELD_EXTENT: TRY(by_dimension(f, "extent", at, rank, &o->extent)); break;
      default: return xg_refuse(f, XLASHAPE_STATUS_INTERNAL, "no such field of a plan");
    }
  }
  return XLASHAPE_STATUS_OK;
}

static xlashape_status key_call(xg_frame* f) {
  READ_SHAPE(src);
  READ_SHAPE(dst);
  xlashape_relayout_options options = {sizeof options};
  char backend[NAME_BYTES + 1];
  TRY(read_options(f, xlashape_shape_rank(src), &options, backend));
  XG_WRITE_BYTES(f, char, 1, xlashape_plan_key, src, dst, &options);
  return XLASHAPE_STATUS_OK;
}

static xlashape_status shapes_call(xg_frame* f, const xlashape_plan* plan) {
  xlashape_shape *src = NULL, *dst = NULL;
  TRY(xlashape_plan_shapes(plan, &src, &dst, &f->err));
  const xlashape_status status = xg_write_shape(f, src);
  if (status == XLASHAPE_STATUS_OK) return xg_write_shape(f, dst);
  xlashape_shape_release(dst);
  return status;
}

// Out: handle, requirements from src_alignment on, per side its bytes, element type, bits per element; the backend's name.
static xlashape_status plan_call(xg_frame* f) {
  READ(uintptr_t, runtime);
  READ_SHAPE(src);
  READ_SHAPE(dst);
  READ_LIST(fields);
  xlashape_plan* plan = NULL;
  TRY(xlashape_plan_create_from_fields((xlashape_runtime*)runtime, src, dst, fields.data, fields.size, &plan, &f->err));
  xlashape_plan_requirements need = {sizeof need};
  xlashape_status status = xlashape_plan_get_requirements(plan, &need, &f->err);
  const int64_t all[] = {(int64_t)(uintptr_t)plan, need.src_alignment, need.dst_alignment, need.src_low,   need.src_high,
                         need.dst_low,             need.dst_high,      need.scratch_bytes, need.plan_bytes,
                         need.scratch_alignment,   need.src_preferred_alignment,
                         need.dst_preferred_alignment, need.estimated_ns, need.stack_bytes};
  for (size_t i = 0; i < sizeof all / sizeof *all && status == XLASHAPE_STATUS_OK; ++i) status = xg_write(f, all[i]);
  if (status == XLASHAPE_STATUS_OK) status = write_side(f, src);
  if (status == XLASHAPE_STATUS_OK) status = write_side(f, dst);
  if (status == XLASHAPE_STATUS_OK) status = xg_write_text(f, xlashape_plan_backend(plan));
  if (status != XLASHAPE_STATUS_OK) xlashape_plan_release(plan);
  return status;
}

static uint64_t address(const void* memory) { return (uint64_t)(uintptr_t)memory; }

xg_failure* xg_execute(uintptr_t plan, char* src, int64_t src_size, int64_t src_offset, char* dst, int64_t dst_size,
                       int64_t dst_offset) {
  xlashape_exec exec = {sizeof exec};
  exec.src = address(src);
  exec.dst = address(dst);
  exec.src_byte_size = src_size;
  exec.dst_byte_size = dst_size;
  exec.src_byte_offset = src_offset;
  exec.dst_byte_offset = dst_offset;
  return xg_execute_raw(plan, exec);
}

xg_failure* xg_execute_batch(uintptr_t plan, int64_t count, char* src, int64_t src_step, char* dst, int64_t dst_step) {
  WITH_ERROR(err);
  return failed_if(
      xlashape_plan_execute_batch((const xlashape_plan*)plan, count, src, src_step, dst, dst_step, &err), &err);
}

xg_failure* xg_execute_list(int64_t count, int64_t* in, int32_t* cancel, uintptr_t watch) {
  WITH_ERROR(err);
  xlashape_plan** plans = malloc((size_t)count * sizeof *plans);
  if (plans == NULL) return &no_memory;
  for (int64_t i = 0; i < count; ++i) plans[i] = (xlashape_plan*)(uintptr_t)in[i];
  xlashape_exec exec = {sizeof exec};
  exec.cancel = cancel;
  if (watch != 0) exec.progress = hear;
  exec.progress_opaque = (void*)watch;
  const uint64_t* addresses = (const uint64_t*)in + count;
  const xlashape_status status = xlashape_plan_execute_list(count, plans, addresses, addresses + count, &exec, &err);
  free(plans);
  return failed_if(status, &err);
}

xg_failure* xg_execute_raw(uintptr_t plan, xlashape_exec exec) {
  WITH_ERROR(err);
  return failed_if(xlashape_plan_execute_ex((const xlashape_plan*)plan, &exec, &err), &err);
}

xg_number xg_index_plan(uintptr_t runtime, uintptr_t map, int32_t conversion, xlashape_index_options options, char* backend) {
  WITH_ERROR(err);
  xlashape_plan* plan = NULL;
  options.backend = backend;
  const xlashape_status status = xlashape_index_plan_create((xlashape_runtime*)runtime, (const xlashape_index_map*)map,
                                                            conversion, &options, &plan, &err);
  return number((int64_t)(uintptr_t)plan, status, &err);
}

xg_number xg_execute_indices(uintptr_t plan, xlashape_exec exec) {
  int64_t bad = 0;
  if (exec.queue_kind == XLASHAPE_QUEUE_NONE) exec.bad = &bad;
  xg_failure* failure = xg_execute_raw(plan, exec);
  return (xg_number){bad, failure};
}

// A slice of another size than its shape's is a mistake, even where the library could do with it.
static xlashape_status check_size(xg_frame* f, const char* side, const xlashape_shape* shape, int64_t size) {
  xlashape_sizes sizes = {sizeof sizes};
  TRY(xlashape_shape_sizes(shape, &sizes, &f->err));
  if (sizes.bytes == size) return XLASHAPE_STATUS_OK;
  char message[128];
  snprintf(message, sizeof message, "the %s has %lld bytes, its shape takes %lld", side, (long long)size,
           (long long)sizes.bytes);
  return xg_refuse(f, XLASHAPE_STATUS_OUT_OF_RANGE, message);
}

static xlashape_status relayout(xg_frame* f, const char* from, int64_t src_size, char* to, int64_t dst_size) {
  READ(uintptr_t, runtime);
  READ_SHAPE(src);
  READ_SHAPE(dst);
  READ_LIST(fields);
  if (xg_read(f)) TRY(check_size(f, "source", src, src_size));
  if (xg_read(f)) TRY(check_size(f, "destination", dst, dst_size));
  return xlashape_relayout_from_fields((xlashape_runtime*)runtime, src, from, src_size, dst, to, dst_size, fields.data,
                                       fields.size, &f->err);
}

xg_failure* xg_relayout(int64_t* in, char* src, int64_t src_size, char* dst, int64_t dst_size) {
  xg_frame f = {.in = in};
  f.err.struct_size = sizeof f.err;
  const xlashape_status status = relayout(&f, src, src_size, dst, dst_size);
  xg_close(&f);
  return failed_if(status, &f.err);
}

// == Runtimes ====================================================================================================

// The next one of the texts at `*text`, each with a NUL at its end; NULL for an empty one.
static const char* next_text(const char** text) {
  const char* start = *text;
  *text += strlen(start) + 1;
  return *start != '\0' ? start : NULL;
}

// In: flags, threads, workers, the executor's name, positions to verify, the logger's name, whether there is no profile;
// `text`: folders, backend, denied backends, level of the processor, options of backends, profile. A name is 0 where there is
// no such hook, a text empty.
static xlashape_status runtime_call(xg_frame* f, const char* text) {
  xlashape_runtime_options options = {sizeof options};
  options.flags = (uint32_t)xg_read(f);
  options.threads = (int32_t)xg_read(f);
  options.backend_dirs = next_text(&text);
  options.backend = next_text(&text);
  options.denied_backends = next_text(&text);
  options.cpu = next_text(&text);
  options.backend_options = next_text(&text);
  options.profile = next_text(&text);
  READ(uint32_t, workers);
  const xlashape_executor executor = {sizeof executor, workers, (void*)(uintptr_t)xg_read(f), parallel_for, forget};
  if (executor.opaque != NULL) options.executor = &executor;
  options.verify_positions = xg_read(f);
  const xlashape_logger logger = {sizeof logger, 0, (void*)(uintptr_t)xg_read(f), write_log, forget};
  if (logger.opaque != NULL) options.logger = &logger;
  if (xg_read(f)) options.profile = "";
  xlashape_runtime* runtime = NULL;
  TRY(xlashape_runtime_create(&options, &runtime, &f->err));
  return xg_write(f, (int64_t)(uintptr_t)runtime);
}

xg_number xg_calibrate(uintptr_t runtime, int64_t budget_ns, int32_t* cancel, uintptr_t watch, char* text,
                       int64_t capacity) {
  WITH_ERROR(err);
  xlashape_calibrate_options options = {sizeof options};
  options.budget_ns = budget_ns;
  options.cancel = cancel;
  if (watch != 0) options.progress = hear;
  options.progress_opaque = (void*)watch;
  int64_t needed = 0;
  const xlashape_status status =
      xlashape_runtime_calibrate((xlashape_runtime*)runtime, &options, text, capacity, &needed, &err);
  return number(needed, status, &err);
}

static xlashape_status import_call(xg_frame* f, xlashape_runtime* runtime, const char* text, int64_t text_len) {
  int64_t taken = 0;
  TRY(xlashape_runtime_import_wisdom(runtime, text, text_len, &taken, &f->err));
  return xg_write(f, taken);
}

static xlashape_status backends_call(xg_frame* f, xlashape_runtime* runtime) {
  const int64_t count = xlashape_runtime_backend_count(runtime);
  TRY(xg_write(f, count));
  for (int64_t i = 0; i < count; ++i) {
    xlashape_backend_info info = {sizeof info};
    TRY(xlashape_runtime_backend_info(runtime, i, &info, &f->err));
    const int64_t all[] = {info.state, info.abi_version, info.priority, info.device_count, (int64_t)info.memory_spaces};
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) TRY(xg_write(f, all[k]));
    XG_WRITE_BYTES(f, char, 1, xlashape_runtime_backend_text, runtime, i, XLASHAPE_BACKEND_TEXT_NAME);
    XG_WRITE_BYTES(f, char, 1, xlashape_runtime_backend_text, runtime, i, XLASHAPE_BACKEND_TEXT_PATH);
    XG_WRITE_BYTES(f, char, 1, xlashape_runtime_backend_text, runtime, i, XLASHAPE_BACKEND_TEXT_DETAIL);
  }
  return XLASHAPE_STATUS_OK;
}

xlashape_status xg_handle_call(int32_t op, xg_frame* f, const char* text, int64_t text_len) {
  if (op == XG_RUNTIME) return runtime_call(f, text);
  if (op == XG_PLAN) return plan_call(f);
  if (op == XG_PLAN_KEY) return key_call(f);
  const uintptr_t handle = (uintptr_t)xg_read(f);
  switch (op) {
    case XG_RUNTIME_LOAD: return xlashape_runtime_load_backend((xlashape_runtime*)handle, text, text_len, &f->err);
    case XG_RUNTIME_REPORT: {
      XG_WRITE_BYTES(f, char, 1, xlashape_runtime_report, (xlashape_runtime*)handle);
      return XLASHAPE_STATUS_OK;
    }
    case XG_RUNTIME_BACKENDS: return backends_call(f, (xlashape_runtime*)handle);
    case XG_RUNTIME_DEVICE: {
      READ(int64_t, backend);
      READ(int32_t, device);
      XG_WRITE_BYTES(f, char, 1, xlashape_runtime_device_text, (xlashape_runtime*)handle, backend, device);
      return XLASHAPE_STATUS_OK;
    }
    case XG_RUNTIME_PROFILE_PATH: {
      XG_WRITE_BYTES(f, char, 1, xlashape_runtime_profile_path, (xlashape_runtime*)handle);
      return XLASHAPE_STATUS_OK;
    }
    case XG_RUNTIME_WISDOM: {
      XG_WRITE_BYTES(f, char, 1, xlashape_runtime_export_wisdom, (xlashape_runtime*)handle);
      return XLASHAPE_STATUS_OK;
    }
    case XG_RUNTIME_IMPORT: return import_call(f, (xlashape_runtime*)handle, text, text_len);
    case XG_RUNTIME_FORGET: {
      xlashape_runtime_forget_wisdom((xlashape_runtime*)handle);
      return XLASHAPE_STATUS_OK;
    }
    case XG_PLAN_DESCRIBE: {
      XG_WRITE_BYTES(f, char, 1, xlashape_plan_describe, (const xlashape_plan*)handle);
      return XLASHAPE_STATUS_OK;
    }
    case XG_PLAN_PREDICT: {
      int64_t ns;
      TRY(xlashape_plan_predict((const xlashape_plan*)handle, &ns, &f->err));
      return xg_write(f, ns);
    }
    case XG_PLAN_SHAPES: return shapes_call(f, (const xlashape_plan*)handle);
    default: return xg_write(f, xlashape_plan_task_count((const xlashape_plan*)handle, xg_read(f)));
  }
}

void xg_release_index_map(uintptr_t map) { xlashape_index_map_release((xlashape_index_map*)map); }
void xg_release_runtime(uintptr_t runtime) { xlashape_runtime_release((xlashape_runtime*)runtime); }
void xg_release_plan(uintptr_t plan) { xlashape_plan_release((xlashape_plan*)plan); }
