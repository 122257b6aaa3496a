// SPDX-License-Identifier: Apache-2.0
// Arrays larger than memory: windows, which are parts of arrays that are arrays, and slabs, in which an array is moved.
#ifndef XLASHAPE_WINDOW_HPP_
#define XLASHAPE_WINDOW_HPP_

#include <xlashape_runtime.h>

#include <algorithm>

#include "box.hpp"
#include "shape.hpp"

namespace xlashape {

// What of an array's storage belongs to a box: an array of its own, whose bytes lie there in runs.
struct Window {
  Shape shape;
  std::int64_t byte_offset = 0;  // of its first byte in the array's storage
  std::int64_t bytes = 0;        // run_bytes * run_count
  std::int64_t run_bytes = 0;    // that lie together
  std::int64_t run_count = 0;    // 1: it is contiguous; 0: it has no bytes
};

// kUnsupported where that would cut a tile or a byte; window_granularity says where it may be cut.
inline Result<Window> try_window(const Shape& shape, Numbers base, Numbers extent) {
  if (base.size() != extent.size())
    return Error(Status::kInvalidArgument, "the window's base and extent differ in length");
  Result<Window> result;
  auto raw = XLASHAPE_INIT(xlashape_window);
  if (xlashape_shape_window(shape.get(), base.data(), extent.data(), extent.size(), &raw, result.record()) ==
      XLASHAPE_STATUS_OK)
    result.emplace(Window{Shape(raw.shape), raw.byte_offset, raw.bytes, raw.run_bytes, raw.run_count});
  return result;
}
XLASHAPE_THROWS inline Window window(const Shape& shape, Numbers base, Numbers extent) {
  return try_window(shape, base, extent).value();
}

// Fills `offsets` with where the runs of that window begin in the array's storage, from number `first` on.
inline Result<void> try_window_runs(const Shape& shape, Numbers base, Numbers extent, std::int64_t first,
                                    Span<std::int64_t> offsets) {
  if (base.size() != extent.size())
    return Error(Status::kInvalidArgument, "the window's base and extent differ in length");
  Result<void> result;
  if (xlashape_shape_window_runs(shape.get(), base.data(), extent.data(), extent.size(), first,
                                 detail::length(offsets), offsets.data(), result.record()) != XLASHAPE_STATUS_OK)
    return result.error();
  return result;
}
XLASHAPE_THROWS inline std::vector<std::int64_t> window_runs(const Shape& shape, Numbers base, Numbers extent,
                                                             std::int64_t first, std::int64_t count) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>((std::max)(count, std::int64_t{0})));
  try_window_runs(shape, base, extent, first, offsets).value();
  return offsets;
}

// Windows begin and end at multiples of these, dimension by dimension, or at a dimension's end.
inline Result<std::vector<std::int64_t>> try_window_granularity(const Shape& shape) {
  return detail::list<std::int64_t>(xlashape_shape_window_granularity, shape.get());
}
XLASHAPE_THROWS inline std::vector<std::int64_t> window_granularity(const Shape& shape) {
  return try_window_granularity(shape).value();
}

// Boxes of one extent, in which an array is moved that does not fit into memory; those at an end may be smaller.
struct Slabs {
  struct Slab {
    std::vector<std::int64_t> base, extent;
  };

  std::vector<std::int64_t> dimensions, extent;
  std::vector<std::int64_t> order;  // the fastest dimension first: the destination's
  std::int64_t count = 0;
  std::int64_t src_bytes = 0, dst_bytes = 0;  // of the largest windows of both sides
  std::int64_t src_runs = 0, dst_runs = 0;    // to be read and written for all of them, at most

  // Number 0 to count - 1, in the order of the destination's storage.
  XLASHAPE_THROWS Slab slab(std::int64_t number) const {
    const Box all{std::vector<std::int64_t>(dimensions.size()), dimensions, extent, order};
    Slab slab{all.index_at(number), extent};
    for (std::size_t d = 0; d < extent.size(); ++d)
      slab.extent[d] = (std::min)(extent[d], dimensions[d] - slab.base[d]);
    return slab;
  }
};

// For a relayout between these shapes with at most `max_bytes` bytes in memory, the windows of both sides together.
// kOutOfRange where the smallest ones take more.
XLASHAPE_THROWS inline Result<Slabs> try_slabs(const Shape& src, const Shape& dst, std::int64_t max_bytes) {
  Result<Slabs> result;
  auto raw = XLASHAPE_INIT(xlashape_slabs);
  Slabs slabs;
  slabs.extent.resize(static_cast<std::size_t>(src.rank()));
  std::int64_t needed = 0;
  if (xlashape_relayout_slabs(src.get(), dst.get(), max_bytes, slabs.extent.data(), src.rank(), &needed, &raw,
                              result.record()) != XLASHAPE_STATUS_OK)
    return result;
  slabs.dimensions = src.dimensions();
  if (dst.has_layout()) slabs.order = dst.layout().minor_to_major();
  slabs.count = raw.count;
  slabs.src_bytes = raw.src_bytes;
  slabs.dst_bytes = raw.dst_bytes;
  slabs.src_runs = raw.src_runs;
  slabs.dst_runs = raw.dst_runs;
  result.emplace(std::move(slabs));
  return result;
}
XLASHAPE_THROWS inline Slabs slabs(const Shape& src, const Shape& dst, std::int64_t max_bytes) {
  return try_slabs(src, dst, max_bytes).value();
}

}  // namespace xlashape

#endif  // XLASHAPE_WINDOW_HPP_
