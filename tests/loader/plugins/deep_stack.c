/* Takes a megabyte of stack. */
#include "plugin.h"
static xlashape_status wrong(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  volatile char block[1 << 20];
  for (int i = 0; i < 1 << 20; i += 4096) block[i] = 1;
  return block[0] == 1 ? execute(self, storage, op, run, err) : XLASHAPE_STATUS_INTERNAL;
}
ENTRY(deep_stack) {
  const xlashape_status status = open_as("deep_stack", host, backend, err);
  backend->plan_execute = wrong;
  return status;
}
