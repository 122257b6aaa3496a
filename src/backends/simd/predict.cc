// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/predict.h"

#include <algorithm>

#include "backends/simd/rectangle.h"

namespace xlashape::simd {
namespace {

int64_t predict_elements(const Processor& processor, const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan,
                         const Amount& amount) {
  if (plan.kind == PlanKind::kCopy) return predict_copy(processor.profile.rates, plan.copy.kind, plan.store, amount);
  if (plan.kind == PlanKind::kTiles && plan.kept.kind != KernelKind::kNone)
    return predict_tiles(processor.profile.rates, plan.kept.tiling, plan.kept.kind, plan.store, amount);
  Rectangle rectangle;
  if (!make_whole_rectangle(ir, &rectangle) || rectangle.packed()) return 0;
  const int64_t width = rectangle.dst_bits / 8;
  TilePlan tiles;
  if (plan.kind == PlanKind::kTiles) {
    choose_again(plan.choice, rectangle.axes, ir.nest->loop_count, width, &tiles);
  } else {
    Conditions conditions = conditions_of(*processor.kernels, plan.store, 1);
    conditions.may_panel = plan.kind != PlanKind::kChunks;
    choose(rectangle.axes, ir.nest->loop_count, width, conditions, &tiles);
  }
  return predict_tiles(processor.profile.rates, tiles.tiling, tiles.kind, plan.store, amount);
}

}  // namespace

int64_t span_of(const xlashape_relayout_ir& ir) {
  return (ir.src_high - ir.src_low) / 2 + (ir.dst_high - ir.dst_low) / 2;
}

int64_t predict(const Processor& processor, const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan,
                int64_t max_workers, const char** why_not) {
  const auto none = [&](const char* why) {
    if (why_not != nullptr) *why_not = why;
    return int64_t{0};
  };
  const Rates& rates = processor.profile.rates;
  if (!rates.known()) return none("this machine was not measured; run `xlashape tune`");
  if (plan.kind == PlanKind::kShuffle) return none("the speed of shuffles is not measured");
  if (plan.kind == PlanKind::kValues) return none("the speed of conversions is not measured");
  if (is_packed(ir)) return none("speeds of elements smaller than a byte are not measured");
  if (plan.kind == PlanKind::kTiny) return rates.call_ns;
  const int64_t width = ir.dst_container_bits / 8;
  Amount amount{ir.elements * width, span_of(ir), tasks(processor, ir, max_workers) > 1 ? max_workers : 1};
  int64_t ns = predict_elements(processor, ir, plan, amount);
  if (ns == 0) return none("the speed of this kind of tiles was not measured");
  if (plan.kind == PlanKind::kChunks) {
    // Each is a walk of its own.
    int64_t chunks = backends::divide_up(ir.nest->extent[plan.chunks.loop], plan.chunks.indices);
    for (int32_t l = 0; l < plan.chunks.loop; ++l) chunks *= ir.nest->extent[l];
    ns += static_cast<int64_t>(std::min(static_cast<double>(chunks) * rates.call_ns, 0x1p60));
  }
  if (const int64_t padding = ir.dst_high - ir.dst_low - amount.bytes; plan.fills && padding > 0) {
    amount.bytes = padding;
    amount.span = ir.dst_high - ir.dst_low;
    ns = std::min(ns + predict_fill(rates, plan.store, amount), int64_t{1} << 62);
  }
  return ns;
}

}  // namespace xlashape::simd
