// SPDX-License-Identifier: Apache-2.0
#include "lines.h"

#include <fmt/core.h>

#include <algorithm>
#include <xlashape/reshape.hpp>

#include "best_layout.h"
#include "cli/base/array.h"
#include "cli/base/human.h"
#include "cli/base/number.h"
#include "facts.h"

namespace xlashape::cli {
namespace {

std::string named(const Facts& facts, int64_t dimension) {
  const std::string name = dimension_name(facts.rank, dimension);
  return name == std::to_string(dimension) ? "dimension " + name : name;
}

std::string tile_text(const Integers& tile) {
  std::string text = "(";
  for (const int64_t size : tile) {
    if (text.size() > 1) text += ",";
    text += tile_size_text(size);
  }
  return text + ")";
}

std::string by(const Integers& numbers) {
  std::string text;
  for (const int64_t size : numbers) {
    if (!text.empty()) text += " x ";
    text += tile_size_text(size);
  }
  return text;
}

std::string first_level(const Facts& facts) {
  std::string cut, pieces;
  bool merging = false;
  for (const TileSide& side : facts.first_tile) {
    const std::string name = side.dimension < 0 ? "an added dimension of 1" : named(facts, side.dimension);
    if (!merging && !cut.empty()) cut += " x ";
    if (side.size == XLASHAPE_COMBINE_DIMENSION) {
      cut += merging ? name + " and " : "(" + name + " and ";
      merging = true;
      continue;
    }
    if (merging) {
      const size_t open = cut.rfind('(');
      cut = fmt::format("{}{} of {}{} merged)", cut.substr(0, open), side.size, cut.substr(open), name);
      merging = false;
    } else {
      cut += fmt::format("{} of {}", side.size, name);
    }
    pieces += fmt::format("{}{}", pieces.empty() ? "" : " x ", grouped(side.pieces));
  }
  int64_t bits = 0;  // of a tile
  if (__builtin_mul_overflow(facts.tile_elements, facts.sizes->exact.element_bits, &bits)) bits = INT64_MAX;
  return fmt::format("blocks of {}: {} tiles across, {} in all, each of {} ({})", cut, pieces,
                     grouped(facts.tile_count), counted(facts.tile_elements, "element"), human_size(bits / 8));
}

std::string type_in_words(ElementType type) {
  const uint32_t classes = xlashape::classes(type);
  const int32_t bits = xlashape::bits(type);
  std::string kind = "element";
  if (type == ElementType::kPred) return "truth value, 8 bits in memory";
  if (type == ElementType::kBF16) {
    kind = "brain float";
  } else if (classes & XLASHAPE_CLASS_COMPLEX) {
    return fmt::format("complex number of two {}-bit floats, {} bits", bits / 2, bits);
  } else if (classes & XLASHAPE_CLASS_FLOAT) {
    kind = "float";
  } else if (classes & XLASHAPE_CLASS_SIGNED) {
    kind = "signed integer";
  } else if (classes & XLASHAPE_CLASS_UNSIGNED) {
    kind = "unsigned integer";
  }
  const int32_t storage = storage_bits(type);
  if (storage != bits) return fmt::format("{}, {} bit{} in {} of memory", kind, bits, bits == 1 ? "" : "s", storage);
  return fmt::format("{}, {} bits", kind, bits);
}

std::string order_in_words(const Facts& facts) {
  if (facts.rank == 0) return "a single element";
  std::string text;
  for (const int64_t dimension : facts.minor_to_major) {
    if (text.empty()) {
      text = named(facts, dimension) + " varies fastest";
    } else {
      text += ", then " + named(facts, dimension);
    }
  }
  return text;
}

std::string reverse_in_words(const Facts& facts) {
  if (facts.rank < 2) return facts.rank == 0 ? "" : "one dimension: row-major and column-major at once";
  bool rows = true, columns = true;
  for (size_t i = 0; i < facts.minor_to_major.size(); ++i) {
    columns &= facts.minor_to_major[i] == static_cast<int64_t>(i);
    rows &= facts.minor_to_major[i] == facts.rank - 1 - static_cast<int64_t>(i);
  }
  if (rows) return "row-major: dimension 0 is major";
  if (columns) return "column-major: dimension 0 is minor";
  return named(facts, facts.minor_to_major.back()) + " is the most major";
}

std::vector<std::string> tiles_in_words(const Facts& facts) {
  std::vector<std::string> lines;
  for (size_t level = 0; level < facts.tiles.size(); ++level) {
    const Integers& tile = facts.tiles[level];
    const std::string text = fmt::format("{}{}", level == 0 ? "T" : " ", tile_text(tile));
    if (level == 0 && facts.sizes) {
      lines.push_back(fmt::format("{}  {}", text, first_level(facts)));
    } else if (level == 0) {
      lines.push_back(fmt::format("{}  blocks of {}", text, by(tile)));
    } else if (tile.size() == 2 && tile[1] == 1 && tile[0] > 1) {
      lines.push_back(
          fmt::format("{}  inside: each {} neighbours along the tile's first side are stored together", text, tile[0]));
    } else {
      lines.push_back(fmt::format("{}  inside: blocks of {} of the {} most minor dimensions that the level before left",
                                  text, by(tile), tile.size()));
    }
  }
  return lines;
}

std::string braced(const Integers& numbers) { return fmt::format("{{{}}}", joined(numbers, ",")); }

std::string extent_text(const Facts& facts, size_t dimension) {
  if (facts.dimensions[dimension] == XLASHAPE_DIMENSION_UNBOUNDED) return "?";
  return (facts.dynamic[dimension] != 0 ? "<=" : "") + grouped(facts.dimensions[dimension]);
}

class Page {
 public:
  void title(std::string text) { made_.title = std::move(text); }
  void line(std::string label, std::vector<StyledText> spans) {
    made_.lines.push_back({std::move(label), std::move(spans)});
  }
  void line(std::string label, StyledText span) { line(std::move(label), std::vector<StyledText>{std::move(span)}); }
  void line(std::string label, std::string text) { line(std::move(label), StyledText{std::move(text)}); }
  void more(std::string text) { line("", std::move(text)); }
  void row(std::vector<StyledText> spans) { made_.lines.push_back({std::nullopt, std::move(spans)}); }
  Explanation take() { return std::move(made_); }

 private:
  Explanation made_;
};

StyledText waste_span(double ratio, std::string text) { return {std::move(text), Style::kWaste, ratio}; }

std::string bytes_text(int64_t bytes) { return fmt::format("{:>10}  {:>18}", human_size(bytes), grouped(bytes)); }

std::string waste_text(const SizesWithWaste& sizes) {
  if (!sizes.waste_ratio) return "none: the array holds no element";
  const double ratio = *sizes.waste_ratio;
  if (sizes.exact.bytes == sizes.logical_bytes) return "none (1.00x)";
  return fmt::format("{}: {:.1f} % of the memory holds no data", human_ratio(ratio), (1 - 1 / ratio) * 100);
}

// One line per dimension: its size, its stored size, and the distance of neighbours.
void dimension_table(Page* page, const Facts& facts) {
  if (facts.rank == 0) {
    page->line("dimensions", "none: a scalar");
    return;
  }
  const auto rank = static_cast<size_t>(facts.rank);
  Integers stored = facts.padded, place(rank);
  for (size_t i = 0; i < rank; ++i) place[static_cast<size_t>(facts.minor_to_major[i])] = static_cast<int64_t>(i);
  for (const TileSide& side : facts.first_tile)
    if (side.dimension >= 0 && side.size != XLASHAPE_COMBINE_DIMENSION && side.pieces > 0)
      stored[static_cast<size_t>(side.dimension)] = std::max(stored[static_cast<size_t>(side.dimension)], [&] {
        int64_t whole;
        return __builtin_mul_overflow(side.pieces, side.size, &whole) ? INT64_MAX : whole;
      }());
  bool merged = false;
  for (const TileSide& side : facts.first_tile) merged |= side.size == XLASHAPE_COMBINE_DIMENSION;
  const char* unit = facts.byte_strides ? "bytes apart" : facts.strides ? "elements apart" : "";
  const std::optional<Integers>& strides = facts.byte_strides ? facts.byte_strides : facts.strides;
  size_t size_width = 4;
  for (size_t d = 0; d < rank; ++d) size_width = std::max(size_width, extent_text(facts, d).size());
  std::string head = fmt::format("{:<6}{:>{}}{:>14}{:>8}  {:>16}", "", "size", size_width, "stored as", "order", unit);
  head.erase(head.find_last_not_of(' ') + 1);
  page->line("dimensions", StyledText{head, Style::kFaint});
  for (size_t d = 0; d < rank; ++d) {
    const std::string name = dimension_name(facts.rank, static_cast<int64_t>(d));
    const bool letter = dimension_letter(facts.rank, static_cast<int64_t>(d)) != 0;
    const std::string number = letter ? fmt::format("{} {}", d, name) : std::to_string(d);
    const bool unbounded = facts.dimensions[d] == XLASHAPE_DIMENSION_UNBOUNDED;
    std::string row =
        fmt::format("{:<6}{:>{}}{:>14}{:>8}  {:>16}", number, extent_text(facts, d), size_width,
                    unbounded ? "?"
                    : merged  ? "merged"
                              : grouped(stored[d]),
                    place[d] == 0 ? "fastest" : std::to_string(place[d] + 1), strides ? grouped((*strides)[d]) : "");
    row.erase(row.find_last_not_of(' ') + 1);
    page->more(row);
  }
}

void layout_lines(Page* page, const Facts& facts, std::optional<Target> target) {
  if (!facts.layout) {
    page->line("layout", "none given: counts as row-major");
    return;
  }
  if (facts.chosen) page->line("layout", fmt::format("none given: chosen for {}", name(*target)));
  const bool has_order = facts.layout.rank() == facts.rank;
  page->line("minor to major", fmt::format("{}  {}{}", braced(facts.minor_to_major), order_in_words(facts),
                                           has_order ? "" : "; not set, counts as row-major"));
  if (facts.rank > 0) {
    Integers reversed(facts.minor_to_major.rbegin(), facts.minor_to_major.rend());
    page->line("major to minor", fmt::format("{}  {}", braced(reversed), reverse_in_words(facts)));
  }
  const LayoutSpec layout = facts.layout.spec();
  std::string label = "tiles";
  if (facts.tiles.empty()) page->line(label, "none");
  for (const std::string& text : tiles_in_words(facts)) {
    page->line(label, text);
    label.clear();
  }
  if (!layout.padded_dimensions.empty() || layout.padding_value != PaddingValue::kInvalid) {
    static constexpr const char* kValues[] = {"zeros",   "zeros", "ones", "the lowest value", "the highest value",
                                              "anything"};
    const auto number = static_cast<int>(layout.padding_value);
    const std::string value = number >= 0 && number < 6 ? kValues[number] : "?";
    page->line(
        "padding",
        fmt::format("{}filled with {}",
                    layout.padded_dimensions.empty() ? "" : "to " + braced(layout.padded_dimensions) + ", ", value));
  }
  if (const int64_t tail = layout.tail_padding_alignment_in_elements; tail > 1)
    page->line("tail", fmt::format("rounded up to a multiple of {}", counted(tail, "element")));
  if (const int64_t bits = layout.element_size_in_bits; bits != 0)
    page->line("element size", fmt::format("E({}): {} in memory", bits, counted(bits, "bit")));
  std::string space = layout.memory_space == 0 ? "0, the default" : std::to_string(layout.memory_space);
  if (!facts.memory_space_name.empty()) space += fmt::format(", {} on {}", facts.memory_space_name, name(*target));
  page->line("memory space", space);
  for (const auto& [dimension, cuts] : layout.splits)
    page->line("split", fmt::format("physical dimension {} is cut at {}", dimension, joined(cuts, ", ")));
  if (const int64_t prefix = layout.dynamic_shape_metadata_prefix_bytes; prefix != 0)
    page->line("metadata", fmt::format("{} in front, not counted below", counted(prefix, "byte")));
}

void size_lines(Page* page, const Facts& facts) {
  if (!facts.sizes) {
    page->line("bytes", fmt::format("? ({})", facts.no_sizes));
    return;
  }
  const SizesWithWaste& sizes = *facts.sizes;
  page->line("elements", fmt::format("{:>10}  {:>18}", "", grouped(sizes.exact.elements)));
  page->line("stored", fmt::format("{:>10}  {:>18}", "", grouped(sizes.exact.storage_elements)));
  page->line("logical bytes", bytes_text(sizes.logical_bytes));
  const Difference difference = xla_difference(facts);
  page->line("bytes", bytes_text(sizes.exact.bytes) + (difference.split ? "  in all" : ""));
  if (sizes.exact.xla_bytes < 0)
    page->line("XLA's bytes", "more than fit 64 bits");
  else if (sizes.exact.xla_bytes != sizes.exact.bytes)
    page->line("XLA's bytes",
               bytes_text(sizes.exact.xla_bytes) + (difference.split ? "  largest part (per core)" : ""));
  if (!difference.why.empty()) page->line("they differ", difference.why);
  for (const std::string& warning : difference.warnings) page->line("warning", StyledText{warning, Style::kFair});
  page->line("waste", waste_span(sizes.waste_ratio.value_or(1), waste_text(sizes)));
}

void best_line(Page* page, const Facts& facts) {
  LayoutSearch search;
  const std::optional<BestLayout> best = best_layout(facts, &search);
  if (!best) return;
  const char* const cut = best->all_tried ? "" : ", of those tried: there are too many to try all";
  if (best->same) {
    page->line("least waste", facts.tiles.empty() ? "this one: without tiles every order takes the same memory"
                                                  : fmt::format("this one: no other order takes less memory{}", cut));
    return;
  }
  page->line("least waste", {{best->layout.to_string(), Style::kTitle},
                             {fmt::format(" takes {} instead of {} ({}){}", human_size(best->sizes.exact.bytes),
                                          human_size(facts.sizes->exact.bytes),
                                          human_ratio(best->sizes.waste_ratio.value_or(1)), cut)}});
}

void array_lines(Page* page, const Shape& shape, std::optional<Target> target) {
  const Facts facts = facts_of(shape, target);
  page->title(facts.shape.to_string());
  if (shape.category() == Category::kBuffer) page->line("kind", "a buffer that holds this array");
  page->line("element type", fmt::format("{}  {}", xlashape::name(facts.type), type_in_words(facts.type)));
  page->line("rank", fmt::format("{}, true rank {} (dimensions greater than 1)", facts.rank, facts.true_rank));
  dimension_table(page, facts);
  layout_lines(page, facts, target);
  size_lines(page, facts);
  if (!facts.strides) page->line("strides", fmt::format("none: {}", facts.no_strides));
  best_line(page, facts);
}

void other_lines(Page* page, const Shape& shape) {
  page->title(shape.to_string());
  if (shape.category() == Category::kToken) {
    page->line("kind", "a token: orders side effects, holds no data");
    page->line("bytes", bytes_text(0));
  } else {
    page->line("kind", "opaque: something only the platform knows; in memory one pointer");
  }
}

void tuple_lines(Page* page, const Shape& shape, std::optional<Target> target) {
  std::vector<Leaf> leaves = leaves_of(shape);
  bool chosen = false;
  for (Leaf& leaf : leaves)
    if (target && is_array(leaf.shape)) {
      Facts facts = facts_of(leaf, target);
      chosen |= facts.chosen;
      leaf.shape = std::move(facts.shape);
    }
  page->title(shape.to_string());
  page->line("kind", fmt::format("a tuple of {}, {}", counted(shape.tuple_element_count(), "element"),
                                 leaves.size() == 1 ? std::string("1 leaf")
                                                    : grouped(static_cast<int64_t>(leaves.size())) + " leaves"));
  if (chosen) page->line("layout", fmt::format("chosen for {} where none is given", name(*target)));
  size_t path_width = 4, text_width = 5;
  for (const Leaf& leaf : leaves) {
    path_width = std::max(path_width, leaf.path.size());
    text_width = std::max(text_width, leaf.shape.to_string().size());
  }
  path_width = std::min<size_t>(path_width, 40);
  text_width = std::min<size_t>(text_width, 60);
  if (!leaves.empty())
    page->row({{fmt::format("{:<{}}  {:<{}}{:>11}{:>11}{:>9}", "path", path_width, "shape", text_width, "logical",
                            "bytes", "waste"),
                Style::kFaint}});
  int64_t logical = 0, bytes = 0;
  bool known = true;
  for (const Leaf& leaf : leaves) {
    std::string logical_text = "?", bytes_text = "?";
    StyledText waste;
    if (leaf.shape.category() == Category::kToken) {
      logical_text = bytes_text = "0 B";
    } else if (const std::optional<SizesWithWaste> sizes =
                   is_array(leaf.shape) ? sizes_with_waste(leaf.shape, nullptr) : std::nullopt) {
      logical = sum(logical, sizes->logical_bytes);
      bytes = sum(bytes, sizes->exact.bytes);
      logical_text = human_size(sizes->logical_bytes);
      bytes_text = human_size(sizes->exact.bytes);
      const double ratio = sizes->waste_ratio.value_or(1);
      waste = waste_span(ratio, fmt::format("{:>9}", human_ratio(ratio)));
    } else {
      known = false;
    }
    page->row({{fmt::format("{:<{}}  {:<{}}{:>11}{:>11}", leaf.path, path_width, leaf.shape.to_string(), text_width,
                            logical_text, bytes_text)},
               waste});
  }
  const double ratio = logical > 0 ? static_cast<double>(bytes) / static_cast<double>(logical) : 1;
  page->row(
      {{fmt::format("{:<{}}  {:<{}}{:>11}{:>11}", "", path_width, known ? "all leaves" : "all leaves of known size",
                    text_width, human_size(logical), human_size(bytes))},
       waste_span(ratio, fmt::format("{:>9}", human_ratio(ratio)))});
  if (target)
    page->line("pointers",
               fmt::format("the tuple's table takes {} on {}",
                           counted(tuple_bytes(*target, shape.tuple_element_count()), "byte"), name(*target)));
}

}  // namespace

Explanation explanation_of(const Shape& shape, std::optional<Target> target) {
  Page page;
  if (is_array(shape))
    array_lines(&page, shape, target);
  else if (shape.category() == Category::kTuple)
    tuple_lines(&page, shape, target);
  else
    other_lines(&page, shape);
  return page.take();
}

std::string text_of(const ExplanationLine& line) {
  std::string text;
  for (const StyledText& span : line.spans) text += span.text;
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace xlashape::cli
