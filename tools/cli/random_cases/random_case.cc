// SPDX-License-Identifier: Apache-2.0
#include "random_case.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "cli/base/human.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kMostElements = 3000;
constexpr int64_t kMostBytes = int64_t{128} << 10;

Integers random_dimensions(Random& random, int64_t rank) {
  Integers dimensions(static_cast<size_t>(rank));
  int64_t elements = 1;
  for (int64_t& size : dimensions) {
    const int64_t limit =
        std::min<int64_t>(kMostElements / std::max<int64_t>(elements, 1), random.chance(20) ? 200 : 12);
    size = random.chance(3) ? 0 : random.chance(15) ? 1 : 1 + random.below(std::max<int64_t>(limit, 1));
    elements *= std::max<int64_t>(size, 1);
  }
  Integers mixed;  // the large ones anywhere
  for (const int64_t place : shuffled(random, rank)) mixed.push_back(dimensions[static_cast<size_t>(place)]);
  return mixed;
}

std::vector<Integers> random_tiles(Random& random, int64_t rank) {
  std::vector<Integers> tiles;
  if (!random.chance(65)) return tiles;
  static constexpr int64_t kUsual[] = {1, 2, 2, 3, 4, 4, 5, 7, 8, 16};
  const int64_t levels = 1 + random.below(3);
  int64_t physical = rank;
  for (int64_t level = 0; level < levels; ++level) {
    const int64_t length =
        1 + random.below(std::min<int64_t>(std::max<int64_t>(physical, 1) + (random.chance(10) ? 1 : 0), 4));
    Integers tile(static_cast<size_t>(length));
    for (int64_t& size : tile) size = random.any(kUsual);
    if (length == 2 && level == 0 && random.chance(15)) tile = {8, 128};
    for (size_t i = 0; i + 1 < tile.size(); ++i)
      if (random.chance(8)) tile[i] = XLASHAPE_COMBINE_DIMENSION;
    if (random.chance(6)) tile.back() = XLASHAPE_MATCH_DIMENSION;
    physical = std::max(physical, length) + length;
    tiles.push_back(std::move(tile));
  }
  return tiles;
}

LayoutSpec random_layout(Random& random, ElementType type, const Integers& dimensions) {
  LayoutSpec spec;
  const auto rank = static_cast<int64_t>(dimensions.size());
  spec.minor_to_major = shuffled(random, rank);
  if (random.chance(25) && rank > 0) {
    spec.padded_dimensions = dimensions;
    for (int64_t& size : spec.padded_dimensions) size += random.chance(50) ? random.below(4) : 0;
  }
  if (random.chance(40)) spec.padding_value = static_cast<PaddingValue>(random.below(6));
  spec.tiles = random_tiles(random, rank);
  static constexpr int64_t kTails[] = {2, 3, 8, 64, 128};
  if (random.chance(15)) spec.tail_padding_alignment_in_elements = random.any(kTails);
  const int64_t bits = type == ElementType::kPred ? 1 : value_bits(type);
  if (random.chance(30)) {
    static constexpr int64_t kContainers[] = {1, 2, 4, 8, 16, 32, 64, 128};
    const int64_t container = random.any(kContainers);
    if (container >= bits) spec.element_size_in_bits = container;
  }
  // Packs elements where the type allows it.
  if (bits < 8 && random.chance(60)) spec.element_size_in_bits = bits;
  return spec;
}

// A shape with a random layout within the limits; row-major after too many attempts.
Shape random_shape(Random& random, ElementType type, const Integers& dimensions) {
  for (int attempt = 0; attempt < 20; ++attempt)
    if (auto shape = laid_out(type, dimensions, random_layout(random, type, dimensions), kMostBytes)) return *shape;
  return Shape::array(type, dimensions, Layout::row_major(static_cast<int64_t>(dimensions.size())));
}

}  // namespace

uint64_t Random::next() {
  uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

int64_t Random::below(int64_t limit) { return static_cast<int64_t>(next() % static_cast<uint64_t>(limit)); }

Integers shuffled(Random& random, int64_t count) {
  Integers order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (int64_t i = count - 1; i > 0; --i)
    std::swap(order[static_cast<size_t>(i)], order[static_cast<size_t>(random.below(i + 1))]);
  return order;
}

ElementType random_type(Random& random) {
  ElementType type = ElementType::kInvalid;
  while ((xlashape::classes(type) & XLASHAPE_CLASS_ARRAY) == 0)
    type = static_cast<ElementType>(random.below(40));  // some numbers are not types
  return type;
}

Integers random_strides(Random& random, int64_t width, const Integers& dimensions, bool source) {
  Integers strides(dimensions.size());
  int64_t span = width;
  for (const int64_t dimension : shuffled(random, static_cast<int64_t>(dimensions.size()))) {
    const auto d = static_cast<size_t>(dimension);
    if (random.chance(25)) span += random.below(9);
    strides[d] = random.chance(25) ? -span : span;
    if (source && random.chance(10)) strides[d] = 0;
    if (dimensions[d] == 1 && random.chance(30)) strides[d] = random.below(1000) - 500;
    span *= std::max<int64_t>(dimensions[d], 1);
  }
  return strides;
}

std::optional<Shape> laid_out(ElementType type, const Integers& dimensions, const LayoutSpec& spec,
                              int64_t most_bytes) {
  const Result<Shape> shape = Layout::try_create(spec).and_then(
      [&](const Layout& layout) { return Shape::try_array(type, dimensions, layout); });
  if (!shape) return std::nullopt;
  const Result<Sizes> sizes = shape->try_sizes();
  return sizes && sizes->bytes <= most_bytes ? std::optional(*shape) : std::nullopt;
}

int64_t element_bytes(ElementType type) { return (value_bits(type) + 7) / 8; }

namespace {

// Strides in elements; returns the first one's number, of which none is before 0.
int64_t add_strides(Random& random, const Integers& dimensions, bool source, Integers* strides) {
  *strides = random_strides(random, 1, dimensions, source);
  int64_t first = random.below(9);
  for (size_t d = 0; d < dimensions.size(); ++d)
    if (dimensions[d] > 1 && (*strides)[d] < 0) first -= (*strides)[d] * (dimensions[d] - 1);
  return first;
}

Request request_between(Random& random, ElementType type, ElementType dst_type) {
  const int64_t rank = random.chance(5) ? 0 : 1 + random.below(5);
  Integers from = random_dimensions(random, rank), to = from;
  Request request;
  if (rank > 0 && random.chance(30)) {
    for (size_t d = 0; d < from.size(); ++d) {
      const int64_t shared = 1 + random.below(std::max<int64_t>(from[d], 1));
      from[d] = std::max<int64_t>(from[d], 1);
      to[d] = random.chance(40) ? shared : shared + random.below(6);
      const int64_t size = random.chance(3) ? 0 : random.chance(30) ? 1 + random.below(shared) : shared;
      request.extent.push_back(size);
      request.src_base.push_back(random.below(from[d] - size + 1));
      request.dst_base.push_back(random.below(to[d] - size + 1));
    }
    if (random.chance(10)) request.src_base.clear();
    if (random.chance(10)) request.dst_base.clear();
  }
  request.src = random_shape(random, type, from);
  request.dst = random.chance(10) && from == to && type == dst_type ? request.src : random_shape(random, dst_type, to);
  if (rank > 0 && random.chance(12))
    request.src_byte_strides = random_strides(random, element_bytes(type), from, true);
  else if (random.chance(12))
    request.src_first_element = add_strides(random, from, true, &request.src_element_strides);
  if (rank > 0 && random.chance(12))
    request.dst_byte_strides = random_strides(random, element_bytes(dst_type), to, false);
  else if (random.chance(12))
    request.dst_first_element = add_strides(random, to, false, &request.dst_element_strides);
  request.fill_policy = static_cast<FillPolicy>(random.chance(60) ? 0 : random.below(3));
  return request;
}

// A type whose values are single numbers.
ElementType random_number(Random& random) {
  while (true)
    if (const ElementType type = random_type(random); (classes(type) & XLASHAPE_CLASS_COMPLEX) == 0) return type;
}

// Scales where the types can have some, for all values or for each index of a dimension.
void add_scales(Random& random, Request* request) {
  const auto is = [](const Shape& shape, uint32_t kind) { return (classes(shape.element_type()) & kind) != 0; };
  const Shape &src = request->src, &dst = request->dst;
  const int64_t src_bits = value_bits(src.element_type()), dst_bits = value_bits(dst.element_type());
  const bool from_float = is(src, XLASHAPE_CLASS_FLOAT), to_float = is(dst, XLASHAPE_CLASS_FLOAT);
  if ((!from_float && !to_float) || (from_float && to_float && src_bits == dst_bits)) return;
  if ((!from_float && (src_bits > 32 || !is(src, XLASHAPE_CLASS_INTEGRAL))) ||
      (!to_float && (dst_bits > 32 || !is(dst, XLASHAPE_CLASS_INTEGRAL))))
    return;
  int64_t count = 1;
  if (src.rank() > 0 && random.chance(60)) {
    request->scale_dimension = random.below(src.rank());
    count = src.dimensions()[static_cast<size_t>(request->scale_dimension)];
  }
  for (int64_t i = 0; i < count; ++i) {
    const float scale = static_cast<float>(1 + random.below(1 << 20)) * 0x1p-16f;
    request->scale.push_back(random.chance(25) ? -scale : scale);
    if (from_float != to_float) request->zero_point.push_back(static_cast<int32_t>(random.below(281) - 140));
  }
}

}  // namespace

Request random_request(Random& random) {
  const ElementType type = random_type(random);
  return request_between(random, type, type);
}

Request random_value_request(Random& random) {
  const ElementType type = random_number(random), dst_type = random.chance(80) ? random_number(random) : type;
  Request request = request_between(random, type, dst_type);
  const auto is_packed = [](const Shape& shape, const Integers& strides) {
    return strides.empty() && container_bits(shape) < 8;
  };
  if (type != dst_type) request.flags |= XLASHAPE_PLAN_CONVERT;
  if (type != dst_type && random.chance(30)) request.flags |= XLASHAPE_PLAN_SATURATE;
  if (is_packed(request.src, request.src_byte_strides) && random.chance(50))
    request.flags |= XLASHAPE_PLAN_SRC_HIGH_FIRST;
  if (is_packed(request.dst, request.dst_byte_strides) && random.chance(50))
    request.flags |= XLASHAPE_PLAN_DST_HIGH_FIRST;
  if (type != dst_type && random.chance(40)) add_scales(random, &request);
  return request;
}

std::string request_text(const Request& request) {
  static constexpr const char* kFills[] = {"fill", "preserve", "unspecified"};
  std::string text = fmt::format("{} -> {} {}", request.src.to_string(), request.dst.to_string(),
                                 kFills[static_cast<int>(request.fill_policy)]);
  const auto add = [&](const char* name, const Integers& numbers) {
    if (!numbers.empty()) text += fmt::format(" {}=[{}]", name, joined(numbers, ","));
  };
  add("src_strides", request.src_byte_strides);
  add("dst_strides", request.dst_byte_strides);
  add("src_element_strides", request.src_element_strides);
  add("dst_element_strides", request.dst_element_strides);
  if (request.src_first_element != 0) text += fmt::format(" src_first={}", request.src_first_element);
  if (request.dst_first_element != 0) text += fmt::format(" dst_first={}", request.dst_first_element);
  add("src_base", request.src_base);
  add("dst_base", request.dst_base);
  add("extent", request.extent);
  if (request.flags & XLASHAPE_PLAN_CONVERT) text += " convert";
  if (request.flags & XLASHAPE_PLAN_SATURATE) text += " saturate";
  if (request.flags & XLASHAPE_PLAN_SRC_HIGH_FIRST) text += " src_high_first";
  if (request.flags & XLASHAPE_PLAN_DST_HIGH_FIRST) text += " dst_high_first";
  if (!request.scale.empty()) text += fmt::format(" {} scales along {}", request.scale.size(), request.scale_dimension);
  return text;
}

}  // namespace xlashape::cli
