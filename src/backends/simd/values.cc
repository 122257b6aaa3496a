// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/values.h"

#include <algorithm>
#include <cstdio>

#include "backends/common/element.h"
#include "backends/common/limits.h"
#include "backends/simd/block_mover.h"
#include "backends/simd/padding.h"
#include "ir/compiler.h"

namespace xlashape::simd {
namespace {

using backends::LoopRange;

// Whether runs on that side begin and end with bytes, but for the end of a single one.
bool has_whole_bytes(const xlashape_loops& nest, const int64_t* strides, int64_t offset, int bits) {
  const int64_t per_byte = 8 / bits;
  int runs = 0;
  bool whole = offset % per_byte == 0;
  for (int32_t l = 0; l < nest.loop_count; ++l) {
    if (strides[l] != 1) {
      whole &= strides[l] % per_byte == 0;
      continue;
    }
    ++runs;
    whole &= nest.guard[l] < 0 && (nest.extent[l] % per_byte == 0 || nest.loop_count == 1);
  }
  return whole && runs == 1;
}

int64_t block_elements(const xlashape_relayout_ir& ir) {
  return std::clamp<int64_t>(ir.elements, 1, kConvertedBytes / scratch_width(ir));
}

}  // namespace

const char* values_refusal(const xlashape_relayout_ir& ir) {
  if (ir.nest == nullptr) return "the two layouts have no common factors";
  if (ir.nest->loop_count > kMaxSimdLoops) return "it takes too many loops";
  const int widest = std::max(ir.src_container_bits, ir.dst_container_bits);
  if (widest > ((ir.values->flags & XLASHAPE_VALUES_CONVERT) != 0 ? 64 : 8)) return "containers are too wide";
  const xlashape_loops& nest = *ir.nest;
  if ((backends::src_high_first(ir) &&
       !has_whole_bytes(nest, nest.src_stride, nest.src_offset, ir.src_container_bits)) ||
      (backends::dst_high_first(ir) && !has_whole_bytes(nest, nest.dst_stride, nest.dst_offset, ir.dst_container_bits)))
    return "elements that start in the highest bits of a byte have no runs of whole bytes";
  if ((backends::src_high_first(ir) || backends::dst_high_first(ir)) && ir.elements == 0)
    return "there are no elements";
  if (backends::dst_high_first(ir) && fills(ir)) return "padding is filled from the highest bits of a byte on";
  if (ir.fill_loops != nullptr && ir.fill_loops->guard_count > backends::kMaxGuards)
    return "padding comes from too many dimensions";
  return nullptr;
}

XLASHAPE_NOINLINE void run_values(const Kernels& kernels, const xlashape_relayout_ir& ir, Store store, const char* src,
                                  char* dst, const TaskRange& part) {
  const int64_t most = block_elements(ir);
  BlockBuffers buffers{XLASHAPE_ON_STACK(most * scratch_width(ir) + kSlack), nullptr};
  if (is_packed(ir.src_container_bits) || backends::dst_high_first(ir))
    buffers.unpacked = XLASHAPE_ON_STACK(most + kSlack);
  TilePlan tiles[2];
  BlockMover mover(kernels, ir, store, src, dst, buffers, tiles);
  const xlashape_loops& nest = *ir.nest;
  LoopRange ranges[kMaxSimdLoops];
  for (int32_t l = 0; l < nest.loop_count; ++l) ranges[l] = {0, nest.extent[l]};
  backends::split_guarded_loops(nest, ranges, [&](const LoopRange* inner) { mover.rectangle(inner, most, part); });
}

int64_t values_tile(const xlashape_relayout_ir& ir) { return block_elements(ir); }
int64_t values_width(const xlashape_relayout_ir& ir) { return scratch_width(ir); }

int64_t values_stack(const xlashape_relayout_ir& ir) {
  constexpr int64_t kBuffers = 4 * 1024 + 2 * kBufferBytes + 4096 + 2048;  // of the converter, of runs past the caches
  const bool unpacks = is_packed(ir.src_container_bits) || backends::dst_high_first(ir);
  const int64_t unpacked = unpacks ? block_elements(ir) + kSlack : 0;
  return block_elements(ir) * scratch_width(ir) + kSlack + unpacked + kBuffers +
         int64_t{sizeof(BlockMover) + 2 * sizeof(TilePlan) + sizeof(Blocks)};
}

size_t describe_values(const Kernels& kernels, const xlashape_relayout_ir& ir, char* text, size_t capacity) {
  const Converter converter(kernels, *ir.values, container_bytes(ir.src_container_bits),
                            container_bytes(ir.dst_container_bits), ir.elements);
  const int n =
      std::snprintf(text, capacity, "converts %s, %lld elements at a time, %s they are moved", converter.method(),
                    static_cast<long long>(block_elements(ir)), converts_first(ir) ? "before" : "after");
  return static_cast<size_t>(n > 0 ? n : 0);
}

}  // namespace xlashape::simd
