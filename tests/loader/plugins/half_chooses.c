/* Refuses what it does not know only after it has begun to follow it. */
#include "chooses.h"
static xlashape_status choose(void* self, void* storage, const xlashape_op* op, const char* choice,
                              xlashape_error* err) {
  const xlashape_status status = plan_choose(self, storage, op, choice, err);
  if (status != XLASHAPE_STATUS_OK) *(int*)storage = (way_of(storage) + 1) % 3;
  return status;
}
ENTRY(half_chooses) {
  const xlashape_status status = open_chooses("half_chooses", host, backend, err);
  if (is_whole(backend)) backend->plan_choose = choose;
  return status;
}
