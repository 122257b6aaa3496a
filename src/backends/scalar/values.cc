// SPDX-License-Identifier: Apache-2.0
#include "backends/scalar/values.h"

#include "ir/compiler.h"

namespace xlashape::scalar {

// Not inlined: it is long, and takes longer than a call.
XLASHAPE_NOINLINE backends::Wide ElementStep::at_channel(const backends::Wide& value, int64_t channel) const {
  return step_ ? backends::Wide{(*step_)(value.low, channel), 0} : keep_(value);
}

void ValueMover::operator()(const backends::LoopRange* ranges) const {
  const xlashape_loops& nest = *ir_.nest;
  const int64_t* const channel_step =
      ir_.values->loop_count == nest.loop_count && ir_.values->scale_count > 1 ? ir_.values->scale_step : nullptr;
  // What one index of a loop moves.
  struct Step {
    int64_t count, src, dst, channel, at;
  };
  Step loops[backends::kMaxLoops];
  int depth = 0;
  int64_t from = nest.src_offset, to = nest.dst_offset,
          channel = channel_step != nullptr ? ir_.values->scale_offset : 0;
  const auto take = [&](int32_t l) {
    const int64_t by_channel = channel_step != nullptr ? channel_step[l] : 0;
    from += ranges[l].begin * nest.src_stride[l];
    to += ranges[l].begin * nest.dst_stride[l];
    channel += ranges[l].begin * by_channel;
    return Step{ranges[l].size(), nest.src_stride[l], nest.dst_stride[l], by_channel, 0};
  };
  for (int32_t l = 0; l < nest.loop_count; ++l)
    if (ranges[l].end <= ranges[l].begin) return;
  for (int i = 0; i < plan_.outer_count; ++i)
    if (const Step step = take(plan_.outer[i]); step.count > 1) loops[depth++] = step;
  const Step inner = plan_.inner >= 0 ? take(plan_.inner) : Step{1, 0, 0, 0, 0};
  const int src_bits = ir_.src_container_bits, dst_bits = ir_.dst_container_bits;
  const int order = backends::order_of(backends::src_high_first(ir_), src_bits);
  backends::PackedWriter writer(dst_, dst_bits, backends::order_of(backends::dst_high_first(ir_), dst_bits), shared_);
  while (true) {
    const auto value = [&](int64_t i) {
      return step_.at_channel(backends::load(src_, from + i * inner.src, src_bits, order), channel + i * inner.channel);
    };
    if (dst_bits < 8) {
      writer.put(to, inner.dst, inner.count, [&](int64_t i) { return static_cast<int>(value(i).low); });
    } else {
      for (int64_t i = 0; i < inner.count; ++i) backends::store(dst_, to + i * inner.dst, dst_bits, value(i));
    }
    int i = depth;
    while (i-- > 0) {
      Step& loop = loops[i];
      from += loop.src;
      to += loop.dst;
      channel += loop.channel;
      if (++loop.at < loop.count) break;
      from -= loop.count * loop.src;
      to -= loop.count * loop.dst;
      channel -= loop.count * loop.channel;
      loop.at = 0;
    }
    if (i < 0) return;
  }
}

}  // namespace xlashape::scalar
