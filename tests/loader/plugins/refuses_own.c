/* Refuses one of its own candidates. */
#include "chooses.h"
static xlashape_status choose(void* self, void* storage, const xlashape_op* op, const char* choice,
                              xlashape_error* err) {
  if (strcmp(choice, "way=2") == 0) return XLASHAPE_STATUS_INVALID_ARGUMENT;
  return plan_choose(self, storage, op, choice, err);
}
ENTRY(refuses_own) {
  const xlashape_status status = open_chooses("refuses_own", host, backend, err);
  if (is_whole(backend)) backend->plan_choose = choose;
  return status;
}
