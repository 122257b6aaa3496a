/* SPDX-License-Identifier: Apache-2.0 */
// A blocked format as a sequence: what oneDNN's tags, linalg.pack and affine maps all say, and XLA says in tiles. The
// parts of the dimensions, most major first: nChw16c of [N,C,H,W] is 0, 1, 2, 3, 16 of 1.
#pragma once
#include <span>
#include <string>

#include "shape/shape.h"

namespace xlashape::core {

// A part of a dimension. Its outermost one has what the others leave (extent 0), and stands before them.
struct Block {
  int32_t dimension;
  int64_t extent;
};
using Blocks = SmallVec<Block, 12>;

inline constexpr int64_t kRest = 0;  // the extent of the outermost part

// The layout whose memory has these parts: a dimension's size is padded to a multiple of its blocks' product. Each
// dimension has one kRest, before its blocks; other extents are positive. UNSUPPORTED where a size does not fit.
Status layout_from_blocks(std::span<const int64_t> dimensions, const Blocks& blocks, Ref<Layout>* layout, Error* err);

// The parts of an array that has an order and tiles, and nothing else that says where its elements are. UNSUPPORTED,
// with "`format` cannot express that", for tiles that do not divide each other, and for merged dimensions.
Status blocks_of(const Shape& array, const char* format, Blocks* blocks, Error* err);

}  // namespace xlashape::core
