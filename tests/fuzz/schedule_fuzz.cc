// SPDX-License-Identifier: Apache-2.0
// Bytes are a rectangle, what is taken of it, and in which order: whatever they are, the tiles are a partition and have
// a kernel.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "backends/simd/check.h"
#include "backends/simd/choose_tiles.h"
#include "backends/simd/gather.h"
#include "unit/simd/random_space.h"

using namespace xlashape::core;  // NOLINT
using namespace xlashape::simd;  // NOLINT

namespace {

// The input as numbers; behind its end a fixed sequence.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : data_(data), left_(size) {}
  uint64_t next() {
    uint64_t value = 0;
    const size_t some = left_ < 2 ? left_ : 2;
    std::memcpy(&value, data_, some);
    data_ += some, left_ -= some;
    return some > 0 ? value * 0x100010001u : 7919 * ++more_;
  }
  int64_t below(int64_t limit) { return static_cast<int64_t>(next() % static_cast<uint64_t>(limit)); }
  bool more() const { return left_ > 0; }

 private:
  const uint8_t* data_;
  size_t left_;
  uint64_t more_ = 0;
};

void require(bool good) {
  if (!good) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const bool packed = input.below(4) == 0;
  const testing::Space given = testing::random_space([&] { return input.next(); }, packed);
  const StridedAxis* const axes = given.axes.data();
  const int count = static_cast<int>(given.axes.size());
  const auto check = [&](const Schedule& schedule, const Tiling& tiling) {
    require(fault_of(axes, count, given.width, schedule, tiling, input.next()) == nullptr);
  };
  const int64_t tasks = 1 + input.below(64);
  if (packed) {
    PackedPlan plan;
    const int src_bits = 1 << input.below(4), dst_bits = 1 << input.below(src_bits == 8 ? 3 : 4);
    choose_packed(axes, count, src_bits, dst_bits, tasks, &plan);
    require(plan.kind != PackedKernelKind::kNone);
    check(plan.schedule, plan.tiling);
  } else {
    TilePlan plan;
    choose(axes, count, given.width,
           {.store = input.below(2) == 0 ? Store::kStream : Store::kOrdinary,
            .tasks = tasks,
            .may_panel = input.below(2) == 0,
            .kernels = {int64_t{1} << input.below(3), 16 << 2 * input.below(2)}},
           &plan);
    require(plan.kind != KernelKind::kNone);
    check(plan.schedule, plan.tiling);
  }

  Schedule schedule;
  set_space(axes, count, given.width, &schedule);
  while (input.more() && schedule.axes > 0) {
    const int a = static_cast<int>(input.below(schedule.axes));
    const int64_t indices = input.below(3) == 0 ? schedule.axis[a].count : input.below(5000);
    switch (input.below(7)) {
      case 0:
        schedule.take_unit(a, indices);
        break;
      case 1:
        schedule.take_row(a, indices);
        break;
      case 2:
        schedule.take_column(a, indices);
        break;
      case 3:
        schedule.take_plane(a, indices);
        break;
      case 4:
        schedule.join_source(a, indices);
        break;
      case 5:
        schedule.join_destination(a, indices);
        break;
      default:
        schedule.rechunk(a, indices);
    }
  }
  if (schedule.source.count + schedule.destination.count > kMaxFactors) return 0;
  schedule.order_loops(schedule.axes > 0 ? static_cast<int>(input.below(schedule.axes + 1)) - 1 : -1,
                       static_cast<LoopOrder>(input.below(3)));
  TilingArrays room;
  Tiling tiling;
  make_tiling(schedule, &room, &tiling);
  check(schedule, tiling);
  return 0;
}
