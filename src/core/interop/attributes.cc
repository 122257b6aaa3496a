// SPDX-License-Identifier: Apache-2.0
// Layouts as lists with names: linalg.pack's attributes, jax's Layout(...), tt-metal's tiles.
#include <algorithm>

#include "interop/arrangement.h"
#include "interop/scanner.h"
#include "layout/validate.h"

namespace xlashape::core {
namespace {

using Numbers = SmallVec<int64_t, 8>;

Status read_dimensions(Scanner& in, const Shape& array, Numbers* numbers, Error* err) {
  in.skip_blanks();
  const int64_t start = in.offset();
  XLASHAPE_TRY(in.list(numbers, true, "a number"));
  const Status status = check_dimensions(*numbers, array, err);
  if (status) set_offset(err, start);
  return status;
}

}  // namespace

Status arrange_blocks(const Shape& array, const Blocks& blocks, Arrangement* result, Error* err) {
  result->permutation.clear();
  return layout_from_blocks(array.dimensions, blocks, &result->layout, err);
}

// The outer parts in the order of outer_dims_perm, behind them the tiles. Other attributes of the operation, and its
// operands, are passed over.
Status read_pack(std::string_view text, const Shape& array, Arrangement* result, Error* err) {
  Scanner in(text, err);
  Numbers order, tiled, tiles;
  bool has_tiles = false;
  constexpr std::string_view kWords[] = {"outer_dims_perm", "inner_dims_pos", "inner_tiles"};
  for (const std::string_view word : kWords) {
    const size_t at = text.find(word);
    if (at == std::string_view::npos) continue;
    if (text.find(word, at + 1) != std::string_view::npos)
      return in.expected_at(static_cast<int64_t>(text.find(word, at + 1)), "each attribute once");
    Scanner list = in;
    list.pass(at + word.size());
    XLASHAPE_TRY(list.need("=", "'='"));
    list.skip_blanks();
    if (word == kWords[2]) {
      has_tiles = true;
      const int64_t start = list.offset();
      XLASHAPE_TRY(list.list(&tiles, true, "a number"));
      for (const int64_t tile : tiles)
        if (tile <= 0) return list.expected_at(start, "tiles of known, positive sizes");
    } else {
      XLASHAPE_TRY(read_dimensions(list, array, word == kWords[0] ? &order : &tiled, err));
    }
  }
  if (!has_tiles || tiles.size() != tiled.size())
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "inner_dims_pos has %zu dimensions, inner_tiles %zu sizes",
                tiled.size(), tiles.size());
  if (!order.empty() && order.ssize() != array.rank())
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "outer_dims_perm has %zu dimensions, the array %lld",
                order.size(), ll(array.rank()));
  Blocks blocks;
  for (int64_t i = 0; i < array.rank(); ++i)
    blocks.push_back({static_cast<int32_t>(order.empty() ? i : order[static_cast<size_t>(i)]), kRest});
  for (size_t i = 0; i < tiles.size(); ++i) blocks.push_back({static_cast<int32_t>(tiled[i]), tiles[i]});
  return arrange_blocks(array, blocks, result, err);
}

Status print_pack(const Shape& array, std::string* text, Error* err) {
  Blocks blocks;
  XLASHAPE_TRY(blocks_of(array, "linalg.pack", &blocks, err));
  Numbers order, tiled, tiles;
  SmallVec<uint8_t, 8> seen;
  seen.resize(array.dimensions.size());
  std::fill(seen.begin(), seen.end(), uint8_t{0});
  for (const Block& block : blocks) {
    if (block.extent == kRest) {
      order.push_back(block.dimension);
      continue;
    }
    if (seen[static_cast<size_t>(block.dimension)]++ != 0)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "dimension %d is tiled twice: one linalg.pack cannot express that",
                  block.dimension);
    tiled.push_back(block.dimension);
    tiles.push_back(block.extent);
  }
  *text = "outer_dims_perm = [";
  add_list(text, order);
  *text += "] inner_dims_pos = [";
  add_list(text, tiled);
  *text += "] inner_tiles = [";
  add_list(text, tiles);
  *text += "]";
  return XLASHAPE_STATUS_OK;
}

// Layout(major_to_minor=(0, 1), tiling=((8, 128), (2, 1)), sub_byte_element_size_in_bits=0), also within Format(...);
// and the DeviceLocalLayout of jax before 0.6, within a Layout(...), whose names begin with `_`.
Status read_jax_layout(std::string_view text, const Shape& array, Arrangement* result, Error* err) {
  Scanner in(text, err);
  constexpr std::string_view kNow = "Layout(", kBefore = "DeviceLocalLayout(";
  const size_t before = text.find(kBefore);
  in.pass(before != std::string_view::npos ? before + kBefore.size() : text.find(kNow) + kNow.size());
  auto layout = Ref<Layout>::adopt(new Layout);
  Numbers order, tile;
  bool has_order = false, tiled = false, first = true;
  int64_t bits = 0;
  while (!in.at(")")) {
    in.skip_blanks();
    const int64_t start = in.offset();
    Scanner ahead = in;
    std::string_view word = ahead.word();
    if (!word.empty() && ahead.eat("="))
      in = ahead;
    else
      word = first ? "major_to_minor" : has_order && !tiled ? "tiling" : "";  // given by their places
    if (word.starts_with("_")) word.remove_prefix(1);
    first = false;
    if (word == "major_to_minor") {
      XLASHAPE_TRY(read_dimensions(in, array, &order, err));
      has_order = true;
    } else if (word == "tiling") {
      tiled = !in.eat("None");
      if (tiled) {
        const std::string_view close = in.eat("(") ? ")" : "]";
        if (close == "]") XLASHAPE_TRY(in.need("[", "a list of tiles, or None"));
        while (!in.at(close)) {
          in.skip_blanks();
          const int64_t tile_start = in.offset();
          XLASHAPE_TRY(in.list(&tile, true, "a number"));
          if (std::any_of(tile.begin(), tile.end(), [](int64_t size) { return size <= 0; }))
            return in.expected_at(tile_start, "tiles of positive sizes");
          layout->tile_ranks.push_back(tile.ssize());
          for (const int64_t size : tile) layout->tile_dimensions.push_back(size);
          if (!in.eat(",")) break;
        }
        XLASHAPE_TRY(in.need(close, "',' or the end of the tiles"));
      }
    } else if (word == "sub_byte_element_size_in_bits") {
      XLASHAPE_TRY(in.integer(&bits, false, "a number of bits"));
    } else {
      return in.expected_at(start, "major_to_minor, tiling or sub_byte_element_size_in_bits, each once");
    }
    if (!in.eat(",")) break;
  }
  XLASHAPE_TRY(in.need(")", "',' or ')'"));
  if (!has_order || order.ssize() != array.rank())
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "major_to_minor has %zu dimensions, the array %lld",
                order.size(), ll(array.rank()));
  for (size_t i = order.size(); i > 0; --i) layout->minor_to_major.push_back(order[i - 1]);
  // As jax makes XLA's layout of it: without tiling the size is not looked at; with tiling small integers are packed.
  const ElementTypeInfo& type = element_type_info(array.element_type);
  if (tiled && bits == 0 && (type.classes & XLASHAPE_CLASS_INTEGRAL) != 0 && type.bits < 8) bits = type.bits;
  if (tiled) layout->element_size_in_bits = bits;
  XLASHAPE_TRY(validate_layout(*layout, err));
  result->permutation.clear();
  result->layout = std::move(layout);
  return XLASHAPE_STATUS_OK;
}

Status print_jax_layout(const Shape& array, std::string* text, Error* err) {
  const Layout* layout = array.layout.get();
  const auto refuse = [&](const char* why) {
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s: jax's Layout cannot express that", why);
  };
  Numbers order;
  for (int64_t i = 0; i < array.rank(); ++i) order.push_back(layout ? layout->major(i) : i);
  *text = "Layout(major_to_minor=";
  add_tuple(text, order);
  *text += ", tiling=";
  const int64_t bits = layout ? layout->element_size_in_bits : 0;
  const ElementTypeInfo& type = element_type_info(array.element_type);
  const bool small_integer = (type.classes & XLASHAPE_CLASS_INTEGRAL) != 0 && type.bits < 8;
  if (layout != nullptr) {
    if (layout->has_padding()) return refuse("the layout has padded dimensions");
    if (!layout->split_sizes.empty()) return refuse("the array is split");
    if (layout->metadata_prefix_bytes != 0) return refuse("the array has a metadata prefix");
    if (layout->tail_padding_alignment != 1) return refuse("the array's end is padded");
    if (layout->has_tiles() && small_integer && bits == 0) return refuse("tiles of small integers that are not packed");
    for (const int64_t size : layout->tile_dimensions)
      if (size < 0) return refuse("a tile merges dimensions or covers a whole one");
  }
  if (layout == nullptr || (!layout->has_tiles() && bits == 0)) {
    *text += "None";
  } else {
    *text += '(';
    for_each_tile(*layout, [&](size_t level, std::span<const int64_t> tile) {
      if (level > 0) *text += ", ";
      add_tuple(text, tile);
    });
    *text += layout->tile_ranks.size() == 1 ? ",)" : ")";
  }
  *text += ", sub_byte_element_size_in_bits=" + std::to_string(bits) + ")";
  return XLASHAPE_STATUS_OK;
}

// Tile([32, 32]), TILE, TILE_LAYOUT: tiles of the last two dimensions, and in them faces of 16 columns and at most 16
// rows (tt-metal's TILE_FACE_HW_CHOICES). Both dimensions are padded to whole tiles.
Status read_tt_tile(std::string_view text, const Shape& array, Arrangement* result, Error* err) {
  Numbers tile{32, 32};
  const size_t open = text.find('(');
  if (open != std::string_view::npos) {
    Scanner in(text, err);
    in.pass(open + 1);
    const int64_t start = in.offset();
    XLASHAPE_TRY(in.list(&tile, true, "a number"));
    if (in.eat(",")) return in.expected("')': faces are 16 by 16 and not transposed");
    XLASHAPE_TRY(in.need(")", "')'"));
    XLASHAPE_TRY(in.end());
    const auto power = [](int64_t n) { return n > 0 && (n & (n - 1)) == 0; };
    if (tile.size() != 2 || !power(tile[0]) || tile[0] > 32 || (tile[1] != 32 && tile[1] != 16))
      return in.expected_at(start, "a tile of tt-metal: 1, 2, 4, 8, 16 or 32 rows of 16 or 32");
  }
  const int64_t rank = array.rank();
  if (rank < 2)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                "tt-metal tiles two dimensions, the array has %lld: give it one of size 1 in front", ll(rank));
  Blocks blocks;
  for (int64_t d = 0; d < rank; ++d) blocks.push_back({static_cast<int32_t>(d), kRest});
  const int64_t face_rows = std::min<int64_t>(tile[0], 16);
  const auto rows = static_cast<int32_t>(rank - 2), columns = static_cast<int32_t>(rank - 1);
  for (const Block& block :
       {Block{rows, tile[0] / face_rows}, Block{columns, tile[1] / 16}, Block{rows, face_rows}, Block{columns, 16}})
    blocks.push_back(block);
  return arrange_blocks(array, blocks, result, err);
}

}  // namespace xlashape::core
