#include "difference.h"

#include <fmt/core.h>

#include "cli/base/human.h"

namespace xlashape::cli {
namespace {

// Both numbers for the array with other parts in its layout. None where there is no such array or size.
struct Numbers {
  int64_t exact, xla;
  friend bool operator==(const Numbers&, const Numbers&) = default;
};
std::optional<Numbers> numbers_with(const Shape& shape, const LayoutParts& parts) {
  const Result<Layout> layout = Layout::try_of_parts(parts);
  if (!layout) return std::nullopt;
  const Result<Shape> other = shape.try_with_layout(*layout);
  if (!other) return std::nullopt;
  const Result<Sizes> sizes = other->try_sizes();
  if (!sizes) return std::nullopt;
  return Numbers{sizes->bytes, sizes->xla_bytes};
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

void add(std::string* list, const std::string& cause) { *list += (list->empty() ? "" : "; ") + cause; }

}  // namespace

// Each part of the layout that the two numbers treat differently is taken away, and what changes then is its cause.
Difference xla_difference(const Facts& facts) {
  Difference found;
  if (!facts.sizes || !facts.layout || facts.sizes->exact.xla_bytes == facts.sizes->exact.bytes) return found;
  const Numbers all = {facts.sizes->exact.bytes, facts.sizes->exact.xla_bytes};
  if (all.xla < 0) {
    found.why = "XLA's own arithmetic overflows";
    return found;
  }
  LayoutParts parts = facts.layout.parts();
  Numbers rest = all;
  if (!parts.splits.empty()) {
    parts.splits.clear();
    if (const std::optional<Numbers> without = numbers_with(facts.shape, parts); without && without->xla != rest.xla) {
      found.split = true;
      add(&found.why, "the layout is split (SC): bytes are those in all, XLA's the largest part, which one core holds");
      rest = *without;
    }
  }
  if (parts.tiles.size() > 1 && rest.exact != rest.xla) {
    const std::vector<Integers> tiles = parts.tiles;
    parts.tiles.resize(1);
    if (const std::optional<Numbers> without = numbers_with(facts.shape, parts);
        without && without->exact != rest.exact) {
      const std::string inner = tiles_text(tiles, 1);
      add(&found.why,
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
  if (parts.tail_padding_alignment_in_elements > 1 && rest.exact != rest.xla) {
    const int64_t tail = parts.tail_padding_alignment_in_elements;
    parts.tail_padding_alignment_in_elements = 1;
    if (const std::optional<Numbers> without = numbers_with(facts.shape, parts); without && *without != rest) {
      add(&found.why,
          fmt::format("XLA counts the rounding of L({}) only in layouts with tiles, and after the first", tail));
      rest = *without;
    }
  }
  if (rest.exact != rest.xla) add(&found.why, "XLA counts the first tile alone");
  return found;
}

}  // namespace xlashape::cli
