/* Takes a choice, and stays as it is. */
#include "chooses.h"
static xlashape_status choose(void* self, void* storage, const xlashape_op* op, const char* choice,
                              xlashape_error* err) {
  int other = 0;
  (void)storage;
  return plan_choose(self, &other, op, choice, err);
}
ENTRY(forgets_way) {
  const xlashape_status status = open_chooses("forgets_way", host, backend, err);
  if (is_whole(backend)) backend->plan_choose = choose;
  return status;
}
