// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>

#include "backends/simd/check.h"
#include "backends/simd/choose_tiles.h"
#include "backends/simd/gather.h"

namespace xlashape::simd {
namespace {

class PackedTileChooser {
 public:
  PackedTileChooser(int src_bits, int dst_bits, int64_t tasks, PackedPlan& plan)
      : src_bits_(src_bits), dst_bits_(dst_bits), tasks_(tasks), plan_(plan), tiling_(plan.tiling) {}

  void choose() {
    sizes_ = {4096, kNarrowBytes, kUnitBytes};
    build();
    const bool single = tiling_.unit == 1;
    // The elements of a strip: its source and its destination each take half the first cache.
    const int64_t room = kPackedBytes / 2 * 8 / std::max(src_bits_, dst_bits_);
    if (single) {
      sizes_ = {512 / dst_bits_, room * dst_bits_ / 512, kUnitBytes};
      build();
      // Where one side has few elements, take more of the other.
      if (tiling_.columns.whole * src_bits_ < 512) {
        sizes_.row = room / tiling_.columns.whole;
        build();
      } else if (tiling_.rows.whole * dst_bits_ < 512) {
        sizes_.column = room / tiling_.rows.whole;
        build();
      }
    }
    while (plan_.kind == PackedKernelKind::kNone || !has_tasks(tiling_.tiles))
      if (!shrink()) break;
    // Rows are far apart: take more of each while its page translation is cached.
    if (single && tiling_.columns.loop >= 0 && plan_.strip >= 64 && tiling_.tiles / 32 >= tasks_) {
      const int64_t strip = plan_.strip / 8 * 8, column = sizes_.column;
      sizes_.column = kMaxSide;
      build();
      plan_.kind = kind(strip);
      if (plan_.kind == PackedKernelKind::kNone) {
        sizes_.column = column;
        build();
      }
    }
  }

 private:
  void build() {
    Schedule& schedule = plan_.schedule;
    gather(sizes_, &schedule);
    const int last = schedule.axes - 1;
    const bool cut =
        last >= 0 && schedule.source.has(last) && schedule.destination.has(last) && !schedule.is_whole(last);
    schedule.order_loops(cut ? last : -1, LoopOrder::kNearest);
    make_tiling(schedule, &plan_.room, &tiling_);
    plan_.kind = kind(tiling_.columns.whole);
  }
  PackedKernelKind kind(int64_t strip) {
    plan_.strip = strip;
    return packed_kernel_kind_of(tiling_, strip, src_bits_, dst_bits_);
  }
  bool has_tasks(int64_t tiles) const { return tasks_ == 1 || tiles / 4 >= tasks_; }

  // Sides are whole lines where possible, so they are not made smaller than 64; a tile of that size fits.
  bool shrink() {
    const int64_t least = plan_.kind == PackedKernelKind::kNone ? 1 : 64;
    const bool wide = tiling_.columns.whole > tiling_.rows.whole;
    int64_t &larger = wide ? sizes_.column : sizes_.row, &smaller = wide ? sizes_.row : sizes_.column;
    if (tiling_.rows.whole == 1 && tiling_.columns.whole == 1) {
      if (tiling_.unit <= kLeastUnitBytes) return false;
      sizes_.unit = std::min(sizes_.unit, tiling_.unit) / 2;
    } else if (larger > least) {
      larger /= 2;
    } else if (smaller > least) {
      smaller /= 2;
    } else if (larger > 1) {
      larger = smaller = 1;
    } else {
      return false;
    }
    build();
    return true;
  }

  const int src_bits_, dst_bits_;
  const int64_t tasks_;
  PackedPlan& plan_;
  Tiling& tiling_;
  TileSizes sizes_{};
};

}  // namespace

void choose_packed(const StridedAxis* axes, int count, int src_bits, int dst_bits, int64_t tasks, PackedPlan* plan) {
  set_packed_space(axes, count, &plan->schedule);
  PackedTileChooser(src_bits, dst_bits, tasks, *plan).choose();
  assert(plan->kind != PackedKernelKind::kNone && fault_of(axes, count, 1, plan->schedule, plan->tiling, 1) == nullptr);
}

}  // namespace xlashape::simd
