// SPDX-License-Identifier: Apache-2.0
#include "facts.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/base/failure.h"
#include "cli/base/human.h"

namespace xlashape::cli {
namespace {

std::optional<Integers> strides_in(const Shape& shape, Unit unit, std::string* why_not) {
  if (shape.rank() == 0) return Integers();  // a scalar has none, whatever its layout
  Result<Integers> strides = shape.try_strides(unit);
  if (strides) return *std::move(strides);
  *why_not = strides.error().message();
  return std::nullopt;
}

std::vector<Integers> tiles_of(const Layout& layout) {
  // A limit, as several loops go over all tile levels.
  constexpr int64_t kMostLevels = 10000;
  if (layout.tile_count() > kMostLevels) fail_unsupported("more than {} levels of tiles", kMostLevels);
  return layout.spec().tiles;
}

// Products here can only overflow for empty arrays.
int64_t times(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

// Relates the first tile level to the physical dimensions.
void cut(Facts* facts) {
  if (facts->tiles.empty() || !facts->sizes) return;
  const Integers& tile = facts->tiles[0];
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
    int64_t size = tile[static_cast<size_t>(sides - 1 - minor)];
    if (size == XLASHAPE_MATCH_DIMENSION) size = std::max<int64_t>(bound, 1);
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

std::string tile_size_text(int64_t size) {
  return size == XLASHAPE_COMBINE_DIMENSION ? "*" : size == XLASHAPE_MATCH_DIMENSION ? "d" : std::to_string(size);
}

std::optional<SizesWithWaste> sizes_with_waste(const Shape& array, std::string* why_not) {
  const Result<Sizes> exact = array.try_sizes();
  if (!exact) {
    if (why_not != nullptr) *why_not = exact.error().message();
    return std::nullopt;
  }
  SizesWithWaste sizes = {*exact, exact->logical_bytes, std::nullopt};
  const int64_t bits = storage_bits(array.element_type());
  if (exact->element_bits > bits) sizes.logical_bytes = exact->elements * (bits / 8);
  if (sizes.logical_bytes > 0)
    sizes.waste_ratio = static_cast<double>(exact->bytes) / static_cast<double>(sizes.logical_bytes);
  return sizes;
}

Facts facts_of(const Shape& array, std::optional<Target> target) {
  Facts facts;
  facts.shape = array;
  facts.layout = layout_of(array);
  if (target && (!facts.layout || facts.layout == Layout::row_major(0))) {
    facts.shape = for_target(array, *target);
    facts.layout = layout_of(facts.shape);
    facts.chosen = true;
  }
  if (target && facts.layout)
    if (const Result<std::string> space = try_memory_space_name(*target, facts.layout.memory_space()))
      facts.memory_space_name = *space;
  facts.type = array.element_type();
  facts.dimensions = array.dimensions();
  facts.dynamic = array.dynamic_dimensions();
  facts.rank = array.rank();
  facts.true_rank = array.true_rank();
  facts.unbounded = array.is_unbounded();
  facts.padded = facts.dimensions;
  facts.minor_to_major = order_of(facts.shape);
  if (facts.layout) {
    facts.tiles = tiles_of(facts.layout);
    if (Integers padded = facts.layout.padded_dimensions(); !padded.empty()) facts.padded = std::move(padded);
  }
  facts.sizes = sizes_with_waste(facts.shape, &facts.no_sizes);
  std::string ignored;
  facts.strides = strides_in(facts.shape, Unit::kElements, &facts.no_strides);
  if (facts.strides) facts.byte_strides = strides_in(facts.shape, Unit::kBytes, &ignored);
  cut(&facts);
  return facts;
}

Facts facts_of(const Leaf& leaf, std::optional<Target> target) {
  return as_failures([&] { return facts_of(leaf.shape, target); }, leaf.path);
}

std::vector<Leaf> leaves_of(const Shape& tuple) {
  struct Level {
    Shape shape;
    int64_t next;
  };
  std::vector<Leaf> leaves;
  std::vector<Level> open;
  int64_t paths = 0;
  open.push_back({tuple, 0});
  while (!open.empty()) {
    Level& level = open.back();
    if (level.next == level.shape.tuple_element_count()) {
      open.pop_back();
      continue;
    }
    Shape element = level.shape.tuple_element(level.next++);
    if (element.category() == Category::kTuple) {
      open.push_back({std::move(element), 0});
      continue;
    }
    std::string path = "{";
    for (const Level& at : open) {
      if (path.size() > 1) path += ',';
      path += std::to_string(at.next - 1);
    }
    path += '}';
    // A path is as long as its leaf is deep: all paths together may be far more text than the tuple's text.
    constexpr int64_t kMostPaths = int64_t{16} << 20;
    if ((paths += static_cast<int64_t>(path.size())) > kMostPaths)
      fail_unsupported("the paths of its leaves alone are more than {} of text", human_size(kMostPaths));
    leaves.push_back({std::move(path), std::move(element)});
  }
  return leaves;
}

namespace {

// Both numbers for the array with other fields in its layout. None where there is no such array or size.
struct BothSizes {
  int64_t exact, xla;
  friend bool operator==(const BothSizes&, const BothSizes&) = default;
};
std::optional<BothSizes> sizes_with(const Shape& shape, const LayoutSpec& spec) {
  const Result<Layout> layout = Layout::try_create(spec);
  if (!layout) return std::nullopt;
  const Result<Shape> other = shape.try_with_layout(*layout);
  if (!other) return std::nullopt;
  const Result<Sizes> sizes = other->try_sizes();
  if (!sizes) return std::nullopt;
  return BothSizes{sizes->bytes, sizes->xla_bytes};
}

std::string tiles_text(const std::vector<Integers>& tiles, size_t first) {
  std::string text;
  for (size_t level = first; level < tiles.size(); ++level) {
    text += "(";
    for (size_t i = 0; i < tiles[level].size(); ++i) text += (i > 0 ? "," : "") + tile_size_text(tiles[level][i]);
    text += ")";
  }
  return text;
}

void add_cause(std::string* list, const std::string& cause) { *list += (list->empty() ? "" : "; ") + cause; }

}  // namespace

// Each part of the layout that the two numbers treat differently is taken away, and what changes then is its cause.
Difference xla_difference(const Facts& facts) {
  Difference found;
  if (!facts.sizes || !facts.layout || facts.sizes->exact.xla_bytes == facts.sizes->exact.bytes) return found;
  const BothSizes all = {facts.sizes->exact.bytes, facts.sizes->exact.xla_bytes};
  if (all.xla < 0) {
    found.why = "XLA's own arithmetic overflows";
    return found;
  }
  LayoutSpec spec = facts.layout.spec();
  BothSizes rest = all;
  if (!spec.splits.empty()) {
    spec.splits.clear();
    if (const std::optional<BothSizes> without = sizes_with(facts.shape, spec); without && without->xla != rest.xla) {
      found.split = true;
      add_cause(&found.why,
                "the layout is split (SC): bytes are those in all, XLA's the largest part, which one core holds");
      rest = *without;
    }
  }
  if (spec.tiles.size() > 1 && rest.exact != rest.xla) {
    const std::vector<Integers> tiles = spec.tiles;
    spec.tiles.resize(1);
    if (const std::optional<BothSizes> without = sizes_with(facts.shape, spec);
        without && without->exact != rest.exact) {
      const std::string inner = tiles_text(tiles, 1);
      add_cause(&found.why,
                fmt::format("XLA counts the first tile alone, and the inner ones, {}, pad what it leaves", inner));
      found.warnings.push_back(fmt::format(
          "the layout contradicts itself: {} does not divide what T{} leaves. {} {}, by the first tile; the layout "
          "places elements in {}",
          inner, tiles_text({tiles[0]}, 0),
          found.split ? "Without the split compilers would allocate" : "Compilers allocate", counted(rest.xla, "byte"),
          counted(rest.exact, "byte")));
      rest = *without;
    }
  }
  if (spec.tail_padding_alignment_in_elements > 1 && rest.exact != rest.xla) {
    const int64_t tail = spec.tail_padding_alignment_in_elements;
    spec.tail_padding_alignment_in_elements = 1;
    if (const std::optional<BothSizes> without = sizes_with(facts.shape, spec); without && *without != rest) {
      add_cause(&found.why,
                fmt::format("XLA counts the rounding of L({}) only in layouts with tiles, and after the first", tail));
      rest = *without;
    }
  }
  if (rest.exact != rest.xla) add_cause(&found.why, "XLA counts the first tile alone");
  return found;
}

}  // namespace xlashape::cli
