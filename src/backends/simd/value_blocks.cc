// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/value_blocks.h"

#include <cstdlib>

#include "backends/common/element.h"

namespace xlashape::simd {
namespace {

// Packed elements that start in the highest bits of a byte are taken in whole bytes.
constexpr int64_t kWholeBytes = 8;

// Makes blocks that have long runs on both sides, as far as `most` elements allow: the dimensions along which one side
// goes on are taken in turns, the source's for runs that are longer than the destination's, as these are written in
// whole lines. Where runs begin anywhere within a line, both of their ends cost a line.
void cut(const xlashape_relayout_ir& ir, int64_t most, Blocks& blocks) {
  const int64_t src_unit = container_bytes(ir.src_container_bits), dst_unit = container_bytes(ir.dst_container_bits);
  const bool src_turns = backends::src_high_first(ir), dst_turns = backends::dst_high_first(ir);
  int64_t total = 1, all = 1, grain[kMaxSimdLoops];
  for (int a = 0; a < blocks.axes; ++a) {
    const ValueAxis& axis = blocks.axis[a];
    grain[a] = (src_turns && axis.src == 1) || (dst_turns && axis.dst == 1) ? kWholeBytes : 1;
    total *= blocks.chunk[a] = std::min(axis.count, grain[a]);
    all *= axis.count;
  }
  // Divisions, below, take as long as a thousand numbers.
  if (all <= most) {
    for (int a = 0; a < blocks.axes; ++a) blocks.chunk[a] = blocks.axis[a].count;
    return;
  }
  // Takes more of the axis whose step, on that side, comes next. False where nothing more fits.
  const auto grow = [&](int64_t ValueAxis::*stride, int64_t target) {
    int next = -1;
    int64_t run = 1;  // elements that a block has along the axes before
    for (int a = 0; a < blocks.axes; ++a) {
      if (blocks.chunk[a] == blocks.axis[a].count) {
        run *= blocks.chunk[a];
        continue;
      }
      if (next < 0 || std::abs(blocks.axis[a].*stride) < std::abs(blocks.axis[next].*stride)) next = a;
    }
    if (next < 0) return false;
    const int64_t others = total / blocks.chunk[next];
    const int64_t wanted = std::min(blocks.axis[next].count, std::max<int64_t>(target / std::max<int64_t>(run, 1), 1));
    int64_t taken = std::min(wanted, most / others);
    if (taken < blocks.axis[next].count) taken -= taken % grain[next];
    if (taken <= blocks.chunk[next]) return false;
    blocks.chunk[next] = taken;
    total = others * taken;
    return true;
  };
  int64_t odd = 0;
  for (int a = 0; a < blocks.axes; ++a) odd |= blocks.axis[a].dst == dst_unit ? 0 : blocks.axis[a].dst % kLineBytes;
  const int64_t dst_run = odd == 0 ? kConvertedRun : kConvertedOddRun;
  for (int64_t times = 1; times <= 1 << 14; times *= 2) {
    while (grow(&ValueAxis::dst, dst_run * times / dst_unit)) {
    }
    while (grow(&ValueAxis::src, kConvertedFrom * times / src_unit)) {
    }
    if (total * 2 > most) break;
  }
  blocks.count = 1;
  for (int a = 0; a < blocks.axes; ++a) blocks.count *= blocks.parts(a);
}

}  // namespace

void Blocks::begin_at_lines(const char* memory, int64_t width) {
  const auto within = static_cast<int64_t>(reinterpret_cast<uintptr_t>(memory + dst) % kLineBytes);
  int run = -1;
  int64_t steps = within % width;
  for (int a = 0; a < axes; ++a) {
    if (axis[a].dst == width && chunk[a] < axis[a].count) {
      run = a;
      steps |= chunk[a] * width % kLineBytes;
    } else {
      steps |= axis[a].dst % kLineBytes;
    }
  }
  if (run < 0 || steps != 0) return;
  cut = run;
  shift = within / width;
  count = 1;
  for (int a = 0; a < axes; ++a) count *= parts(a);
}

bool make_blocks(const xlashape_relayout_ir& ir, const backends::LoopRange* ranges, int64_t most, Blocks* blocks) {
  const xlashape_loops& nest = *ir.nest;
  const bool has_channels = ir.values->scale_count > 1;
  blocks->src = nest.src_offset;
  blocks->dst = nest.dst_offset;
  blocks->channel = has_channels ? ir.values->scale_offset : 0;
  for (int32_t l = 0; l < nest.loop_count; ++l) {
    if (ranges[l].end <= ranges[l].begin) return false;
    const int64_t channel = has_channels ? ir.values->scale_step[l] : 0;
    blocks->src += ranges[l].begin * nest.src_stride[l];
    blocks->dst += ranges[l].begin * nest.dst_stride[l];
    blocks->channel += ranges[l].begin * channel;
    if (ranges[l].size() > 1)
      blocks->axis[blocks->axes++] = {ranges[l].size(), nest.src_stride[l], nest.dst_stride[l], channel};
  }
  cut(ir, most, *blocks);
  return true;
}

}  // namespace xlashape::simd
