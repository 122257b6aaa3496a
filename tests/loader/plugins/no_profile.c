/* Its profile has a line that is none. */
#include "chooses.h"
static xlashape_status measure(void* self, const xlashape_calibration* how, char* text, int64_t capacity,
                               int64_t* needed, xlashape_error* err) {
  (void)self, (void)how, (void)err;
  return write_lines("copy = fast\n", text, capacity, needed);
}
ENTRY(no_profile) {
  const xlashape_status status = open_chooses("no_profile", host, backend, err);
  if (is_whole(backend)) backend->calibrate = measure;
  return status;
}
