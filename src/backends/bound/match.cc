// SPDX-License-Identifier: Apache-2.0
#include "backends/bound/match.h"

#include <algorithm>

namespace xlashape::bound {
namespace {

// Drops loops of one element, and fuses loops that continue each other on both sides.
int simplify(const xlashape_loops& nest, OuterLoop* loops) {
  int count = 0;
  for (int32_t l = 0; l < nest.loop_count; ++l)
    if (nest.extent[l] != 1) loops[count++] = {nest.extent[l], nest.src_stride[l], nest.dst_stride[l]};
  for (bool again = true; again;) {
    again = false;
    for (int i = 0; i < count && !again; ++i) {
      for (int j = 0; j < count && !again; ++j) {
        OuterLoop &outer = loops[i], &inner = loops[j];
        if (i == j || outer.src_stride != inner.src_stride * inner.extent ||
            outer.dst_stride != inner.dst_stride * inner.extent)
          continue;
        inner.extent *= outer.extent;
        for (int k = i; k + 1 < count; ++k) loops[k] = loops[k + 1];
        --count;
        again = true;
      }
    }
  }
  return count;
}

// The loop that is contiguous on this side, or -1.
int run_of(const OuterLoop* loops, int count, int64_t width, int64_t OuterLoop::*stride) {
  for (int l = 0; l < count; ++l)
    if (loops[l].*stride == width) return l;
  return -1;
}

bool copies(const Description& description, const OuterLoop* loops, int count, int64_t width, RoutineCall* move,
            int* inner, int* across) {
  *inner = run_of(loops, count, width, &OuterLoop::dst_stride);
  *across = -1;
  const bool one_run = *inner >= 0 && loops[*inner].src_stride == width;
  const int64_t row = one_run ? loops[*inner].extent * width : width;
  if (!one_run) *inner = -1;
  if (description.role == Role::kCopyLinear) {
    move->bytes = row;
    return one_run;
  }
  for (int l = 0; l < count; ++l)
    if (l != *inner && loops[l].src_stride >= row && loops[l].dst_stride >= row &&
        (*across < 0 || loops[l].extent > loops[*across].extent))
      *across = l;
  if (*across < 0) return false;
  move->row_bytes = row;
  move->rows = loops[*across].extent;
  const int64_t unit = description.element_bits == 0 ? 1 : width;
  move->columns = row / width;
  move->src_pitch = loops[*across].src_stride / unit;
  move->dst_pitch = loops[*across].dst_stride / unit;
  return loops[*across].src_stride % unit == 0 && loops[*across].dst_stride % unit == 0;
}

bool transposes(const OuterLoop* loops, int count, int64_t width, RoutineCall* move, int* inner, int* across) {
  *inner = run_of(loops, count, width, &OuterLoop::dst_stride);
  *across = run_of(loops, count, width, &OuterLoop::src_stride);
  if (*inner < 0 || *across < 0 || *inner == *across) return false;
  const OuterLoop &a = loops[*inner], &b = loops[*across];
  if (a.src_stride % width != 0 || b.dst_stride % width != 0) return false;
  move->rows = a.extent;
  move->columns = b.extent;
  move->src_pitch = a.src_stride / width;
  move->dst_pitch = b.dst_stride / width;
  return move->src_pitch >= move->columns && move->dst_pitch >= move->rows;
}

}  // namespace

bool match(const xlashape_relayout_ir& ir, const Routine& routine, Match* result) {
  const Description& description = routine.description();
  const int32_t bits = ir.dst_container_bits;
  if (ir.nest == nullptr || ir.nest->guard_count != 0 || ir.nest->loop_count > backends::kMaxLoops || ir.elements == 0)
    return false;
  if (ir.src_container_bits != bits || bits < 8 || (description.element_bits != 0 && description.element_bits != bits))
    return false;
  if (ir.fill_policy == XLASHAPE_FILL_PADDING && ir.has_padding) return false;
  OuterLoop loops[backends::kMaxLoops];
  const int count = simplify(*ir.nest, loops);
  const int64_t width = bits / 8;
  int inner = -1, across = -1;
  result->move = {};
  const bool fits = description.role == Role::kTranspose2d
                        ? transposes(loops, count, width, &result->move, &inner, &across)
                        : copies(description, loops, count, width, &result->move, &inner, &across);
  if (!fits || !routine.takes(result->move)) return false;
  result->src_offset = ir.nest->src_offset;
  result->dst_offset = ir.nest->dst_offset;
  result->bytes_per_call = width;
  result->calls = 1;
  result->outer_count = 0;
  for (int l = 0; l < count; ++l) {
    if (l == inner || l == across) {
      result->bytes_per_call *= loops[l].extent;
    } else {
      result->calls *= loops[l].extent;
      result->outer[result->outer_count++] = loops[l];
    }
  }
  std::stable_sort(result->outer, result->outer + result->outer_count, [](const OuterLoop& a, const OuterLoop& b) {
    return std::abs(a.dst_stride) > std::abs(b.dst_stride);
  });
  return result->bytes_per_call >= description.min_bytes;
}

}  // namespace xlashape::bound
