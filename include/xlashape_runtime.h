/* SPDX-License-Identifier: Apache-2.0 */
/* xlashape: runtimes, and running with more than the short calls of xlashape.h say: backends, threads, memory of
 * devices, queues, many relayouts at once, progress, measuring. The rules of xlashape.h hold. */
#ifndef XLASHAPE_RUNTIME_H_
#define XLASHAPE_RUNTIME_H_

#include "xlashape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* == Runtimes and backends ========================================================================================= *
 * A runtime holds the backends, and the hooks of the program that embeds the library. NULL stands for a default one,
 * which is made when first needed unless xlashape_runtime_set_default was called. Hooks never change after creation. */

/* Releases what a hook or a backend was given as its `opaque`. */
typedef void(XLASHAPE_CALL* xlashape_release_fn)(void* opaque);

/* The hooks of the program that embeds the library. The `release` of each, where given, is called once with its
 * `opaque`: when the runtime and everything that keeps it alive (plans) are gone, as the last call of that hook, on
 * the thread that released the last of them. Where xlashape_runtime_create fails it is not called.
 *
 * parallel_for calls task(task_opaque, i, worker) exactly once for each i in [0, count), worker < max_workers, and
 * returns when all are done: 0, or non-zero when it gave up (CANCELLED). Where it returns earlier, the core waits for
 * the tasks that are running, and those that are started later do nothing (CANCELLED). Called by the core only, on the
 * thread that executes, never nested. */
typedef void(XLASHAPE_CALL* xlashape_task_fn)(void* task_opaque, int64_t index, uint32_t worker);
typedef struct xlashape_executor {
  uint32_t struct_size;
  uint32_t max_workers;
  void* opaque;
  int32_t(XLASHAPE_CALL* parallel_for)(void* opaque, int64_t count, void* task_opaque, xlashape_task_fn task);
  xlashape_release_fn release; /* nullable; not called for an executor of one execution */
} xlashape_executor;

/* For plans, scratch and backends; shapes, layouts and index maps use malloc. Thread-safe; NULL when out of memory. */
typedef struct xlashape_allocator {
  uint32_t struct_size;
  uint32_t reserved;
  void* opaque;
  void*(XLASHAPE_CALL* alloc)(void* opaque, size_t size, size_t alignment);
  void(XLASHAPE_CALL* free)(void* opaque, void* pointer, size_t size, size_t alignment);
  xlashape_release_fn release; /* nullable */
} xlashape_allocator;

#define XLASHAPE_LOG_ERROR 1   /* something failed */
#define XLASHAPE_LOG_WARNING 2 /* something is not as it should be */
#define XLASHAPE_LOG_INFO 3    /* good to know */
#define XLASHAPE_LOG_DEBUG 4   /* for debugging */
/* Receives one printable line of UTF-8 per call, on any thread that uses the runtime, possibly on several at once; it
 * may call the library. Lines that a backend writes while it is opened arrive before the opening has ended: in those
 * calls the logger must not wait for another thread that plans with this runtime. */
typedef struct xlashape_logger {
  uint32_t struct_size;
  uint32_t reserved;
  void* opaque;
  void(XLASHAPE_CALL* log)(void* opaque, int32_t level, uint32_t source, const char* text, int64_t text_len);
  xlashape_release_fn release; /* nullable */
} xlashape_logger;

#define XLASHAPE_RUNTIME_NO_ENVIRONMENT (1u << 0) /* read no environment variable */
#define XLASHAPE_RUNTIME_NO_LIBRARY_DIR (1u << 1) /* do not look beside the library */
#define XLASHAPE_RUNTIME_NO_INSTALL_DIR (1u << 2) /* do not look in the folder chosen at build time */
#define XLASHAPE_RUNTIME_LOAD_NOW (1u << 3)       /* load all backends at once, for example before a sandbox closes, and
                                                     not when a plan needs them; NO_MEMORY where descriptors or memory
                                                     are short */

/* Lists are texts with the separators of the environment variables of the same meaning, and nothing escapes one: a
 * folder with such a character in its name goes to xlashape_runtime_load_backend. */
typedef struct xlashape_runtime_options {
  uint32_t struct_size;
  uint32_t flags;
  const char* backend_dirs; /* folders to look in first, ':' between them (Windows: ';'); NULL: none. Relative ones
                               start from the working directory at this call */
  const xlashape_executor* executor;
  const xlashape_allocator* allocator;
  const xlashape_logger* logger;
  int32_t threads; /* 1: the calling thread; more, up to 4096, or XLASHAPE_THREADS_ALL: a pool that the library starts,
                      see below; 0: as XLASHAPE_THREADS says, else 1 */
  int32_t reserved;
  int64_t verify_count; /* places checked after each execution, see below; 0: as XLASHAPE_VERIFY says, else none */
  const char* backend;         /* for plans whose options name none, as in XLASHAPE_BACKEND, which it overrides:
                                  "simd" is required, "simd,*" lets others stand in; NULL: as the environment says */
  const char* denied_backends; /* names, ',' between them: never used, not even by name; NULL: none */
  const char* cpu;             /* processor features above this level are not used, as in XLASHAPE_CPU, which it
                                  overrides; NULL: as the environment says */
  const char* backend_options; /* "NAME.KEY=VALUE", ';' between them, for the backend of that name; each overrides its
                                  value in XLASHAPE_BACKEND_OPTIONS. docs/environment.md lists them. NULL: none */
  const char* profile;         /* what xlashape_runtime_calibrate wrote about this processor; one of another processor
                                  is not used, and the report says so. "": none; NULL: the file that XLASHAPE_PROFILE
                                  names, or the user's, where there is one: docs/tuning.md */
} xlashape_runtime_options;

/* `threads`: the number of workers, including the executing thread. xlashape_runtime_create starts the others; they
 * block signals and end with the runtime. Where the system starts no more threads, or there are eight for each
 * processor, the pool has fewer workers, if need be only the executing thread: that is not a failure, and a WARNING
 * says how many and why. So does the report, always. Other numbers: INVALID_ARGUMENT. docs/threads.md. Since 0.1. */
#define XLASHAPE_THREADS_ALL (-1) /* as many as there are processors that the calling thread may use (affinity), but
                                     no more than its control groups' quota allows, rounded up */

/* Verification, for services that must detect faulty memory or a faulty backend. After each execution of a plan of the
 * runtime, and of an index plan, `verify_count` places (of an index plan: entries) are compared with what the index
 * maps of both shapes say. Places are drawn anew each time, one from each of that many equal parts of the array; an
 * array with fewer is checked completely. Elements are compared bit by bit, and, under FILL_PADDING, padding: half of
 * the places are then drawn from everything stored. The first one that differs ends the call with INTERNAL: the
 * message names backend, place, both values, shapes and plan, err->source the backend, err->offset the destination's
 * byte, and err->index the entry of a batch; the logger receives the same message. The destination is as the backend
 * left it. Verification runs on the calling thread, allocates nothing, and reads the source once more: it must not
 * change until the call returns. What it costs is in docs/performance.md; without it executions cost nothing more. Not
 * checked: memory of spaces other than the CPU's, executions of some of the tasks only (task_begin, task_end), and the
 * elements of an identity that runs onto itself. Negative: INVALID_ARGUMENT. Since 0.1. */

/* options NULL: the defaults. */
XLASHAPE_API xlashape_status xlashape_runtime_create(const xlashape_runtime_options* options XLASHAPE_NULLABLE,
                                                     xlashape_runtime** runtime, xlashape_error* err);
/* Makes `runtime` the default one, for the rest of the process, which keeps a reference to it. Once only, and before
 * the first call that is given no runtime: BUSY where there is a default one; of several threads one succeeds. For the
 * program itself, and not for libraries in it. */
XLASHAPE_API xlashape_status xlashape_runtime_set_default(xlashape_runtime* runtime, xlashape_error* err);
XLASHAPE_API xlashape_runtime* xlashape_runtime_retain(xlashape_runtime* runtime XLASHAPE_NULLABLE);
XLASHAPE_API void xlashape_runtime_release(xlashape_runtime* runtime XLASHAPE_NULLABLE);
/* Loads the backend in the shared object (or manifest) at `path`. It is never unloaded. Loading the same file again is
 * not an error; another file whose backend name is in use is INVALID_ARGUMENT. A runtime holds at most 64 backends, the
 * built-in one and those found included: one more is UNSUPPORTED. No file is refused for its permissions: the caller is
 * responsible for the path. */
XLASHAPE_API xlashape_status xlashape_runtime_load_backend(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                                           const char* path XLASHAPE_LEN(path_len), int64_t path_len,
                                                           xlashape_error* err);
/* Adds a backend that is linked into the program: `open` as in xlashape_backend.h. The backend finds `user` in its host
 * table; `release`, where given, is called with it when the runtime is gone, as the backend's last call; where
 * xlashape_runtime_add_backend fails it is not called. `priority` as in a manifest: usually 0; of backends that do an
 * operation equally well, the one with the larger priority is used. */
struct xlashape_host;
struct xlashape_backend;
typedef xlashape_status(XLASHAPE_CALL* xlashape_backend_open_fn)(const struct xlashape_host* host,
                                                                 struct xlashape_backend* backend,
                                                                 xlashape_error* err);
XLASHAPE_API xlashape_status xlashape_runtime_add_backend(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                                          const char* name XLASHAPE_LEN(name_len), int64_t name_len,
                                                          xlashape_backend_open_fn open, void* user XLASHAPE_NULLABLE,
                                                          xlashape_release_fn release XLASHAPE_NULLABLE,
                                                          int32_t priority, xlashape_error* err);
/* Every place searched, what was there, and why it is or is not in use: one line each. */
XLASHAPE_API xlashape_status xlashape_runtime_report(xlashape_runtime* runtime XLASHAPE_NULLABLE,
                                                     char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                     int64_t capacity, int64_t* needed, xlashape_error* err);
/* The backends found, ready or not, ordinals 0 to count-1. */
XLASHAPE_API int64_t xlashape_runtime_backend_count(xlashape_runtime* runtime XLASHAPE_NULLABLE);

typedef struct xlashape_backend_info {
  uint32_t struct_size;
  int32_t state;        /* XLASHAPE_BACKEND_STATE_* */
  uint32_t abi_version; /* version of the plugin ABI that it uses; 0 unless ready */
  int32_t priority;     /* in selection */
  int32_t device_count; /* devices that it sees; 0 for a backend for the CPU only; -1 not known yet */
  int32_t reserved;
  uint64_t memory_spaces; /* the spaces it works in, XLASHAPE_SPACE_BIT of each; 0 unless ready */
} xlashape_backend_info;
#define XLASHAPE_BACKEND_STATE_NOT_LOADED 0 /* nothing has needed it yet; or descriptors or memory were short, and later
                                               plans try again */
#define XLASHAPE_BACKEND_STATE_LOADING 1 /* another thread loads it */
#define XLASHAPE_BACKEND_STATE_READY 2   /* in use */
#define XLASHAPE_BACKEND_STATE_FAILED 3  /* cannot be used: its text DETAIL says why */
XLASHAPE_API xlashape_status xlashape_runtime_backend_info(xlashape_runtime* runtime XLASHAPE_NULLABLE, int64_t ordinal,
                                                           xlashape_backend_info* info XLASHAPE_INOUT,
                                                           xlashape_error* err);

#define XLASHAPE_BACKEND_TEXT_NAME 1
#define XLASHAPE_BACKEND_TEXT_PATH 2   /* of its shared object, or of its manifest; "" for one linked in, or left out */
#define XLASHAPE_BACKEND_TEXT_DETAIL 3 /* build and targets when ready; stage and reason when failed */
/* One of those texts about a backend. */
XLASHAPE_API xlashape_status xlashape_runtime_backend_text(xlashape_runtime* runtime XLASHAPE_NULLABLE, int64_t ordinal,
                                                           int32_t which,
                                                           char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                           int64_t capacity, int64_t* needed, xlashape_error* err);

/* One line about a device of a backend: name, capability. `device` as in xlashape_relayout_options. OUT_OF_RANGE where
 * the backend has no such device. */
XLASHAPE_API xlashape_status xlashape_runtime_device_text(xlashape_runtime* runtime XLASHAPE_NULLABLE, int64_t ordinal,
                                                          int32_t device,
                                                          char* text XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                          int64_t capacity, int64_t* needed, xlashape_error* err);

/* == Queues and memory of devices ================================================================================== *
 * For programs that have no memory manager. The backend that lists the space does the work, of several the one with the
 * highest priority; NOT_FOUND where there is none, UNSUPPORTED where it has no such function. The CPU's memory is the
 * caller's: these functions do not manage it. `device` as in xlashape_relayout_options.
 *     xlashape_memory_alloc(NULL, 0, XLASHAPE_SPACE_CUDA, bytes, &address, &err);                                    */

#define XLASHAPE_QUEUE_NONE 0   /* no queue: the call waits */
#define XLASHAPE_QUEUE_CUDA 1   /* handle: a CUstream, 0 the legacy default stream */
#define XLASHAPE_QUEUE_OPENCL 2 /* handle: a cl_command_queue */
/* 32 and above: free for backends for other devices; as for memory spaces, the backend in use says what they mean. */

/* A queue of a device: with one a call only enqueues. NULL is as XLASHAPE_QUEUE_NONE. Never grows. */
typedef struct xlashape_queue {
  int32_t kind; /* XLASHAPE_QUEUE_* */
  int32_t reserved;
  uint64_t handle;
} xlashape_queue;

/* Gives the address, or handle, of at least `bytes` bytes, which must be freed before the runtime is released. */
XLASHAPE_API xlashape_status xlashape_memory_alloc(xlashape_runtime* runtime XLASHAPE_NULLABLE, int32_t device,
                                                   xlashape_memory_space space, int64_t bytes, uint64_t* address,
                                                   xlashape_error* err);
/* An address of 0 is not an error. Everything that uses the memory must have ended. */
XLASHAPE_API xlashape_status xlashape_memory_free(xlashape_runtime* runtime XLASHAPE_NULLABLE, int32_t device,
                                                  uint64_t address, xlashape_memory_space space, xlashape_error* err);
/* Copies between two places, at most one of which is the CPU's. */
XLASHAPE_API xlashape_status xlashape_memory_copy(xlashape_runtime* runtime XLASHAPE_NULLABLE, int32_t device,
                                                  uint64_t src, xlashape_memory_space src_space, uint64_t dst,
                                                  xlashape_memory_space dst_space, int64_t bytes,
                                                  const xlashape_queue* queue XLASHAPE_NULLABLE, xlashape_error* err);
/* Sets all bytes to `byte`, 0 to 255. */
XLASHAPE_API xlashape_status xlashape_memory_fill(xlashape_runtime* runtime XLASHAPE_NULLABLE, int32_t device,
                                                  uint64_t dst, xlashape_memory_space space, int32_t byte,
                                                  int64_t bytes, const xlashape_queue* queue XLASHAPE_NULLABLE,
                                                  xlashape_error* err);
/* Whatever is enqueued from now on waits for the event, a CUevent or cl_event that xlashape_queue_signal_event or the
 * program made; the call itself does not wait. So one queue's work can follow another's without a thread that waits.
 * The calls for events need a queue. */
XLASHAPE_API xlashape_status xlashape_queue_wait_event(xlashape_runtime* runtime XLASHAPE_NULLABLE, int32_t device,
                                                 xlashape_memory_space space, const xlashape_queue* queue,
                                                 uint64_t event, xlashape_error* err);
/* Signals an event when everything that was enqueued before has ended. CUDA: `*event` is the caller's CUevent. OpenCL:
 * it gets a cl_event, of which the caller owns one reference. */
XLASHAPE_API xlashape_status xlashape_queue_signal_event(xlashape_runtime* runtime XLASHAPE_NULLABLE, int32_t device,
                                                   xlashape_memory_space space, const xlashape_queue* queue,
                                                   uint64_t* event XLASHAPE_INOUT, xlashape_error* err);
/* Waits until everything that was enqueued has ended. */
XLASHAPE_API xlashape_status xlashape_queue_sync(xlashape_runtime* runtime XLASHAPE_NULLABLE, int32_t device,
                                                 xlashape_memory_space space,
                                                 const xlashape_queue* queue XLASHAPE_NULLABLE, xlashape_error* err);

/* == Execution ===================================================================================================== *
 * What one execution may be given besides its bytes; the short form is xlashape_plan_execute.
 *     xlashape_execute_options options = XLASHAPE_INIT(xlashape_execute_options);
 *     options.src = (uint64_t)(uintptr_t)src, options.src_bytes = src_bytes, options.progress = on_progress;
 *     xlashape_plan_execute_with(plan, &options, &err);                                                              */

/* Called after each task of an execution, on the thread that ran it: `done` of `count` tasks have ended. It may run on
 * several threads at once, each with a different `done`. */
typedef void(XLASHAPE_CALL* xlashape_progress_fn)(void* opaque, int64_t done, int64_t count);

typedef struct xlashape_execute_options {
  uint32_t struct_size;
  uint32_t flags;
  xlashape_queue queue;
  uint64_t src; /* an address, (uint64_t)(uintptr_t)pointer, or a cl_mem */
  uint64_t dst;
  /* Of linear index 0 (strided: of index 0...0), from src and dst; negative where a buffer begins behind it and holds
   * only what is touched. */
  int64_t src_byte_offset;
  int64_t dst_byte_offset;
  int64_t src_bytes; /* from src on that may be touched, or XLASHAPE_UNCHECKED */
  int64_t dst_bytes;
  /* Run tasks [task_begin, task_end) of task_count on the calling thread; task_count 0: all, on the executor. */
  int64_t task_begin;
  int64_t task_end;
  int64_t task_count;
  /* Instead of the runtime's; NULL: the runtime's. */
  const xlashape_executor* executor;
  /* Working memory for this execution alone, in the destination's space: as large and aligned as the plan's
   * requirements say, or more. 0: the backend provides it where its plan needs any. */
  uint64_t scratch;
  int64_t scratch_bytes;
  /* Nullable, without a queue: read before each task, with acquire semantics; once it is not 0 no further task begins,
   * and the call is CANCELLED. Any thread may set it, by an atomic store of 32 bits to a variable whose address is
   * given here: a std::atomic<int32_t> of C++, an _Atomic int32_t of C11 (atomic_store), an int32_t of C99 by
   * __atomic_store_n (GCC, Clang), a LONG by InterlockedExchange (Windows). If the caller selects more than 4096
   * tasks, several are one here and for `progress`. */
  const int32_t* cancel;
  xlashape_progress_fn progress; /* nullable, without a queue. With `cancel` or `progress` an execution on the CPU is
                                    cut into tasks of about 1 MiB also where one thread runs them all */
  void* progress_opaque;
} xlashape_execute_options;
/* xlashape_plan_execute with options: in any memory, on a queue, some of the tasks, with an executor, ... */
XLASHAPE_API xlashape_status xlashape_plan_execute_with(const xlashape_plan* plan,
                                                        const xlashape_execute_options* options, xlashape_error* err);
/* xlashape_index_plan_execute with options, whose `src` and `dst` are addresses of arrays of int64_t. With a queue the
 * call only enqueues and reports nothing about the indices: the plan must have MARK_INVALID and `invalid_count` be
 * NULL, else UNSUPPORTED. */
XLASHAPE_API xlashape_status xlashape_index_plan_execute_with(const xlashape_index_plan* plan, int64_t count,
                                                              const xlashape_execute_options* options,
                                                              int64_t* invalid_count XLASHAPE_NULLABLE,
                                                              xlashape_error* err);
/* Many relayouts in one call: plan i moves from src[i] to dst[i], addresses as in xlashape_execute_options, of
 * src_bytes[i] and dst_bytes[i] bytes; where those are NULL all are XLASHAPE_UNCHECKED. On the CPU their tasks are
 * spread over the executor together, so that many small ones keep all workers busy; those of devices run, or are
 * enqueued, one after the other. Each must be valid by itself; destinations must not overlap each other, but for boxes
 * that do not overlap, or another one's source, which is not checked. `options` (nullable): queue, executor, cancel
 * and progress for all; progress counts the tasks of all plans, or, with a device among them, of each plan by itself.
 * Its other fields must be 0. err->index tells which one failed, and is -1 if the call was CANCELLED; the others may
 * have run or not. */
XLASHAPE_API xlashape_status xlashape_plan_execute_list(
    int64_t count, xlashape_plan* const* plans XLASHAPE_LEN(count), const uint64_t* src XLASHAPE_LEN(count),
    const int64_t* src_bytes XLASHAPE_LEN(count) XLASHAPE_NULLABLE, const uint64_t* dst XLASHAPE_LEN(count),
    const int64_t* dst_bytes XLASHAPE_LEN(count) XLASHAPE_NULLABLE,
    const xlashape_execute_options* options XLASHAPE_NULLABLE, xlashape_error* err);
/* The number of independent tasks into which the plan divides its work for that many workers: at least 1; 0 where
 * `plan` is NULL. Tasks write disjoint bytes. */
XLASHAPE_API int64_t xlashape_plan_task_count(const xlashape_plan* plan, int64_t workers);

/* == Arrays larger than memory ===================================================================================== *
 * A *window* is what of an array's storage belongs to a box: an array of its own, with the same order and tiles, whose
 * bytes lie there in runs. A relayout between the windows of one box on both sides, each in a buffer that holds its
 * runs one after the other, moves that part of the array, with all that holds for whole arrays. *Slabs* are boxes of
 * one extent that cover the array and fit into so much memory; a dimension's last one may be smaller. docs/large.md
 *     xlashape_relayout_slabs(from, to, 256 << 20, extent, rank, &needed, &slabs, &err);
 *     for (int64_t i = 0; i < slabs.count; ++i) {
 *       xlashape_box_index_at(zeros, dimensions, extent, order_of_to, rank, i, base, rank, &needed, &err);
 *       // box: extent, or what the dimension has left
 *       xlashape_shape_window(from, base, box, rank, &in, &err);
 *       xlashape_shape_window(to, base, box, rank, &out, &err);
 *       // read the runs of in, relayout from in.shape to out.shape, write those of out
 *     }
 * A part of a tile is no window. Between whole arrays plans with a box move it, also where a buffer has only the bytes
 * from `low` on of the plan's requirements: by src_byte_offset, -low.                                                */

typedef struct xlashape_window {
  uint32_t struct_size;
  uint32_t reserved;
  xlashape_shape* shape; /* what lies there, with a reference for the caller, to be given back with
                            xlashape_shape_release; static, without alignment of the tail */
  int64_t byte_offset;   /* of its first byte in the array's storage */
  int64_t bytes;         /* run_bytes * run_count, what its own storage takes */
  int64_t run_bytes;     /* that lie together */
  int64_t run_count;     /* 1: the window is contiguous; 0: it has no bytes */
} xlashape_window;
/* The window of `extent` elements from `base` on (NULL: 0...0). UNSUPPORTED where it would cut a tile or a byte: see
 * xlashape_shape_window_granularity. OUT_OF_RANGE where the array has fewer. An array or a buffer of one. Since 0.1. */
XLASHAPE_API xlashape_status xlashape_shape_window(const xlashape_shape* shape,
                                                   const int64_t* base XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                   const int64_t* extent XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                   int64_t rank, xlashape_window* window XLASHAPE_INOUT,
                                                   xlashape_error* err);
/* Where `count` runs of that window begin in the array's storage, in bytes, those from number `first` on, in the order
 * in which the window's own storage has them. OUT_OF_RANGE where there are fewer. Since 0.1. */
XLASHAPE_API xlashape_status xlashape_shape_window_runs(const xlashape_shape* shape,
                                                        const int64_t* base XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                        const int64_t* extent XLASHAPE_LEN(rank) XLASHAPE_NULLABLE,
                                                        int64_t rank, int64_t first, int64_t count,
                                                        int64_t* byte_offsets XLASHAPE_LEN(count) XLASHAPE_NULLABLE,
                                                        xlashape_error* err);
/* For each dimension d the number at whose multiples windows may begin and end (and at the dimension's end): tiles and
 * bytes stay whole. The whole dimension where there is no such place. Since 0.1. */
XLASHAPE_API xlashape_status xlashape_shape_window_granularity(const xlashape_shape* shape,
                                                               int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                               int64_t capacity, int64_t* needed, xlashape_error* err);

/* What a choice of slabs costs. */
typedef struct xlashape_slabs {
  uint32_t struct_size;
  uint32_t reserved;
  int64_t count;     /* of slabs; each element is in one */
  int64_t src_bytes; /* of the largest one's window of the source */
  int64_t dst_bytes;
  int64_t src_runs; /* to be read for all slabs, at most: those at an end may have fewer */
  int64_t dst_runs; /* to be written */
} xlashape_slabs;
/* Chooses slabs that are windows of both sides, of at most `max_bytes` bytes for both together, so that all of them are
 * read and written in few runs; `out` gets their extent, `slabs` (nullable) what that costs. An array without elements
 * is one slab. OUT_OF_RANGE where the smallest ones take more: the message says how much. Both sides have the same
 * dimensions; element types may differ, for a plan that converts. Since 0.1. */
XLASHAPE_API xlashape_status xlashape_relayout_slabs(const xlashape_shape* src_shape, const xlashape_shape* dst_shape,
                                                     int64_t max_bytes,
                                                     int64_t* out XLASHAPE_LEN(capacity) XLASHAPE_NULLABLE,
                                                     int64_t capacity, int64_t* needed,
                                                     xlashape_slabs* slabs XLASHAPE_NULLABLE XLASHAPE_INOUT,
                                                     xlashape_error* err);

/* == Measuring ===================================================================================================== *
 * What is fastest depends on the machine. A *profile* says what a processor is like: measured once, and used by each
 * runtime that is made afterwards. *Wisdom* says which way to run a plan was the fastest: it comes from plans that were
 * measured, and stays in their runtime. Both are texts that can be stored. Neither changes a result. docs/tuning.md
 *     xlashape_runtime_calibrate(NULL, NULL, text, XLASHAPE_PROFILE_BYTES, &needed, &err);                           */

#define XLASHAPE_PROFILE_BYTES (64 * 1024) /* that every profile fits into, with its NUL */

/* Zero or NULL: the default. */
typedef struct xlashape_calibrate_options {
  uint32_t struct_size;
  uint32_t flags;
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

/* How long one execution takes, in nanoseconds, on the workers of the plan's runtime: 1 or more. Predicted from the
 * profile that the runtime has (xlashape_runtime_calibrate; options.profile), for arrays that were moved before.
 * Measures nothing, may be called from any thread, and is always the same for the same plan. UNSUPPORTED, and *ns is
 * 0, where there is no prediction: no profile, one without speeds, or a plan whose backend does not predict; the
 * message says which. */
XLASHAPE_API xlashape_status xlashape_plan_predict(const xlashape_plan* plan, int64_t* ns, xlashape_error* err);

/* Zero or NULL: the default. */
typedef struct xlashape_measure_options {
  uint32_t struct_size;
  uint32_t flags;
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

#ifdef __cplusplus
}
#endif
#endif /* XLASHAPE_RUNTIME_H_ */
