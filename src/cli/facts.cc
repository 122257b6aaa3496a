#include "facts.h"

#include <algorithm>

#include "human.h"

namespace xlashape::cli {
namespace {

std::optional<Numbers> strides_in(const Shape& shape, xlashape_unit unit, std::string* why_not) {
  xlashape_error err = new_error();
  const int64_t rank = xlashape_shape_rank(shape.get());
  Numbers strides(static_cast<size_t>(rank));
  int64_t needed = 0;
  // A capacity of 0 only asks for the count, and may not look any further: rank 0 has no strides to miss.
  if (rank == 0) return strides;
  if (xlashape_shape_strides(shape.get(), unit, strides.data(), rank, &needed, &err) != XLASHAPE_STATUS_OK) {
    *why_not = err.message;
    return std::nullopt;
  }
  return strides;
}

// Products here only overflow in arrays that are empty all the same.
int64_t times(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

// The first tile level met with the physical dimensions.
void cut(Facts* facts) {
  if (facts->tiles.empty() || !facts->sizes) return;
  const Numbers& tile = facts->tiles[0];
  const auto rank = static_cast<int64_t>(facts->rank);
  const auto sides = static_cast<int64_t>(tile.size());
  int64_t count = 1, elements = 1, merged = 1;
  for (int64_t minor = std::max(rank, sides) - 1; minor >= 0; --minor) {
    const int64_t dimension = minor < rank ? facts->minor_to_major[static_cast<size_t>(minor)] : -1;
    const int64_t bound = dimension >= 0 ? facts->padded[static_cast<size_t>(dimension)] : 1;
    if (minor >= sides) {
      count = times(count, bound);
      continue;
    }
    const int64_t size = tile[static_cast<size_t>(sides - 1 - minor)];
    if (size == XLASHAPE_COMBINE_DIMENSION) {
      merged = times(merged, bound);
      facts->first_tile.push_back({dimension, size, 1});
      continue;
    }
    const int64_t whole = times(merged, bound);
    merged = 1;
    const int64_t pieces = whole / size + (whole % size != 0 ? 1 : 0);
    facts->first_tile.push_back({dimension, size, pieces});
    count = times(count, pieces);
    elements = times(elements, size);
  }
  facts->tile_count = count;
  facts->tile_elements = elements;
}

}  // namespace

std::optional<Sizes> sizes_with_waste(const Shape& array, std::string* why_not) {
  Sizes sizes = {};
  sizes.exact.struct_size = sizeof sizes.exact;
  xlashape_error err = new_error();
  if (xlashape_shape_sizes(array.get(), &sizes.exact, &err) != XLASHAPE_STATUS_OK) {
    if (why_not != nullptr) *why_not = err.message;
    return std::nullopt;
  }
  const int64_t storage_bits = xlashape_element_type_storage_bits(xlashape_shape_element_type(array.get()));
  sizes.logical_bytes =
      sizes.exact.element_bits <= storage_bits ? sizes.exact.logical_bytes : sizes.exact.elements * (storage_bits / 8);
  if (sizes.logical_bytes > 0)
    sizes.waste_ratio = static_cast<double>(sizes.exact.bytes) / static_cast<double>(sizes.logical_bytes);
  return sizes;
}

Facts facts_of(const Shape& array) {
  Facts facts;
  facts.shape = array;
  facts.layout = layout_of(array);
  facts.type = xlashape_shape_element_type(array.get());
  facts.dimensions = dimensions_of(array);
  facts.dynamic = dynamic_dimensions_of(array);
  facts.rank = xlashape_shape_rank(array.get());
  facts.true_rank = xlashape_shape_true_rank(array.get());
  facts.unbounded = xlashape_shape_is_unbounded(array.get()) != 0;
  facts.padded = facts.dimensions;
  if (facts.layout) {
    facts.minor_to_major = minor_to_major_of(facts.layout);
    facts.tiles = tiles_of(facts.layout);
    if (Numbers padded = padded_dimensions_of(facts.layout); !padded.empty()) facts.padded = std::move(padded);
  } else {
    facts.minor_to_major = minor_to_major_of(row_major(facts.rank));
  }
  facts.sizes = sizes_with_waste(array, &facts.no_sizes);
  std::string ignored;
  facts.strides = strides_in(array, XLASHAPE_UNIT_ELEMENTS, &facts.no_strides);
  if (facts.strides) facts.byte_strides = strides_in(array, XLASHAPE_UNIT_BYTES, &ignored);
  cut(&facts);
  return facts;
}

std::vector<Leaf> leaves_of(const Shape& tuple) {
  struct Level {
    Shape shape;
    int64_t next;
  };
  std::vector<Leaf> leaves;
  std::vector<Level> open;
  size_t paths = 0;
  open.push_back({tuple, 0});
  while (!open.empty()) {
    Level& level = open.back();
    if (level.next == xlashape_shape_tuple_element_count(level.shape.get())) {
      open.pop_back();
      continue;
    }
    Shape element = element_of(level.shape, level.next++);
    if (xlashape_shape_category(element.get()) == XLASHAPE_CATEGORY_TUPLE) {
      open.push_back({std::move(element), 0});
      continue;
    }
    std::string path = "{";
    for (const Level& at : open) {
      if (path.size() > 1) path += ',';
      path += std::to_string(at.next - 1);
    }
    path += '}';
    // A path is as long as its leaf is deep: together they may be far more text than the tuple's own.
    constexpr size_t kMostPaths = size_t{16} << 20;
    if ((paths += path.size()) > kMostPaths)
      fail_unsupported("the paths of its leaves alone are more than {} of text", human_bytes(kMostPaths));
    leaves.push_back({std::move(path), std::move(element)});
  }
  return leaves;
}

}  // namespace xlashape::cli
