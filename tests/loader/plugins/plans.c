/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins that go wrong where they are asked for an operation, or make a plan of it. */
#define _DEFAULT_SOURCE
#include <unistd.h>

#include "plugin.h"

static const xlashape_host* the_host;

/* A plugin whose answer to what it supports is the function that follows. */
#define SUPPORTS(name)                                                                                 \
  static xlashape_status name##_supports(void* self, const xlashape_op* op, xlashape_support* support, \
                                         xlashape_error* err);                                         \
  ENTRY(name) {                                                                                        \
    const xlashape_status status = open_as(#name, host, backend, err);                                 \
    backend->supports = name##_supports;                                                               \
    return status;                                                                                     \
  }                                                                                                    \
  static xlashape_status name##_supports(void* self, const xlashape_op* op, xlashape_support* support, \
                                         xlashape_error* err)

/* A plugin whose plans take so many bytes and are made by the function that follows; `more` changes its other slots. */
#define MAKES_PLANS(name, plan_bytes, plan_align, more)                                                      \
  static xlashape_status name##_size(void* self, const xlashape_op* op, int64_t* bytes, int64_t* align,      \
                                     xlashape_error* err) {                                                  \
    (void)self, (void)op, (void)err;                                                                         \
    *bytes = (int64_t)(plan_bytes);                                                                          \
    *align = (int64_t)(plan_align);                                                                          \
    return XLASHAPE_STATUS_OK;                                                                               \
  }                                                                                                          \
  static xlashape_status name##_init(void* self, const xlashape_op* op, void* storage, xlashape_error* err); \
  ENTRY(name) {                                                                                              \
    const xlashape_status status = open_as(#name, host, backend, err);                                       \
    the_host = host;                                                                                         \
    backend->plan_size = name##_size;                                                                        \
    backend->plan_init = name##_init;                                                                        \
    more;                                                                                                    \
    return status;                                                                                           \
  }                                                                                                          \
  static xlashape_status name##_init(void* self, const xlashape_op* op, void* storage, xlashape_error* err)

/* Wants more scratch memory than there is. */
SUPPORTS(absurd_scratch) {
  support->scratch_bytes = INT64_MAX;
  return supports(self, op, support, err);
}

/* Takes for a batch of indices what it does not know: whatever is no relayout, of values that change or not. */
SUPPORTS(any_kind) {
  const xlashape_status status = supports(self, op, support, err);
  if (op->kind > XLASHAPE_OP_RELAYOUT_VALUES) support->level = XLASHAPE_SUPPORT_WORKS;
  return status;
}

/* Overwrites the size of the answer that it fills. */
SUPPORTS(resizes_answer) {
  support->struct_size = 4;
  return supports(self, op, support, err);
}

/* Nothing is wrong with it: it takes no operation at all. */
SUPPORTS(refuses_all) {
  const xlashape_status status = supports(self, op, support, err);
  support->level = XLASHAPE_SUPPORT_NONE;
  return status;
}

/* Nothing is wrong with it: it takes no index batches. */
SUPPORTS(refuses_indices) {
  const xlashape_status status = supports(self, op, support, err);
  if (op->kind != XLASHAPE_OP_RELAYOUT) support->level = XLASHAPE_SUPPORT_NONE;
  return status;
}

/* Keeps notes in the plan while it executes, which many threads may do at once. */
static xlashape_status changes_plan_execute(void* self, const void* storage, const xlashape_op* op,
                                            const xlashape_run* run, xlashape_error* err) {
  ++*(int64_t*)(uintptr_t)storage;
  return execute(self, storage, op, run, err);
}
MAKES_PLANS(changes_plan, 8, 8, backend->plan_execute = changes_plan_execute) {
  (void)self, (void)op, (void)err;
  memset(storage, 0, 8);
  return XLASHAPE_STATUS_OK;
}

/* Closes what it takes for files that were left open. */
MAKES_PLANS(closes_files, 8, 8, (void)0) {
  int file;
  (void)self, (void)op, (void)storage, (void)err;
  for (file = 3; file < 64; ++file) close(file);
  return XLASHAPE_STATUS_OK;
}

/* Asks for a plan that no memory holds, at an alignment that there is not. */
MAKES_PLANS(garbage_plan, is_past_smoke(op) ? -1 : 8, is_past_smoke(op) ? 3 : 8, (void)0) {
  (void)self, (void)op, (void)storage, (void)err;
  return XLASHAPE_STATUS_OK;
}

/* Does not look whether the memory that it asks for is there. */
static void ignores_memory_destroy(void* self, void* storage) {
  (void)self;
  void* table;
  memcpy(&table, storage, sizeof table);
  the_host->free(the_host->opaque, table, 64, 8);
}
MAKES_PLANS(ignores_memory, sizeof(void*), sizeof(void*),
            if (backend->struct_size == sizeof *backend) backend->plan_destroy = ignores_memory_destroy) {
  (void)self, (void)op, (void)err;
  char* table = the_host->alloc(the_host->opaque, 64, 8);
  memset(table, 1, 64);
  memcpy(storage, &table, sizeof table);
  return XLASHAPE_STATUS_OK;
}

/* Takes memory from the host for each plan and keeps it. */
MAKES_PLANS(leaks, sizeof(void*), sizeof(void*), (void)0) {
  (void)self, (void)op, (void)err;
  void* kept = the_host->alloc(the_host->opaque, 32, 8);
  memcpy(storage, &kept, sizeof kept);
  return kept != NULL ? XLASHAPE_STATUS_OK : XLASHAPE_STATUS_NO_MEMORY;
}

/* Takes memory by malloc for each plan, and forgets it. */
MAKES_PLANS(loses_memory, 8, 8, (void)0) {
  static void* volatile lost;
  (void)self, (void)op, (void)storage, (void)err;
  lost = malloc(200);
  return lost != NULL ? XLASHAPE_STATUS_OK : XLASHAPE_STATUS_NO_MEMORY;
}

/* Its allocations fail, in open's way of checking and in plan_init. */
MAKES_PLANS(out_of_memory, 16, 16, (void)0) {
  (void)self, (void)storage;
  if (!is_past_smoke(op)) return XLASHAPE_STATUS_OK;
  if (err != NULL) strcpy(err->message, "no memory for the twiddle factors");
  return XLASHAPE_STATUS_NO_MEMORY;
}

/* plan_init writes more than plan_size asked for. */
MAKES_PLANS(outside_plan, 24, 8, (void)0) {
  (void)self, (void)err;
  memset(storage, 0x77, is_past_smoke(op) ? 32 : 24);
  return XLASHAPE_STATUS_OK;
}
