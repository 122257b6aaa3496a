/* The text of a candidate does not fit. */
#include "chooses.h"
static int64_t candidate(void* self, const void* storage, const xlashape_op* op, int64_t index, char* text,
                         int64_t capacity) {
  if (index != 1) return plan_candidate(self, storage, op, index, text, capacity);
  memset(text, 'x', (size_t)capacity);
  return capacity;
}
ENTRY(long_choice) {
  const xlashape_status status = open_chooses("long_choice", host, backend, err);
  if (is_whole(backend)) backend->plan_candidate = candidate;
  return status;
}
