/* Adds up offsets of less than 2 GiB only. */
#define OFFSET(bytes) ((int64_t)(int32_t)(bytes))
#include "nest.h"
NEST_ENTRY(near_offsets, "near_offsets")
