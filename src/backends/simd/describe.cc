// SPDX-License-Identifier: Apache-2.0
// Describes a plan of the simd backend.
#include <cstdio>

#include "backends/simd/predict.h"
#include "backends/simd/rectangle.h"
#include "backends/simd/relayout.h"
#include "backends/simd/run.h"
#include "backends/simd/values.h"

namespace xlashape::simd {
namespace {

constexpr const char* kCopyTexts[] = {"", " of vectors", " by rep movsb", ", four pages in turns"};  // by CopyKind

}  // namespace

size_t describe(const Processor& processor, const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan, char* text,
                size_t capacity) {
  size_t used = 0;
  const auto add = [&](const char* format, auto... args) {
    const int n = std::snprintf(used < capacity ? text + used : nullptr, used < capacity ? capacity - used : 0, format,
                                args..., 0);
    used += static_cast<size_t>(n > 0 ? n : 0);
  };
  const auto ll = [](int64_t value) { return static_cast<long long>(value); };
  const xlashape_loops& nest = *ir.nest;
  const auto bytes = [&](int64_t bits) {
    if (bits >= 8) return ll(ir.elements * (bits / 8));
    const int64_t per_byte = 8 / bits;
    return ll(ir.elements / per_byte + (ir.elements % per_byte != 0));
  };
  const int64_t span = ir.dst_high - ir.dst_low;
  Rectangle rectangle;
  add("simd %s, ", processor.kernels->name);
  if (plan.kind == PlanKind::kTiny) {
    add("plain loops, as there are no more than %lld elements", ll(kTinyElements));
  } else if (plan.kind == PlanKind::kValues) {
    used += describe_values(*processor.kernels, ir, used < capacity ? text + used : nullptr,
                            used < capacity ? capacity - used : 0);
    add("; %s stores", plan.store == Store::kStream ? "streaming" : "ordinary");
  } else if (plan.kind == PlanKind::kShuffle) {
    const Shuffle& s = plan.shuffle;
    add("shuffles groups of %lld byte%s, rows of %lld%s; %s stores", ll(s.group), s.group == 1 ? "" : "s", ll(s.groups),
        s.backwards ? " backwards" : "", plan.store == Store::kStream ? "streaming" : "ordinary");
  } else if (const int row = reversed_row(ir, &rectangle); row >= 0) {
    add("reverses rows of %lld elements, containers of %d bits to %d bits; %s stores", ll(rectangle.axes[row].count),
        rectangle.src_bits, rectangle.dst_bits, plan.store == Store::kStream ? "streaming" : "ordinary");
  } else if (make_whole_rectangle(ir, &rectangle)) {
    TilePlan bytewise;
    PackedPlan packed;
    const Tiling& tiling = rectangle.packed() ? packed.tiling : bytewise.tiling;
    if (rectangle.packed()) {
      choose_packed(rectangle.axes, nest.loop_count, rectangle.src_bits, rectangle.dst_bits, 1, &packed);
      add("containers of %d bits to %d bits, ", rectangle.src_bits, rectangle.dst_bits);
    } else {
      if (plan.kind == PlanKind::kTiles || plan.kind == PlanKind::kCopy) {
        choose_again(plan.choice, rectangle.axes, nest.loop_count, rectangle.dst_bits / 8, &bytewise);
      } else {
        choose(rectangle.axes, nest.loop_count, rectangle.dst_bits / 8,
               conditions_of(*processor.kernels, plan.store, 1), &bytewise);
      }
      if (is_packed(ir)) add("containers of %d bits as whole bytes, ", ir.dst_container_bits);
    }
    const char* const unit = rectangle.packed() ? "elements" : "bytes";
    const auto plural = [](int64_t number) { return number == 1 ? "" : "s"; };
    const int64_t planes = bytewise.kind == KernelKind::kMovePlanes ? tiling.planes : 1;
    const int64_t rows = tiling.rows.whole, columns = tiling.columns.whole;
    const bool transposes = bytewise.kind == KernelKind::kPanel ? tiling.transposes()
                            : rectangle.packed()                ? packed.kind != PackedKernelKind::kRuns
                                                                : bytewise.kind == KernelKind::kTranspose;
    if (bytewise.kind == KernelKind::kPermute) {
      Passes passes;
      whole_passes(tiling, &passes);
      add("permutes tiles of %lld pieces of %lld bytes into %lld runs of %lld bytes, in %d passes over elements of "
          "%lld byte%s, as some dimensions are contiguous with others on both sides",
          ll(rows), ll(columns * tiling.unit), ll(columns), ll(rows * tiling.unit), passes.count, ll(tiling.element),
          plural(tiling.element));
    } else if (transposes && tiling.rows.factors > 0 && tiling.columns.factors > 0) {
      add("transposes tiles of %lld x %lld elements", ll(rows), ll(columns));
      if (!rectangle.packed()) add(" of %lld byte%s", ll(tiling.unit), plural(tiling.unit));
      if (tiling.planes_axes > 0) add(" in %lld planes", ll(tiling.planes));
      add(", as each side is contiguous along another dimension");
      if (bytewise.kind == KernelKind::kPanel) add(", staged in the second cache");
    } else if (bytewise.kind == KernelKind::kStrided) {
      int64_t planes = 1;
      for (int i = 0; i < tiling.planes_axes; ++i) planes *= tiling.plane[i].count;
      add("moves single units of %lld byte%s, %lld x %lld of them in %lld planes, as there are few or there are gaps "
          "between them",
          ll(tiling.unit), plural(tiling.unit), ll(rows), ll(columns), ll(planes));
    } else {
      add("moves runs of %lld %s, as both sides have them, %lld x %lld at a time", ll(tiling.unit), unit,
          ll(rows * planes), ll(columns));
    }
    if (tiling.loops > 0) add("; tiles");
    for (int i = 0; i < tiling.loops; ++i)
      add(" %lld%s", ll(tiling.loop[i].count), i == tiling.rows.loop ? "d" : i == tiling.columns.loop ? "s" : "");
    const bool stream = plan.store == Store::kStream;
    const int64_t limit = stream_limit(processor, ir);
    add("; %s stores", stream ? "streaming" : "ordinary");
    if (plan.kind == PlanKind::kCopy) add("%s", kCopyTexts[static_cast<int>(plan.copy.kind)]);
    if (stream != (span >= limit)) {
      add(", as chosen");
    } else if (limit >= kNever) {
      add(", as such copies are never faster past the caches here");
    } else {
      add(", as %lld bytes are %s %lld%s", ll(span), stream ? "no less than" : "less than", ll(limit),
          (ir.flags & XLASHAPE_IR_KEEP_IN_CACHE) != 0 ? " (kept in cache)" : "");
    }
  }
  if (plan.chunks.loop >= 0)
    add("; elements and padding in one pass, %lld indices of loop %d at a time", ll(plan.chunks.indices),
        plan.chunks.loop);
  add("; loops, extent (%s apart in source, destination):", is_packed(ir) ? "elements" : "bytes");
  for (int32_t l = 0; l < nest.loop_count; ++l)
    add(" %lld%s (%lld, %lld)", ll(nest.extent[l]), nest.guard[l] >= 0 ? " ragged" : "", ll(nest.src_stride[l]),
        ll(nest.dst_stride[l]));
  const char* why_not = nullptr;
  if (const int64_t ns = predict(processor, ir, plan, 1, &why_not); ns > 0) {
    const double moved = static_cast<double>(ir.elements) * (ir.src_container_bits + ir.dst_container_bits) / 8;
    const double gbs = moved / static_cast<double>(ns);
    add("; predicted %.3g GB/s (%.3g us) on one thread", gbs, static_cast<double>(ns) * 1e-3);
  } else {
    add("; not predicted: %s", why_not);
  }
  add("; reads %lld bytes, writes %lld%s", bytes(ir.src_container_bits),
      plan.fills ? ll(span) : bytes(ir.dst_container_bits), plan.fills ? ", filled" : "");
  return used;
}

}  // namespace xlashape::simd
