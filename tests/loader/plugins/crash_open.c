/* Dies in open. */
#include "plugin.h"
ENTRY(crash_open) {
  (void)host, (void)backend, (void)err;
  *(volatile int*)(uintptr_t)16 = 1;
  return XLASHAPE_STATUS_OK;
}
