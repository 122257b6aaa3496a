// SPDX-License-Identifier: Apache-2.0
// Launches for batches of index conversions.
#include <cstring>

#include "backends/gpu/common/loops.h"
#include "backends/gpu/common/planner.h"
#include "backends/gpu/kernels/map.h"

namespace xlashape::gpu {

bool needs_map(const xlashape_map_ir& map) { return map.sum_count != 0 || map.rank > XS_MAX_DIMENSIONS; }

void plan_indices(const xlashape_op& op, int64_t count, Launch* launch) {
  const xlashape_map_ir& map = *op.map;
  const bool to_linear = op.kind == XLASHAPE_OP_TO_LINEAR;
  std::memset(static_cast<void*>(launch), 0, sizeof *launch);
  launch->argument_bytes = sizeof(XsIndex);
  launch->blocks = static_cast<uint32_t>((count + XS_THREADS - 1) / XS_THREADS);
  XsIndex& args = launch->arguments.index;
  args.count = count;
  args.index_step = op.index_step;
  args.dimension_step = op.dimension_step;
  args.positions = map.data_positions;
  args.mark_invalid = (op.flags & XLASHAPE_INDEX_MARK_INVALID) != 0;
  args.map = XS_TABLE_START;
  args.rank = map.rank;
  if (needs_map(map)) {
    const bool small = map.rank + map.value_count <= 64;
    launch->kernel = to_linear ? (small ? Kernel::xs_to_linear_64 : Kernel::xs_to_linear_1024)
                               : (small ? Kernel::xs_to_multi_64 : Kernel::xs_to_multi_1024);
    return;
  }
  const bool narrow = map.data_positions < kNarrow;
  launch->kernel = to_linear ? Kernel::xs_to_linear_plain
                   : narrow  ? Kernel::xs_to_multi_plain_32
                             : Kernel::xs_to_multi_plain_64;
  // Dimensions of size 1 are not outputs. They come last: stride 1 with remainder 0 gives 0, and any other index is
  // bad.
  bool is_output[XS_MAX_DIMENSIONS] = {};
  int32_t n = 0;
  const auto put = [&](int32_t axis, int64_t stride) {
    const XsLoop division = divided_by(stride, narrow);
    args.axis[n] = axis;
    args.dimension[n] = map.dimensions[axis];
    args.stride[n] = stride;
    args.magic[n] = division.magic;
    args.shift[n++] = division.shift;
  };
  for (int32_t o = 0; o < map.output_count; ++o) {
    is_output[map.output_value[o]] = true;
    put(map.output_value[o], map.output_stride[o]);
  }
  for (int32_t d = 0; d < map.rank; ++d)
    if (!is_output[d]) put(d, 1);
}

}  // namespace xlashape::gpu
