/* Turns the last round of long loops only up to what fits its counters. */
#define LENGTH(extent) ((extent) > 4096 ? (extent)-1 : (extent))
#include "nest.h"
NEST_ENTRY(short_loops, "short_loops")
