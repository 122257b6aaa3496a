// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/packed.h"

#include <algorithm>

#include "backends/common/guarded_loops.h"
#include "backends/simd/packed_mover.h"
#include "backends/simd/reversed.h"
#include "ir/compiler.h"

namespace xlashape::simd {
namespace {

constexpr int64_t kMostPartRows = kGatherBytes / (2 * kLineBytes);  // of a tile that is transposed in parts

void move_few(const Packed& packed, const StridedAxis* axes, int count, const char* src, int64_t from, char* dst,
              int64_t to) {
  int64_t at[kMaxSimdLoops] = {};
  backends::PackedWriter writer(dst, packed.dst_bits, 0, packed.shared);
  while (true) {
    move_one(packed, src, from, writer, to);
    int i = count;
    while (i-- > 0) {
      from += axes[i].src;
      to += axes[i].dst;
      if (++at[i] < axes[i].count) break;
      from -= axes[i].count * axes[i].src;
      to -= axes[i].count * axes[i].dst;
      at[i] = 0;
    }
    if (i < 0) return;
  }
}

// A separate function, whose frame is as large as its tiles.
XLASHAPE_NOINLINE void move_tiles(const Packed& packed, const PackedPlan& plan, const char* src, int64_t src_at,
                                  char* dst, int64_t dst_at, const TaskRange& part) {
  const bool bytewise = plan.kind == PackedKernelKind::kBytewise;
  const int64_t rows = bytewise ? (plan.tiling.rows.whole + 7) / 8 * 8 : plan.tiling.rows.whole;
  const auto table = [](int64_t entries) { return entries * int64_t{sizeof(int64_t)}; };
  MoverMemory room{};
  room.row = reinterpret_cast<int64_t*>(XLASHAPE_ON_STACK(table(rows)));
  room.column = reinterpret_cast<int64_t*>(XLASHAPE_ON_STACK(table(plan.tiling.columns.whole)));
  int64_t staged = packed.store == Store::kStream ? kPageBytes : 0;
  if (plan.kind == PackedKernelKind::kRuns) {
    staged = std::max(staged, std::min(kPackedChunk, plan.tiling.unit));
  } else {
    const Containers from(packed.src_bits), to(packed.dst_bits);
    const bool unpacks = plan.kind == PackedKernelKind::kUnpacked;
    const int64_t words = unpacks ? plan.strip : from.bytes(plan.strip);
    const int64_t pitch = bytewise ? (words + kLineBytes - 1) / kLineBytes * kLineBytes : words;
    const int64_t columns = unpacks ? words : words << from.log_per_byte;
    staged = std::max({staged, rows * pitch, columns * to.bytes(rows)});
    // Few rows are zipped and few columns unzipped where they are, single columns gathered.
    StageBytes bytes = stage_bytes(rows, words, 1, 1);
    if (rows <= 8 || (words <= 8 && !bytewise)) bytes = {0, std::min(kOutBytes, rows)};
    room.stage_row = reinterpret_cast<int64_t*>(XLASHAPE_ON_STACK(table(rows)));
    room.part_row = reinterpret_cast<int64_t*>(XLASHAPE_ON_STACK(table(std::min(rows, kMostPartRows))));
    room.stage_column = reinterpret_cast<int64_t*>(XLASHAPE_ON_STACK(table(words)));
    room.tile.in[0] = XLASHAPE_ON_STACK(bytes.in + kSlack);
    room.tile.out = XLASHAPE_ON_STACK(bytes.out + kSlack);
  }
  room.packed.in = XLASHAPE_ON_STACK(staged + kSlack);
  room.packed.transposed = XLASHAPE_ON_STACK(staged + kSlack);
  PackedMover mover(packed, plan, room, src, dst);
  const bool others = part.first() && mover.has_others(dst_at);
  const backends::LoopRange own = backends::share(plan.tiling.tiles, part.begin, part.end, part.count);
  StripWalk walk(plan, own.begin, own.end, src_at, dst_at);
  for (Strip place = walk.next(); place.rows > 0;) {
    const Strip next = walk.next();
    mover.whole(place, next);
    if (part.all() && others) mover.others(place);
    place = next;
  }
  if (!others || part.all()) return;
  StripWalk all(plan, 0, plan.tiling.tiles, src_at, dst_at);
  for (Strip place = all.next(); place.rows > 0; place = all.next()) mover.others(place);
}

}  // namespace

void move_packed(const Packed& packed, const StridedAxis* axes, int count, const char* src, int64_t src_at, char* dst,
                 int64_t dst_at, const TaskRange& part) {
  int64_t elements = 1;
  for (int i = 0; i < count; ++i) elements *= axes[i].count;
  if (elements <= kTinyElements) {
    if (part.first()) move_few(packed, axes, count, src, src_at, dst, dst_at);
    return;
  }
  if (const int row = reversed_axis(axes, count); row >= 0)
    return move_reversed(packed, axes, count, row, src, src_at, dst, dst_at, part);
  PackedPlan plan;
  choose_packed(axes, count, packed.src_bits, packed.dst_bits, part.count, &plan);
  move_tiles(packed, plan, src, src_at, dst, dst_at, part);
}

}  // namespace xlashape::simd
