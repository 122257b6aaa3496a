/* SPDX-License-Identifier: Apache-2.0 */
// Turns the IR into kernel launches: which kernels, how many blocks, which arguments. Independent of any
// API.
#pragma once
#include "backends/common/entry.h"
#include "backends/gpu/common/launch.h"
#include "xlashape_backend.h"

namespace xlashape::gpu {

// Which kernels the planner may use. Tests force the general kernels and compare.
enum class Effort : uint8_t {
  kNvidia,       // every kernel
  kBest,         // portable kernels
  kNoShared,     // no kernel that uses shared memory, and no zips
  kWide,         // the same, and indices of 64 bits
  kProgramOnly,  // no nest
};

// The launches of one relayout, in order. An execution adds its byte offsets of both sides to those of each launch.
struct Launches {
  int32_t count = 0;
  bool needs_tables = false;
  Launch launch[3];
};

// Bases are multiples of `alignment` (1, 2, 4, 8, 16) bytes. Fails only if there are too many elements.
xlashape_status plan_relayout(const xlashape_relayout_ir& ir, int64_t alignment, Effort effort, Launches* launches,
                              xlashape_error* err);

// Makes one launch for `count` entries, less than 2^31, of a batch of index conversions.
void plan_indices(const xlashape_op& op, int64_t count, Launch* launch);
// Whether the launch needs the map in the tables. Bad entries are always counted there.
bool needs_map(const xlashape_map_ir& map);

}  // namespace xlashape::gpu
