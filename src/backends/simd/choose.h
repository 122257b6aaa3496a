// Choosing a schedule for a rectangle: numbers only. Whatever is chosen is right; what it costs is all that differs.
#pragma once
#include "backends/simd/ways.h"

namespace xlashape::simd {

struct TilePlan {
  Schedule schedule;
  Tiling tiling;
  Way way = Way::kNone;
};

// `axes` are sorted by falling destination stride; `count` <= kMaxLoops. `width`: bytes of an element. `tasks`: how many there are
// to share the tiles.
void choose(const Axis* axes, int count, int64_t width, int64_t tasks, Store store, TilePlan* plan);

// The same for containers of at most a byte, of which one is packed: everything is counted in elements.
struct PackedPlan {
  Schedule schedule;
  Tiling tiling;
  int64_t strip = 0;  // so many columns of a tile go through the stage at a time
  PackedWay way = PackedWay::kNone;
};
void choose_packed(const Axis* axes, int count, int src_bits, int dst_bits, int64_t tasks, PackedPlan* plan);

}  // namespace xlashape::simd
