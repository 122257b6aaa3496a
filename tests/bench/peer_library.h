/* SPDX-License-Identifier: Apache-2.0 */
/* What `bench --peer-library FILE` takes: another library as a peer, in a shared object of yours.
 *
 * The object exports one function, `bench_peer_library`. The bench asks it for one or more transpositions of a case,
 * runs them one after the other, and checks what they wrote before it measures them. It calls all functions from one
 * thread.
 */
#ifndef XLASHAPE_TESTS_BENCH_PEER_LIBRARY_H
#define XLASHAPE_TESTS_BENCH_PEER_LIBRARY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows with each change of these structs. */
#define BENCH_PEER_LIBRARY_VERSION 1

/* For each index within the extents, the element at src + sum(index[i] * src_strides[i]) goes to
 * dst + sum(index[i] * dst_strides[i]). Elements are bytes to be moved. No two of them overlap. */
typedef struct bench_transposition {
  int64_t element_bytes;      /* 1, 2, 4, 8 or 16; addresses and strides are multiples of it */
  int64_t rank;               /* 1 or more */
  const int64_t* extents;     /* 1 or more each */
  const int64_t* src_strides; /* in bytes, positive, in any order */
  const int64_t* dst_strides; /* in bytes, positive, falling */
  int32_t threads;            /* what a run may use, the caller's thread included */
} bench_transposition;

typedef struct bench_peer {
  int32_t version;  /* BENCH_PEER_LIBRARY_VERSION */
  const char* name; /* at the head of its column: letters, digits and '_', at most 32 */
  /* Whether the library can express it: 1, else 0. */
  int32_t (*can)(const bench_transposition* what);
  /* What is known before the arrays are. NULL: it failed. `what` lives until this returns. Not measured. */
  void* (*plan)(const bench_transposition* what);
  /* Moves all elements. 0: done. What is measured. */
  int32_t (*run)(void* plan, const void* src, void* dst);
  /* Releases a plan. */
  void (*release)(void* plan);
} bench_peer;

/* The object's peer, which lives as long as the object. NULL: this machine lacks something that it needs. */
const bench_peer* bench_peer_library(void);

#ifdef __cplusplus
}
#endif
#endif
