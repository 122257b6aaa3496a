/* Says that it is somebody else. */
#include "plugin.h"
ENTRY(wrong_name) { return open_as("scalar", host, backend, err); }
