// Choosing a schedule for a rectangle: numbers only. Whatever is chosen is right; what it costs is all that differs.
#pragma once
#include "backends/simd/gather.h"
#include "backends/simd/ways.h"

namespace xlashape::simd {

// What was chosen, small enough to be kept: from it the schedule is made again in one step.
struct Choice {
  TileSizes sizes{};
  int64_t run =
      0;  // of tiles whose elements change their order, so many bytes lie together; 0: a tile is rows and columns
  int plane_axis = -1;  // -1: no planes
  int64_t planes = 0;
};

struct TilePlan {
  Choice choice;
  Schedule schedule;
  Tiling tiling;
  Way way = Way::kNone;
};

// `axes` are sorted by falling destination stride; `count` <= kMaxSimdLoops. `width`: bytes of an element. `tasks`: how many there are
// to share the tiles.
void choose(const Axis* axes, int count, int64_t width, int64_t tasks, Store store, TilePlan* plan);

// The plan for what was chosen before. Where that was for another rectangle, the plan is slow, and right.
void choose_again(const Choice& choice, const Axis* axes, int count, int64_t width, Store store, TilePlan* plan);

// The same for containers of at most a byte, of which one is packed: everything is counted in elements.
struct PackedPlan {
  Schedule schedule;
  Tiling tiling;
  int64_t strip = 0;  // so many columns of a tile go through the stage at a time
  PackedWay way = PackedWay::kNone;
};
void choose_packed(const Axis* axes, int count, int src_bits, int dst_bits, int64_t tasks, PackedPlan* plan);

}  // namespace xlashape::simd
