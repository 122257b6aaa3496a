/* Nothing is wrong with it. */
#include "nest.h"
NEST_ENTRY(nests, "nests")
