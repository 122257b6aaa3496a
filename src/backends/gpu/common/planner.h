// From the waist's forms to kernel launches: which kernels, how many blocks, with what arguments. Knows no API.
#pragma once
#include "backends/common/entry.h"
#include "backends/gpu/common/launch.h"
#include "xlashape_backend.h"

namespace xlashape::gpu {

// What the planner may use. Tests force the general kernels and compare.
enum class Effort : uint8_t {
  kNvidia,       // every kernel
  kBest,         // the portable ones
  kNoShared,     // no kernel that uses shared memory
  kWide,         // that, and indices of 64 bits
  kProgramOnly,  // no nest
};

// The launches of one relayout, in order. Each of them adds the sides' byte offsets of an execution to its own.
struct Launches {
  int32_t count = 0;
  bool needs_tables = false;
  Launch launch[3];
};

// For bases that are multiples of `alignment` (1, 2, 4, 8, 16) bytes. Fails only for what has too many elements.
xlashape_status plan_relayout(const xlashape_relayout_ir& ir, int64_t alignment, Effort effort, Launches* launches,
                              xlashape_error* err);

// One launch for `count` entries, less than 2^31, of a batch of index conversions.
void plan_indices(const xlashape_op& op, int64_t count, Launch* launch);
// Whether the launch needs the map in the tables. What is bad is counted there in any case.
bool needs_map(const xlashape_map_ir& map);

}  // namespace xlashape::gpu
