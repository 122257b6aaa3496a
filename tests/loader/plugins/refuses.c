/* Cannot open, and says why. */
#include "plugin.h"
ENTRY(refuses) {
  (void)host, (void)backend;
  if (err != NULL) strcpy(err->message, "the licence has run out");
  return XLASHAPE_STATUS_DEVICE;
}
