/* Leaves out the last round of loops of more than 4096. */
#define LENGTH(extent) ((extent) > 4096 ? (extent)-1 : (extent))
#include "nest.h"
NEST_ENTRY(short_loops, "short_loops")
