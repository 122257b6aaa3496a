/* SPDX-License-Identifier: Apache-2.0 */
// The part of a loop nest within a range of each loop.
#pragma once
#include <cstdint>

#include "backends/common/guarded_loops.h"
#include "backends/simd/reversed.h"

namespace xlashape::simd {

// A rectangle has the widest containers that its elements allow.
struct Rectangle {
  StridedAxis axes[kMaxSimdLoops];
  int64_t src_at, dst_at;  // in units of the axes' strides
  int src_bits, dst_bits;
  bool packed() const { return src_bits < 8 || dst_bits < 8; }
};

// Where pairs of elements stay together they are taken as one container of twice the width, and so on up to bytes.
// `axes`, `src_at` and `dst_at` then count the wider containers.
inline int widen(StridedAxis* axes, int count, int bits, int64_t* src_at, int64_t* dst_at) {
  for (; bits < 8; bits *= 2) {
    int64_t odd = *src_at | *dst_at;
    StridedAxis* together = nullptr;
    for (int i = 0; i < count; ++i) {
      if (axes[i].count == 1) continue;
      if (axes[i].src == 1 && axes[i].dst == 1) {
        together = &axes[i];
        odd |= axes[i].count;
      } else {
        odd |= axes[i].src | axes[i].dst;
      }
    }
    if (together == nullptr || odd % 2 != 0) break;
    for (int i = 0; i < count; ++i) {
      if (&axes[i] == together) {
        axes[i].count /= 2;
      } else {
        axes[i].src /= 2;
        axes[i].dst /= 2;
      }
    }
    *src_at /= 2;
    *dst_at /= 2;
  }
  return bits;
}

// Returns false if the rectangle is empty.
inline bool make_rectangle(const xlashape_relayout_ir& ir, const backends::LoopRange* ranges, Rectangle* made) {
  const xlashape_loops& nest = *ir.nest;
  made->src_at = nest.src_offset;
  made->dst_at = nest.dst_offset;
  for (int32_t l = 0; l < nest.loop_count; ++l) {
    if (ranges[l].end <= ranges[l].begin) return false;
    made->src_at += ranges[l].begin * nest.src_stride[l];
    made->dst_at += ranges[l].begin * nest.dst_stride[l];
    made->axes[l] = {ranges[l].size(), nest.src_stride[l], nest.dst_stride[l]};
  }
  made->src_bits = ir.src_container_bits;
  made->dst_bits = ir.dst_container_bits;
  turn_axes(made->axes, nest.loop_count, made->packed() ? 1 : made->dst_bits / 8, &made->src_at, &made->dst_at);
  if (made->src_bits == made->dst_bits)
    made->src_bits = made->dst_bits = widen(made->axes, nest.loop_count, made->src_bits, &made->src_at, &made->dst_at);
  return true;
}

// The whole nest, without its guards.
inline bool make_whole_rectangle(const xlashape_relayout_ir& ir, Rectangle* made) {
  backends::LoopRange ranges[kMaxSimdLoops];
  for (int32_t l = 0; l < ir.nest->loop_count; ++l) ranges[l] = {0, ir.nest->extent[l]};
  return make_rectangle(ir, ranges, made);
}

// Which loop of the nest is a row of packed elements that is reversed, in the rectangle of the whole nest; -1: none.
inline int reversed_row(const xlashape_relayout_ir& ir, Rectangle* made) {
  return make_whole_rectangle(ir, made) && made->packed() ? reversed_axis(made->axes, ir.nest->loop_count) : -1;
}

inline bool is_packed(const xlashape_relayout_ir& ir) { return ir.src_container_bits < 8 || ir.dst_container_bits < 8; }

}  // namespace xlashape::simd
