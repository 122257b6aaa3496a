/* SPDX-License-Identifier: Apache-2.0 */
/* What the broken plugins are made of: the example backend, which is correct, with one thing done wrong by each entry.
 * A file has the entries of a family, and is linked into a plugin for each of them (meson.build). */
#ifndef PLUGIN_H_
#define PLUGIN_H_

#define xlashape_backend_open_example open_example
#include "examples/backend/example.c"
#undef xlashape_backend_open_example

#include <stdlib.h>

#define ENTRY(name)                                                                    \
  __attribute__((visibility("default"))) xlashape_status xlashape_backend_open_##name( \
      const xlashape_host* host, xlashape_backend* backend, xlashape_error* err)

/* Opens the correct backend under a name. */
__attribute__((unused)) static xlashape_status open_as(const char* name, const xlashape_host* host,
                                                       xlashape_backend* backend, xlashape_error* err) {
  const xlashape_status status = open_example(host, backend, err);
  backend->name = name;
  backend->build_id = "made to be broken";
  return status;
}

/* The smoke test moves 32-bit elements: what is wrong here is wrong for others, so that it gets past it. */
__attribute__((unused)) static int is_past_smoke(const xlashape_op* op) {
  return op->relayout != NULL && op->relayout->value_bits != 32;
}

/* A plugin whose execution is the function that follows. */
#define EXECUTES(name)                                                                          \
  static xlashape_status name##_execute(void* self, const void* storage, const xlashape_op* op, \
                                        const xlashape_run* run, xlashape_error* err);          \
  ENTRY(name) {                                                                                 \
    const xlashape_status status = open_as(#name, host, backend, err);                          \
    backend->plan_execute = name##_execute;                                                     \
    return status;                                                                              \
  }                                                                                             \
  static xlashape_status name##_execute(void* self, const void* storage, const xlashape_op* op, \
                                        const xlashape_run* run, xlashape_error* err)

#endif
