/* Right for the plain maps of the smoke test, wrong where a tile reaches over the edge: padding is called an element. */
#include "plugin.h"
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  if (op->kind == XLASHAPE_OP_RELAYOUT || op->map->sum_count == 0) return execute(self, storage, op, run, err);
  int64_t ignored = run->count;
  xlashape_run blind = *run;
  blind.first_bad = &ignored;
  return execute(self, storage, op, &blind, err);
}
ENTRY(wrong_index) {
  const xlashape_status status = open_as("wrong_index", host, backend, err);
  backend->plan_execute = wrong;
  return status;
}
