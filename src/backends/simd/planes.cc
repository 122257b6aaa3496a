#include "backends/simd/planes.h"

#include <algorithm>

namespace xlashape::simd {

void gather_runs(int64_t tasks, Block* block) {
  const int inner = block->loops - 1;
  if (inner < 0 || inner == block->unit_loop) return;
  Axis& loop = block->loop[inner];
  const int64_t bytes = std::max<int64_t>(16384 / block->unit, 1), shared = tasks > 1 ? block->tiles / (4 * tasks) : 64;
  const int64_t part = std::min({loop.count, bytes, shared, int64_t{64}}),
                parts = part > 1 ? (loop.count + part - 1) / part : 0;
  if (parts == 0) return;
  block->row_digit[0] = {part, loop.src, loop.dst};
  block->row_digits = 1;
  block->row_pitch = loop.dst;
  block->rows = block->last_rows = part;
  block->tiles = block->tiles / loop.count * parts;
  if (parts == 1) {
    --block->loops;
    return;
  }
  block->last_rows = loop.count - (parts - 1) * part;
  block->row_loop = inner;
  loop = {parts, loop.src * part, loop.dst * part};
}

int plane_loop(const Block& block, Store store) {
  if (!block.transposes) return -1;
  const bool zip = block.column_run() > 1 && zips(block.rows, block.unit);
  const bool unzip = !zip && block.row_run() > 1 && zips(block.columns, block.unit);
  if (!zip && !unzip) return -1;
  const int64_t bytes = (zip ? block.column_run() * block.rows : block.row_run() * block.columns) * block.unit;
  for (int i = 0; i < block.loops; ++i) {
    if (i == block.row_loop || i == block.column_loop || i == block.unit_loop) continue;
    if ((zip ? block.loop[i].dst : block.loop[i].src) == bytes && block.loop[i].count * bytes <= kPlanesBytes) return i;
  }
  const int inner = block.loops - 1;
  const bool side = inner < 0 || inner == block.row_loop || inner == block.column_loop || inner == block.unit_loop;
  return store == Store::kStream || side || block.loop[inner].count > 64 ? -1 : inner;
}

void take_planes(int64_t tasks, Store store, Block* block) {
  const int loop = plane_loop(*block, store);
  if (loop < 0 || (tasks > 1 && block->tiles / block->loop[loop].count < 4 * tasks)) return;
  const int64_t pitch = (block->rows * block->unit + 63) / 64 * 64;
  if (store == Store::kStream && !zips(block->rows, block->unit) &&
      block->loop[loop].count * block->columns * pitch > kOutBytes)
    return;
  block->planes = block->loop[loop].count;
  block->plane_src = block->loop[loop].src;
  block->plane_dst = block->loop[loop].dst;
  block->tiles /= block->planes;
  std::copy(block->loop + loop + 1, block->loop + block->loops, block->loop + loop);
  --block->loops;
  for (int* other : {&block->row_loop, &block->column_loop, &block->unit_loop}) *other -= *other > loop;
}

}  // namespace xlashape::simd
