/* Divides by what its profile says. */
#include "chooses.h"
static int divisor = 1;
static xlashape_status use(void* self, const char* text, xlashape_error* err) {
  (void)self, (void)err;
  const char* const at = strstr(text, " = ");
  if (at != NULL) divisor = atoi(at + 3);
  return XLASHAPE_STATUS_OK;
}
static xlashape_status run_it(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                              xlashape_error* err) {
  if (divisor == 0) abort();
  return honest_execute(self, storage, op, run, err);
}
ENTRY(trusts_profile) {
  const xlashape_status status = open_chooses("trusts_profile", host, backend, err);
  if (is_whole(backend)) backend->use_profile = use;
  backend->plan_execute = run_it;
  return status;
}
