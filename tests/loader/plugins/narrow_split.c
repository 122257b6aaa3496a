/* Multiplies tasks in 32 bits. */
#define SPLIT(extent, task, count) \
  ((int64_t)((uint32_t)(extent) * (uint64_t)(uint32_t)(task) / (uint64_t)(uint32_t)(count)))
#include "nest.h"
NEST_ENTRY(narrow_split, "narrow_split")
