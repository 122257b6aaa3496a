/* Every task writes the whole destination: right in the end, and a race on the way there. */
#include "plugin.h"
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  xlashape_run all = *run;
  if (op->kind == XLASHAPE_OP_RELAYOUT) all.task_begin = 0, all.task_end = all.task_count = 1;
  return execute(self, storage, op, &all, err);
}
static int64_t tasks(void* self, const void* storage, const xlashape_op* op, int64_t workers) {
  (void)self, (void)storage, (void)op;
  return workers;
}
ENTRY(outside_task) {
  const xlashape_status status = open_as("outside_task", host, backend, err);
  backend->plan_execute = wrong;
  backend->plan_tasks = tasks;
  return status;
}
