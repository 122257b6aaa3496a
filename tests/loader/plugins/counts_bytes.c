/* Moves nothing of arrays with more elements than 31 bits count. */
#define LENGTH(extent) (ir->elements > INT32_MAX ? 0 : (extent))
#include "nest.h"
NEST_ENTRY(counts_bytes, "counts_bytes")
