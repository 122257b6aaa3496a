/* Takes the numbers of tasks, and of what they share, for 32-bit ones. */
#define SPLIT(extent, task, count) \
  ((int64_t)((uint32_t)(extent) * (uint64_t)(uint32_t)(task) / (uint64_t)(uint32_t)(count)))
#include "nest.h"
NEST_ENTRY(narrow_split, "narrow_split")
