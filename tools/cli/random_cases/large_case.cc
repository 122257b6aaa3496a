// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "random_case.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kUsual[] = {16, 64, 128, 256, 512, 1024, 2048, 4096, 65536};

// One less, equal or one more; in bytes or in elements; alone or some of them.
int64_t noted_size(Random& random, int64_t width) {
  int64_t size = random.any(kUsual);
  if (random.chance(50)) size = std::max<int64_t>(size / width, 1);
  if (random.chance(15)) size *= 1 + random.below(5);
  return std::max<int64_t>(size + random.below(3) - 1, 1);
}

Integers large_dimensions(Random& random, int64_t width, int64_t bytes) {
  const int64_t rank = 2 + random.below(5);
  const int64_t most = std::max<int64_t>(bytes / width, 1);
  Integers dimensions;
  int64_t elements = 1;
  const int64_t noted = 1 + random.below(std::min<int64_t>(rank, 3));
  for (int64_t d = 0; d < rank; ++d) {
    int64_t size = d < noted ? noted_size(random, width) : random.chance(20) ? 1 : 1 + random.below(12);
    if (d + 1 == rank && random.chance(70))
      size = std::max<int64_t>(most / elements - random.below(3), 1);  // up to the size
    // Usually leaves room for the other dimensions.
    const int64_t left = std::max<int64_t>(most / elements / (d + 1 == rank || random.chance(10) ? 1 : 4), 1);
    if (size > left) size = d < noted && random.chance(50) ? 1 + noted_size(random, width) % left : left;
    elements *= size;
    dimensions.push_back(size);
  }
  Integers mixed;
  for (const int64_t place : shuffled(random, rank)) mixed.push_back(dimensions[static_cast<size_t>(place)]);
  return mixed;
}

std::vector<Integers> large_tiles(Random& random, int64_t rank, int64_t bits) {
  const int64_t kind = random.below(100);
  if (kind < 40) return {};
  if (kind < 75) {  // as TPU compilers make them
    static constexpr int64_t kRows[] = {1, 2, 4, 8, 8, 8, 16};
    std::vector<Integers> tiles = {{random.any(kRows), 128}};
    if (random.chance(15)) tiles = {{1024}};
    if (bits < 32 && random.chance(70)) tiles.push_back({32 / std::max<int64_t>(bits, 1), 1});
    return tiles;
  }
  static constexpr int64_t kOdd[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 32, 33, 64, 100, 128, 257};
  std::vector<Integers> tiles;
  const int64_t levels = 1 + random.below(2);
  for (int64_t level = 0; level < levels; ++level) {
    Integers tile;
    const int64_t length = 1 + random.below(std::min<int64_t>(rank, 3));
    for (int64_t i = 0; i < length; ++i) tile.push_back(random.any(kOdd));
    // Merged dimensions have no tables: a few of them are enough.
    if (length > 1 && random.chance(4)) tile[0] = XLASHAPE_COMBINE_DIMENSION;
    tiles.push_back(std::move(tile));
  }
  return tiles;
}

LayoutSpec large_layout(Random& random, ElementType type, const Integers& dimensions) {
  LayoutSpec spec;
  const auto rank = static_cast<int64_t>(dimensions.size());
  const int64_t bits = value_bits(type);
  spec.minor_to_major = shuffled(random, rank);
  if (random.chance(20)) {
    spec.padded_dimensions = dimensions;
    for (int64_t& size : spec.padded_dimensions) size += random.chance(50) ? random.below(5) : 0;
  }
  if (random.chance(30)) spec.padding_value = static_cast<PaddingValue>(random.below(6));
  spec.tiles = large_tiles(random, rank, bits);
  static constexpr int64_t kTails[] = {3, 128, 1000, 4096};
  if (random.chance(10)) spec.tail_padding_alignment_in_elements = random.any(kTails);
  if (bits < 8 && random.chance(60)) spec.element_size_in_bits = bits;
  if (random.chance(8)) {
    static constexpr int64_t kContainers[] = {8, 16, 32, 64};
    const int64_t container = random.any(kContainers);
    if (container >= bits) spec.element_size_in_bits = container;
  }
  return spec;
}

Shape large_shape(Random& random, ElementType type, const Integers& dimensions, int64_t bytes) {
  const int64_t most = std::min<int64_t>(4 * bytes + 4096, kLargeBytes);
  for (int attempt = 0; attempt < 20; ++attempt)
    if (auto shape = laid_out(type, dimensions, large_layout(random, type, dimensions), most)) return *shape;
  return Shape::array(type, dimensions, Layout::row_major(static_cast<int64_t>(dimensions.size())));
}

// The layout of `shape` with other row widths, which becomes copies of separate rows.
Shape alike(Random& random, const Shape& shape, const Integers& dimensions, int64_t bytes, bool longest) {
  LayoutSpec spec = layout_of(shape).spec();
  spec.tail_padding_alignment_in_elements = 1;
  if (longest)  // long rows: the longest dimension is the fastest
    std::stable_sort(spec.minor_to_major.begin(), spec.minor_to_major.end(), [&](int64_t a, int64_t b) {
      return dimensions[static_cast<size_t>(a)] > dimensions[static_cast<size_t>(b)];
    });
  if (longest || random.chance(70)) spec.tiles.clear();
  spec.padded_dimensions.clear();
  if (random.chance(75)) {
    spec.padded_dimensions = dimensions;
    for (int64_t& size : spec.padded_dimensions) size += random.chance(50) ? random.below(70) : 0;
  }
  return laid_out(shape.element_type(), dimensions, spec, 4 * bytes + 4096).value_or(shape);
}

bool fits(ElementType type, const Integers& dimensions, const Integers& strides, int64_t bytes) {
  int64_t span = (value_bits(type) + 7) / 8;
  for (size_t d = 0; d < strides.size(); ++d) span += std::abs(strides[d]) * (dimensions[d] - 1);
  return span <= 4 * bytes + 4096;
}

// Rows that are apart on one side or on both, by padding or by strides: each a few lines to a few pages long.
Request rows_request(Random& random, ElementType type) {
  const int64_t width = (value_bits(type) + 7) / 8;
  static constexpr int64_t kRows[] = {512, 2048, 4096, 4096, 8192, 16384, 65536};
  const int64_t row = std::max<int64_t>(
      random.any(kRows) / width * (1 + random.below(3)) / (1 + random.below(3)) + random.below(9) - 4, 1);
  const int64_t most = std::max<int64_t>((int64_t{1} << (16 + random.below(6))) / (row * width), 2);
  Integers dimensions = {1 + most / 2 + random.below(most), row};
  if (random.chance(40)) dimensions.insert(dimensions.begin(), 1 + random.below(4));
  const auto rank = static_cast<int64_t>(dimensions.size());
  Request request;
  const auto side = [&](Shape* shape, Integers* strides) {
    LayoutSpec spec = Layout::row_major(rank).spec();
    spec.padded_dimensions = dimensions;
    const int64_t kind = random.below(3);
    if (kind == 0) spec.padded_dimensions.back() += random.below(random.chance(50) ? 9 : 200);
    *shape = Shape::array(type, dimensions, Layout::create(spec));
    if (kind != 1) return;
    strides->assign(dimensions.size(), width);
    for (size_t d = dimensions.size() - 1; d-- > 0;)
      (*strides)[d] = (*strides)[d + 1] * dimensions[d + 1] + random.below(random.chance(50) ? 9 : 5000);
  };
  side(&request.src, &request.src_byte_strides);
  side(&request.dst, &request.dst_byte_strides);
  request.fill_policy = static_cast<FillPolicy>(random.below(3));
  return request;
}

}  // namespace

Request large_request(Random& random) {
  const ElementType type = random_type(random);
  if (random.chance(15)) return rows_request(random, type);
  const int64_t width = (value_bits(type) + 7) / 8;
  // Most are around a megabyte, one in fifty is much larger.
  const int64_t doublings = random.chance(2) ? 8 + random.below(3) : random.below(random.chance(70) ? 5 : 8);
  const int64_t bytes = (int64_t{1} << (16 + doublings)) * (50 + random.below(51)) / 100;
  Integers from = large_dimensions(random, width, bytes), to = from;
  Request request;
  if (random.chance(25)) {
    for (size_t d = 0; d < from.size(); ++d) {
      const int64_t size = random.chance(50) ? from[d] : std::max<int64_t>(from[d] - random.below(40), 1);
      if (random.chance(50)) to[d] = size + random.below(6);
      const int64_t extent = std::min(size, to[d]);
      request.extent.push_back(extent);
      request.src_base.push_back(random.below(from[d] - extent + 1));
      request.dst_base.push_back(random.below(to[d] - extent + 1));
    }
  }
  request.src = large_shape(random, type, from, bytes);
  request.dst = random.chance(10) && from == to ? request.src : large_shape(random, type, to, bytes);
  if (from == to && random.chance(45)) {
    const bool longest = random.chance(60);
    if (longest || random.chance(50)) request.src = alike(random, request.src, from, bytes, longest);
    request.dst = alike(random, request.src, to, bytes, longest);
  }
  Integers strides = random_strides(random, element_bytes(type), from, true);
  if (random.chance(15) && fits(type, from, strides, bytes)) request.src_byte_strides = strides;
  strides = random_strides(random, element_bytes(type), to, false);
  if (random.chance(15) && fits(type, to, strides, bytes)) request.dst_byte_strides = strides;
  request.fill_policy = static_cast<FillPolicy>(random.chance(70) ? 0 : random.below(3));
  return request;
}

}  // namespace xlashape::cli
