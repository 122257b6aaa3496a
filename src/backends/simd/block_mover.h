/* SPDX-License-Identifier: Apache-2.0 */
// Moves and converts the blocks of a relayout that has a value step.
#pragma once
#include "backends/simd/choose_tiles.h"
#include "backends/simd/converter.h"
#include "backends/simd/run.h"
#include "backends/simd/value_blocks.h"

namespace xlashape::simd {

inline constexpr int64_t kBufferBytes = 4096;  // of numbers on their way past the caches

// Whether numbers are converted before they are moved, in the source's order.
bool converts_first(const xlashape_relayout_ir& ir);
// Bytes of a number in the buffer of a block.
int64_t scratch_width(const xlashape_relayout_ir& ir);

// Of a block: its numbers as they are moved, and those of a packed source before they are converted.
struct BlockBuffers {
  char *numbers, *unpacked;
};

// One block: where it is, and how many indices of each axis it has.
struct ValueBlock {
  int64_t src, dst, channel;
  int64_t extent[kMaxSimdLoops];
};

class BlockMover {
 public:
  BlockMover(const Kernels& kernels, const xlashape_relayout_ir& ir, Store store, const char* src, char* dst,
             const BlockBuffers& buffers, TilePlan (&tiles)[2]);

  // A part's share of the blocks of the nest within these ranges, each of at most so many elements.
  void rectangle(const backends::LoopRange* ranges, int64_t most, const TaskRange& part);

 private:
  // One side of a step: an array, or a buffer with strides of its own.
  struct Place {
    char* base;
    int64_t at;
    const int64_t* strides;      // of a buffer
    int64_t ValueAxis::*stride;  // of an array
  };
  static Place place(const char* base, int64_t at, int64_t ValueAxis::*stride) {
    return {const_cast<char*>(base), at, nullptr, stride};
  }
  int64_t stride(const Place& place, int a) const {
    return place.strides != nullptr ? place.strides[a] : blocks_->axis[a].*place.stride;
  }

  // The stride on the side that is converted, which the scratch buffer's order follows.
  int64_t near(int a) const { return first_ ? blocks_->axis[a].src : blocks_->axis[a].dst; }

  void order_axes();
  void move(const ValueBlock& block);
  // Converts the block's runs.
  void walk(const ValueBlock& block, const Place& src, const Place& dst) const;
  void convert(char* to, const char* from, int64_t count, int64_t to_step, int64_t from_step, RunChannel channel,
               bool into_scratch, bool follows) const;
  // Packed elements from the highest bits of a byte on: runs of whole bytes, in the order of this side.
  void turned(const ValueBlock& block, const Place& array, char* bytes, bool unpacks) const;
  // Moves the block's containers, which have as many bits on both sides, or are packed on one and bytes on the other.
  void move(const ValueBlock& block, const Place& src, int src_bits, const Place& dst, int dst_bits);
  // Two plans are kept, as whole blocks alternate with those at an edge.
  const TilePlan& plan_of(const ValueBlock& block, const StridedAxis* axes, int64_t width, Store store);

  const Kernels& kernels_;
  const xlashape_relayout_ir& ir_;
  const Store store_;
  const char* const src_;
  char* const dst_;
  const BlockBuffers buffers_;
  const bool first_;
  const int src_bytes_, dst_bytes_;
  const Converter converter_;
  const Blocks* blocks_ = nullptr;
  const char* next_ = nullptr;  // the source of the next block
  bool direct_ = false;
  int order_[kMaxSimdLoops];  // of the axes, by rising strides on the side that is converted
  TilePlan (&tiles_)[2];
  int64_t kept_[2][kMaxSimdLoops];  // the extents of the blocks that they are for
  bool is_kept_[2] = {};
  int last_ = 0;
};

}  // namespace xlashape::simd
