/* What the broken plugins are made of: the example backend, which is correct, with one thing done wrong in each file. */
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

#endif
