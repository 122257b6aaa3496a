// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/block_mover.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "backends/common/element.h"
#include "backends/simd/high_first.h"
#include "backends/simd/reversed.h"
#include "ir/compiler.h"

namespace xlashape::simd {
namespace {

using backends::LoopRange;

constexpr int64_t kRunsAhead = 8;  // that are prefetched

// A mask of the value's bits in a container of at most a byte.
uint8_t value_mask(const xlashape_relayout_ir& ir, bool of_source) {
  if ((ir.values->flags & XLASHAPE_VALUES_CONVERT) == 0) return static_cast<uint8_t>((1 << ir.value_bits) - 1);
  return static_cast<uint8_t>((1 << (of_source ? ir.values->src : ir.values->dst).bits) - 1);
}

// Whether a source beyond the caches and the destination go on along different loops, both long, as squares have them.
bool transposes(const xlashape_relayout_ir& ir) {
  bool src = false, dst = false;
  if (ir.elements < kNearSource / container_bytes(ir.src_container_bits)) return false;
  for (int32_t l = 0; l < ir.nest->loop_count; ++l) {
    if (ir.nest->extent[l] < kConvertedSide) continue;
    src |= ir.nest->src_stride[l] == container_bytes(ir.src_container_bits);
    dst |= ir.nest->dst_stride[l] == container_bytes(ir.dst_container_bits);
  }
  return src && dst;
}

// As std::stable_sort, which allocates memory.
template <class Item, class Less>
void sort_few(Item* items, int count, Less&& less) {
  for (int i = 1; i < count; ++i)
    for (int j = i; j > 0 && less(items[j], items[j - 1]); --j) std::swap(items[j], items[j - 1]);
}

}  // namespace

// Where that makes them narrower, where one side is packed, as only whole bytes are converted, and where a run of the
// source has one scale. Large ones that are transposed are moved first in any case: each block's source is prefetched
// while the one before is transposed.
bool converts_first(const xlashape_relayout_ir& ir) {
  return is_packed(ir.src_container_bits) || is_packed(ir.dst_container_bits) || ir.values->scale_count > 1 ||
         (ir.dst_container_bits <= ir.src_container_bits && !transposes(ir));
}

int64_t scratch_width(const xlashape_relayout_ir& ir) {
  return converts_first(ir) ? container_bytes(ir.dst_container_bits) : container_bytes(ir.src_container_bits);
}

BlockMover::BlockMover(const Kernels& kernels, const xlashape_relayout_ir& ir, Store store, const char* src, char* dst,
                       const BlockBuffers& buffers, TilePlan (&tiles)[2])
    : kernels_(kernels),
      ir_(ir),
      store_(store),
      src_(src),
      dst_(dst),
      buffers_(buffers),
      first_(converts_first(ir)),
      src_bytes_(container_bytes(ir.src_container_bits)),
      dst_bytes_(container_bytes(ir.dst_container_bits)),
      converter_(kernels, *ir.values, src_bytes_, dst_bytes_, ir.elements),
      tiles_(tiles) {}

void BlockMover::rectangle(const LoopRange* ranges, int64_t most, const TaskRange& part) {
  Blocks blocks;
  if (!make_blocks(ir_, ranges, most, &blocks)) return;
  if (store_ == Store::kStream && !is_packed(ir_.src_container_bits) && !is_packed(ir_.dst_container_bits))
    blocks.begin_at_lines(dst_, dst_bytes_);
  blocks_ = &blocks;
  is_kept_[0] = is_kept_[1] = false;
  order_axes();
  const bool alone = is_packed(ir_.dst_container_bits);  // neighbours may share a byte
  if (alone && !part.first()) return;
  const LoopRange own =
      alone ? LoopRange{0, blocks.count} : backends::share(blocks.count, part.begin, part.end, part.count);
  int64_t at[kMaxSimdLoops];
  int64_t rest = own.begin;
  for (int a = blocks.axes; a-- > 0; rest /= blocks.parts(a)) at[a] = rest % blocks.parts(a);
  const auto next = [&](ValueBlock* block) {
    *block = {blocks.src, blocks.dst, blocks.channel, {}};
    for (int a = 0; a < blocks.axes; ++a) {
      const ValueAxis& axis = blocks.axis[a];
      const int64_t begin = blocks.begin(a, at[a]);
      block->extent[a] = blocks.begin(a, at[a] + 1) - begin;
      block->src += begin * axis.src;
      block->dst += begin * axis.dst;
      block->channel += begin * axis.channel;
    }
    for (int a = blocks.axes; a-- > 0;) {
      if (++at[a] < blocks.parts(a)) break;
      at[a] = 0;
    }
  };
  ValueBlock block[2];
  if (own.size() > 0) next(&block[0]);
  for (int64_t i = own.begin; i < own.end; ++i) {
    next_ = nullptr;
    if (i + 1 < own.end) {
      next(&block[1]);
      next_ = src_ + block[1].src;
    }
    move(block[0]);
    block[0] = block[1];
  }
}

void BlockMover::order_axes() {
  const int axes = blocks_->axes;
  for (int a = 0; a < axes; ++a) order_[a] = a;
  sort_few(order_, axes, [&](int a, int b) { return std::abs(near(a)) < std::abs(near(b)); });
  // Where both sides go on along the same axis, no scratch buffer is needed.
  direct_ = false;
  if (is_packed(ir_.src_container_bits) || is_packed(ir_.dst_container_bits)) return;
  const ValueAxis* const inner = axes > 0 ? &blocks_->axis[order_[0]] : nullptr;
  direct_ = inner == nullptr ||
            (inner->src == src_bytes_ && inner->dst == dst_bytes_ && (axes == 1 || inner->count >= 2 * kValueGroup));
}

void BlockMover::move(const ValueBlock& block) {
  // Both buffers have the order of the side that is converted.
  int64_t numbers[kMaxSimdLoops], unpacked[kMaxSimdLoops];
  const int64_t width = scratch_width(ir_);
  int64_t count = 1;
  for (int i = 0; i < blocks_->axes; ++i) {
    const int a = order_[i];
    numbers[a] = count * width;
    unpacked[a] = count;
    count *= block.extent[a];
  }
  const Place src = place(src_, block.src, &ValueAxis::src), dst = place(dst_, block.dst, &ValueAxis::dst);
  if (direct_) return walk(block, src, dst);
  const Place scratch{buffers_.numbers, 0, numbers, nullptr};
  if (!first_) {
    move(block, src, ir_.src_container_bits, scratch, ir_.src_container_bits);
    return walk(block, scratch, dst);
  }
  if (is_packed(ir_.src_container_bits)) {
    const Place bytes{buffers_.unpacked, 0, unpacked, nullptr};
    if (backends::src_high_first(ir_)) {
      turned(block, src, buffers_.unpacked, true);
    } else {
      move(block, src, ir_.src_container_bits, bytes, 8);
    }
    walk(block, bytes, scratch);
  } else {
    walk(block, src, scratch);
  }
  if (!backends::dst_high_first(ir_)) return move(block, scratch, 8 * dst_bytes_, dst, ir_.dst_container_bits);
  // First as bytes, in the destination's order.
  int64_t strides[kMaxSimdLoops], step = 1;
  for (int a = blocks_->axes; a-- > 0; step *= block.extent[a]) strides[a] = step;
  move(block, scratch, 8, {buffers_.unpacked, 0, strides, nullptr}, 8);
  turned(block, dst, buffers_.unpacked, false);
}

void BlockMover::walk(const ValueBlock& block, const Place& src, const Place& dst) const {
  struct Step {
    int64_t count, from, to, channel, at;
  };
  Step loops[kMaxSimdLoops];
  int depth = 0;
  for (int i = 0; i < blocks_->axes; ++i) {
    const int a = order_[i];
    const Step step{block.extent[a], stride(src, a), stride(dst, a), blocks_->axis[a].channel, 0};
    if (step.count == 1) continue;
    Step* const inner = depth > 0 ? &loops[depth - 1] : nullptr;
    if (inner != nullptr && step.from == inner->from * inner->count && step.to == inner->to * inner->count &&
        step.channel == inner->channel * inner->count) {
      inner->count *= step.count;
    } else {
      loops[depth++] = step;
    }
  }
  const char* from = src.base + src.at;
  char* to = dst.base + dst.at;
  int64_t channel = block.channel;
  const Step run = depth > 0 ? loops[0] : Step{1, src_bytes_, dst_bytes_, 0, 0};
  int64_t runs = 1;
  for (int i = 1; i < depth; ++i) runs *= loops[i].count;
  // Short runs that are far apart end before the processor has seen that they are runs.
  const bool fetches =
      src.strides == nullptr && depth > 1 && std::abs(loops[1].from) >= kPageBytes / 2 && run.from == src_bytes_;
  // Of long ones the next page is prefetched.
  const bool follows = src.strides == nullptr && run.count * src_bytes_ >= kPageBytes;
  // Out of the scratch buffer, where runs follow each other, as many as fit are converted at a time.
  alignas(64) char buffer[kBufferBytes];
  const int64_t bytes = run.count * dst_bytes_;
  const int64_t together = !first_ && !direct_ && run.to == dst_bytes_ ? kBufferBytes / bytes : 0;
  int64_t left = 0;
  const char* at = nullptr;
  while (true) {
    if (fetches && loops[1].at + kRunsAhead < loops[1].count) {
      const char* const next = from + kRunsAhead * loops[1].from;
      for (int64_t i = 0; i < std::min(run.count * run.from, kPageBytes / 4); i += kLineBytes)
        ir::prefetch<3>(next + i);
    }
    if (together == 0) {
      convert(to, from, run.count, run.to, run.from, {channel, run.channel}, dst.strides == nullptr, follows);
    } else {
      if (left == 0) {
        left = std::min(together, runs);
        runs -= left;
        converter_.run(buffer, dst_bytes_, from, src_bytes_, left * run.count, {channel, 0});
        at = buffer;
      }
      kernels_.copy(to, at, bytes, bytes >= kConvertedStream ? store_ : Store::kOrdinary);
      at += bytes;
      --left;
    }
    int i = 1;
    for (; i < depth; ++i) {
      Step& loop = loops[i];
      from += loop.from;
      to += loop.to;
      channel += loop.channel;
      if (++loop.at < loop.count) break;
      from -= loop.count * loop.from;
      to -= loop.count * loop.to;
      channel -= loop.count * loop.channel;
      loop.at = 0;
    }
    if (i >= depth) return;
  }
}

void BlockMover::convert(char* to, const char* from, int64_t count, int64_t to_step, int64_t from_step,
                         RunChannel channel, bool into_scratch, bool follows) const {
  const bool streams =
      store_ == Store::kStream && !into_scratch && to_step == dst_bytes_ && count * dst_bytes_ >= kConvertedStream;
  if (!streams) return converter_.run(to, to_step, from, from_step, count, channel, follows);
  alignas(64) char buffer[kBufferBytes];
  // Pieces but the first begin at lines.
  const auto within = static_cast<int64_t>(reinterpret_cast<uintptr_t>(to) % kLineBytes);
  const int64_t most = kBufferBytes / dst_bytes_;
  int64_t piece = within % dst_bytes_ == 0 ? most - within / dst_bytes_ : most;
  for (int64_t at = 0; at < count; at += piece, piece = most) {
    piece = std::min(piece, count - at);
    converter_.run(buffer, dst_bytes_, from + at * from_step, from_step, piece,
                   {channel.first + at * channel.step, channel.step}, follows);
    kernels_.copy(to + at * dst_bytes_, buffer, piece * dst_bytes_, Store::kStream);
    if (at + piece >= count) return;
  }
}

void BlockMover::turned(const ValueBlock& block, const Place& array, char* bytes, bool unpacks) const {
  const int axes = blocks_->axes;
  int order[kMaxSimdLoops];
  int64_t at[kMaxSimdLoops] = {};
  for (int a = 0; a < axes; ++a) order[a] = a;
  sort_few(order, axes, [&](int a, int b) { return std::abs(stride(array, a)) < std::abs(stride(array, b)); });
  const int bits = unpacks ? ir_.src_container_bits : ir_.dst_container_bits;
  const HighFirst form{kernels_, bits, value_mask(ir_, unpacks), (ir_.flags & XLASHAPE_IR_HAS_BOX) != 0};
  const int64_t run = axes > 0 ? block.extent[order[0]] : 1;
  int64_t place = array.at;
  while (true) {
    char* const memory = array.base + place * bits / 8;
    if (unpacks) {
      unpack_high_first(form, bytes, memory, run);
    } else {
      pack_high_first(form, memory, bytes, run);
    }
    bytes += run;
    int i = 1;
    for (; i < axes; ++i) {
      place += stride(array, order[i]);
      if (++at[i] < block.extent[order[i]]) break;
      place -= block.extent[order[i]] * stride(array, order[i]);
      at[i] = 0;
    }
    if (i >= axes) return;
  }
}

void BlockMover::move(const ValueBlock& block, const Place& src, int src_bits, const Place& dst, int dst_bits) {
  const int axes = blocks_->axes;
  const bool into_array = dst.strides == nullptr;
  StridedAxis moved[kMaxSimdLoops];
  for (int a = 0; a < axes; ++a) moved[a] = {block.extent[a], stride(src, a), stride(dst, a)};
  // By falling strides of where it goes, as those of an array are.
  if (!into_array) sort_few(moved, axes, [](const StridedAxis& a, const StridedAxis& b) { return a.dst > b.dst; });
  if (is_packed(src_bits) || is_packed(dst_bits)) {
    const uint8_t value = value_mask(ir_, !into_array);
    const bool shared = into_array && (ir_.flags & XLASHAPE_IR_HAS_BOX) != 0;
    const Packed form{kernels_, src_bits, dst_bits, value, Store::kOrdinary, shared};
    int64_t src_at = src.at, dst_at = dst.at;
    turn_axes(moved, axes, 1, &src_at, &dst_at);
    return move_packed(form, moved, axes, src.base, src_at, dst.base, dst_at, {});
  }
  const Store store = into_array ? store_ : Store::kOrdinary;
  const TilePlan& plan = plan_of(block, moved, src_bits / 8, store);
  TileParams params = params_of(plan.tiling, plan.kind, store);
  const char* then = nullptr;
  // Reading is all that large ones wait for: bf16[4096,4096] to f32 transposed takes a quarter of the time.
  if (!first_ && next_ != nullptr && are_squares(plan.kind, params) && plan.tiling.planes == 1) {
    params.near = params.near_source = false;
    then = next_;
  }
  run_tiles(plan.tiling, plan.kind, params, kernels_, src.base + src.at, dst.base + dst.at, {}, then);
}

const TilePlan& BlockMover::plan_of(const ValueBlock& block, const StridedAxis* axes, int64_t width, Store store) {
  const int count = blocks_->axes;
  for (const int k : {0, 1})
    if (is_kept_[k] && std::equal(block.extent, block.extent + count, kept_[k])) return tiles_[last_ = k];
  last_ = 1 - last_;
  std::copy_n(block.extent, count, kept_[last_]);
  is_kept_[last_] = true;
  choose(axes, count, width, {.store = store, .kernels = kernels_.traits}, &tiles_[last_]);
  return tiles_[last_];
}

}  // namespace xlashape::simd
