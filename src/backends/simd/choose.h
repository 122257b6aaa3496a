// Chooses a schedule for a rectangle, which is numbers only. Every choice is correct; choices differ only in speed.
#pragma once
#include "backends/simd/gather.h"
#include "backends/simd/ways.h"

namespace xlashape::simd {

// What was chosen, small enough to be kept by a plan: the schedule is made from it again in one step.
struct Choice {
  TileSizes sizes{};
  int64_t run = 0;      // contiguous bytes of a tile whose elements are permuted; 0: a tile is rows and columns
  int plane_axis = -1;  // -1: no planes
  int64_t planes = 0;
};

struct TilePlan {
  Choice choice;
  Schedule schedule;
  TilingRoom room;
  Tiling tiling;
  Way way = Way::kNone;

  TilePlan() = default;
  TilePlan(const TilePlan&) = delete;  // the tiling points to its room
};

// `axes` are sorted by falling destination stride; `count` <= kMaxSimdLoops. `width`: bytes of an element. `tasks`: how
// many tasks share the tiles.
void choose(const Axis* axes, int count, int64_t width, int64_t tasks, Store store, TilePlan* plan);

// Makes the plan for an earlier choice. If the choice was made for another rectangle, the plan is slow but correct.
void choose_again(const Choice& choice, const Axis* axes, int count, int64_t width, Store store, TilePlan* plan);

// The same where containers have at most a byte and at least one side is packed: everything is counted in elements.
struct PackedPlan {
  Schedule schedule;
  TilingRoom room;
  Tiling tiling;
  int64_t strip = 0;  // columns of a tile that go through the stage at a time
  PackedWay way = PackedWay::kNone;

  PackedPlan() = default;
  PackedPlan(const PackedPlan&) = delete;
};
void choose_packed(const Axis* axes, int count, int src_bits, int dst_bits, int64_t tasks, PackedPlan* plan);

}  // namespace xlashape::simd
