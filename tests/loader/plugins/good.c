/* Nothing is wrong with it. */
#include "plugin.h"
ENTRY(good) { return open_as("good", host, backend, err); }
