/* SPDX-License-Identifier: Apache-2.0 */
// Chooses a schedule for a rectangle, which is numbers only. Every choice is correct; choices differ only in speed.
#pragma once
#include <variant>

#include "backends/simd/gather.h"
#include "backends/simd/kernel_kind.h"

namespace xlashape::simd {

// The forms that a tile can have, and their numbers. Rows and columns of units, and maybe planes of them:
struct SidesChoice {
  TileSizes sizes{1, 1, kUnitBytes};
  bool panels = false;  // through a stage of the second cache
  int plane_axis = -1;  // -1: no planes
  int64_t planes = 0;
};
// Elements that are permuted, of which so many bytes are contiguous on each side.
struct PermutedChoice {
  int64_t run;
};
// Units along any axes that are moved one by one: lines of so many bytes on each side, and no more units than that.
struct UnitsChoice {
  int64_t run, most;
};
inline constexpr int64_t kLongestRun = 512;  // of both

// What was chosen, small enough to be kept by a plan: the schedule is made from it again in one step.
struct TileChoice {
  Store store = Store::kOrdinary;
  LoopOrder order = LoopOrder::kNearest;
  CopyKind copy = CopyKind::kPlain;  // of a plan that is one run
  std::variant<SidesChoice, PermutedChoice, UnitsChoice> tile{};

  template <class Form>
  const Form* as() const {
    return std::get_if<Form>(&tile);
  }
  bool has_panels() const { return as<SidesChoice>() != nullptr && as<SidesChoice>()->panels; }
  bool has_planes() const { return as<SidesChoice>() != nullptr && as<SidesChoice>()->plane_axis >= 0; }
};

struct TilePlan {
  TileChoice choice;
  Schedule schedule;
  TilingArrays room;
  Tiling tiling;
  KernelKind kind = KernelKind::kNone;

  TilePlan() = default;
  TilePlan(const TilePlan&) = delete;  // the tiling points to its room
};

// What a choice depends on besides the rectangle.
struct Conditions {
  Store store;
  int64_t tasks = 1;       // how many tasks share the tiles
  bool may_panel = false;  // whether the stack has room for panels
  KernelTraits kernels{};
  bool odd = false;  // whether the destination begins within a line
};

// `axes` are sorted by falling destination stride; `count` <= kMaxSimdLoops. `width`: bytes of an element.
void choose(const StridedAxis* axes, int count, int64_t width, const Conditions& conditions, TilePlan* plan);

// Makes the plan for a choice. If that was made for another rectangle, the plan may be slow, but is correct. Returns
// false where no kernel takes its tiles, and others were made.
bool choose_again(const TileChoice& choice, const StridedAxis* axes, int count, int64_t width, TilePlan* plan);

// The same where containers have at most a byte and at least one side is packed: everything is counted in elements.
struct PackedPlan {
  Schedule schedule;
  TilingArrays room;
  Tiling tiling;
  int64_t strip = 0;  // columns of a tile that go through the stage at a time
  PackedKernelKind kind = PackedKernelKind::kNone;

  PackedPlan() = default;
  PackedPlan(const PackedPlan&) = delete;
};
void choose_packed(const StridedAxis* axes, int count, int src_bits, int dst_bits, int64_t tasks, PackedPlan* plan);

}  // namespace xlashape::simd
