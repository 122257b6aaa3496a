/* SPDX-License-Identifier: Apache-2.0 */
// How a rectangle of a nest is cut into blocks, whose numbers are converted and moved one block after the other.
#pragma once
#include <algorithm>
#include <cstdint>

#include "backends/common/guarded_loops.h"
#include "backends/simd/limits.h"
#include "xlashape_backend.h"

namespace xlashape::simd {

// Of a container, as numbers are converted: a packed one is a byte then.
inline int container_bytes(int container_bits) { return std::max(container_bits, 8) / 8; }
inline bool is_packed(int container_bits) { return container_bits < 8; }

struct ValueAxis {
  int64_t count, src, dst, channel;
};

// A rectangle of a nest, cut into blocks.
struct Blocks {
  int axes = 0;
  ValueAxis axis[kMaxSimdLoops];  // by falling strides of the destination
  int64_t chunk[kMaxSimdLoops];   // indices of each that a block has; the last block may have less
  int64_t src = 0, dst = 0, channel = 0;
  int64_t count = 1;

  int cut = -1;  // the axis whose first block is shorter, by so many indices
  int64_t shift = 0;

  int64_t parts(int a) const { return backends::divide_up(axis[a].count + (a == cut ? shift : 0), chunk[a]); }
  // Where a part begins.
  int64_t begin(int a, int64_t part) const {
    return std::clamp<int64_t>(part * chunk[a] - (a == cut ? shift : 0), 0, axis[a].count);
  }
  // Cuts where lines of the destination begin, if they do so alike in all blocks.
  void begin_at_lines(const char* memory, int64_t width);
};

// Blocks of at most so many elements. False where the rectangle is empty.
bool make_blocks(const xlashape_relayout_ir& ir, const backends::LoopRange* ranges, int64_t most, Blocks* blocks);

}  // namespace xlashape::simd
