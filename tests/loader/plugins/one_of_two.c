/* Candidates without a way to choose one. */
#include "chooses.h"
ENTRY(one_of_two) {
  const xlashape_status status = open_chooses("one_of_two", host, backend, err);
  if (is_whole(backend)) backend->plan_choose = NULL;
  return status;
}
