/* What threads.so, the optional object that serves `threads` > 1, exports to the core. Not a public header: both are
 * built from one tree, and the version refuses any other pairing. */
#ifndef XLASHAPE_THREADS_H_
#define XLASHAPE_THREADS_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define XLASHAPE_THREADS_VERSION 1u

/* parallel_for as in xlashape_executor, with `pool` as its first argument. close waits for the pool's threads. */
typedef struct xlashape_threads {
  void* pool;
  int32_t (*parallel_for)(void* pool, int64_t count, void* task_opaque,
                          void (*task)(void* task_opaque, int64_t index, uint32_t worker));
  void (*close)(void* pool);
} xlashape_threads;

/* 0, or non-zero when the version is another one or there is no pool to be had. */
typedef int32_t (*xlashape_threads_open_function)(uint32_t version, int32_t threads, xlashape_threads* result);
#define XLASHAPE_THREADS_OPEN "xlashape_threads_open"

#ifdef __cplusplus
}
#endif
#endif /* XLASHAPE_THREADS_H_ */
