#include "words.h"

#include <fmt/core.h>

#include "cli/base/dimension.h"
#include "cli/base/human.h"

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
  const double bytes = static_cast<double>(facts.tile_elements) * facts.sizes->exact.element_bits / 8;
  return fmt::format("blocks of {}: {} tiles across, {} in all, each of {} ({})", cut, pieces,
                     grouped(facts.tile_count), counted(facts.tile_elements, "element"), human_bytes(bytes));
}

}  // namespace

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

}  // namespace xlashape::cli
