// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <xlashape/index_map.hpp>

#include "cli/base/array.h"
#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/subcommands.h"
#include "cli/explain/facts.h"
#include "cli/files/array_file.h"
#include "cli/files/formats.h"
#include "cli/output/json.h"
#include "cli/output/output.h"
#include "cli/output/terminal.h"

namespace xlashape::cli {
namespace {

// Memory as a picture: its bytes in order, line by line, one pixel each; padding hatched. Lines are as wide as the
// layout suggests (the most minor dimensions), and long memory is set in columns like a newspaper. Tiled memory is
// divided into its tiles, each drawn line by line at the tile's width, at its place in the array.
struct Picture {
  int64_t height = 0, width = 0;  // pixels, three bytes each
  std::vector<uint8_t> pixels;
  int64_t bytes_per_line = 0, columns = 0, scale = 0;
  bool tiled = false;  // drawn tile by tile
  int64_t shown_bytes = 0, padding_bytes = 0;
};

using Rgb = std::array<uint8_t, 3>;

constexpr Rgb kPaper = {250, 250, 247};
constexpr Rgb kSeam = {18, 18, 24};  // between tiles
constexpr Rgb kPadding = {214, 196, 232};
constexpr Rgb kPaddingStroke = {122, 84, 168};
constexpr int64_t kMostBytes = int64_t{24} << 20;  // maximum drawn; the rest is left out
constexpr int64_t kWidest = 4096;                  // bytes in a line unless a width is given
constexpr int64_t kColumnGap = 6;                  // bytes' widths between columns
constexpr int64_t kTileGap = 1;                    // likewise between tiles
constexpr double kAspect = 1.4;                    // width to height of the picture

// Memory consists of blocks of `width` bytes by `height` lines: tiles or single lines. `across` of them are side by
// side like tiles in the array; rows of blocks form groups (planes, ...), each of which divides the next.
struct Natural {
  int64_t width = 1;
  int64_t height = 1;
  int64_t across = 1;
  int64_t gap = 0;  // between blocks
  Integers groups;
};

Natural natural_of(const Array& array, int64_t asked_width) {
  const Facts facts = facts_of(array.shape);
  const int64_t element = std::max<int64_t>(container_bits(array.shape) / 8, 1);
  Natural natural;
  bool plain = true;  // a first tile without `*`
  for (const TileSide& side : facts.first_tile) plain &= side.size != XLASHAPE_COMBINE_DIMENSION;
  if (!facts.first_tile.empty() && plain) {
    const TileSide& minor_side = facts.first_tile.back();
    natural.width = minor_side.size * element;
    if (asked_width == 0 || asked_width == natural.width) {
      natural.height = std::max<int64_t>(facts.tile_elements / minor_side.size, 1);
      natural.across = std::max<int64_t>(minor_side.pieces, 1);
      natural.gap = kTileGap;
      int64_t rows = 1;
      for (size_t i = facts.first_tile.size() - 1; i-- > 0;)
        natural.groups.push_back(rows *= std::max<int64_t>(facts.first_tile[i].pieces, 1));
      for (size_t minor = facts.first_tile.size(); minor < facts.minor_to_major.size(); ++minor)
        natural.groups.push_back(rows *=
                                 std::max<int64_t>(facts.padded[static_cast<size_t>(facts.minor_to_major[minor])], 1));
    }
  } else {
    // Takes as many of the most minor dimensions as give the aspect nearest to kAspect.
    const double handy = std::sqrt(kAspect * static_cast<double>(array.bytes.size()));
    const auto distance = [&](int64_t width) { return std::abs(std::log(static_cast<double>(width) / handy)); };
    natural.width = element;
    size_t minor = 0;
    int64_t width = element;
    for (size_t i = 0; i < facts.minor_to_major.size() && width <= kWidest; ++i) {
      width *= std::max<int64_t>(facts.padded[static_cast<size_t>(facts.minor_to_major[i])], 1);
      if (width > kWidest || distance(width) > distance(natural.width)) continue;
      natural.width = width;
      minor = i + 1;
    }
    if (distance(natural.width) > std::log(12.0) && minor < facts.minor_to_major.size())
      natural = {std::clamp<int64_t>(static_cast<int64_t>(handy) / element * element, element, 1024), 1, 1, 0, {}};
    int64_t rows = 1;
    for (; minor < facts.minor_to_major.size() && (asked_width == 0 || asked_width == natural.width); ++minor)
      natural.groups.push_back(rows *=
                               std::max<int64_t>(facts.padded[static_cast<size_t>(facts.minor_to_major[minor])], 1));
  }
  if (natural.width > kWidest || natural.width < 1 || natural.height > kWidest) natural = {256, 1, 1, 0, {}};
  // Too many tiles side by side for a picture: breaks a row of tiles.
  if (natural.across * natural.width > kWidest) natural = {natural.width, natural.height, 1, natural.gap, {}};
  if (asked_width > 0 && asked_width != natural.width) natural = {asked_width, 1, 1, 0, {}};
  return natural;
}

// The number of rows of blocks in a column: nearest to the aspect, and at a boundary of groups where there is one.
int64_t rows_per_column(const Natural& natural, int64_t rows, int64_t asked_columns) {
  if (asked_columns > 0) return std::max<int64_t>((rows + asked_columns - 1) / asked_columns, 1);
  int64_t best = rows;
  double best_score = 1e300;
  for (int64_t columns = 1; columns <= 64 && columns <= rows; ++columns) {
    int64_t tall = (rows + columns - 1) / columns;
    double score = 1.2;
    for (const int64_t group : natural.groups) {
      const int64_t rounded = (tall + group - 1) / group * group;
      if (rounded > rows || (rounded - tall) * 8 > tall) break;
      tall = rounded;
      score = score == 1.2 ? 0.4 : score * 0.5;  // a larger group is better
    }
    const int64_t real_columns = (rows + tall - 1) / tall;
    const auto width =
        static_cast<double>(real_columns * (natural.across * (natural.width + natural.gap) + kColumnGap));
    const auto height = static_cast<double>(tall * (natural.height + natural.gap));
    score += std::abs(std::log(width / height / kAspect));
    if (score < best_score) {
      best_score = score;
      best = tall;
    }
  }
  return std::max<int64_t>(best, 1);
}

// Red, green and blue for three indices; else one hue per index.
Rgb tint_color(int64_t index, int64_t count) {
  static constexpr Rgb kChannels[] = {{255, 92, 82}, {92, 235, 104}, {104, 156, 255}, {200, 200, 200}};
  if (count <= 4) return kChannels[index % 4];
  const double hue = static_cast<double>(index) / static_cast<double>(count) * 6;
  const auto part = [&](double shift) {
    const double distance = std::abs(std::fmod(hue + shift, 6.0) - 3) - 1;
    return static_cast<uint8_t>(60 + 195 * std::clamp(distance, 0.0, 1.0));
  };
  return {part(0), part(4), part(2)};
}

class Canvas {
 public:
  Canvas(int64_t height, int64_t width, int64_t scale) : width_(width * scale), scale_(scale) {
    pixels_.resize(static_cast<size_t>(height * scale * width_ * 3));
    for (size_t at = 0; at < pixels_.size(); at += 3)
      std::copy(kPaper.begin(), kPaper.end(), pixels_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  void fill(int64_t from_x, int64_t to_x, int64_t to_y, const Rgb& color) {
    for (int64_t y = 0; y < to_y; ++y)
      for (int64_t x = from_x; x < to_x; ++x) put(y, x, color);
  }
  void put(int64_t y, int64_t x, const Rgb& color) {
    for (int64_t dy = 0; dy < scale_; ++dy)
      for (int64_t dx = 0; dx < scale_; ++dx) set(y * scale_ + dy, x * scale_ + dx, color);
  }
  void hatch(int64_t y, int64_t x) {
    for (int64_t dy = 0; dy < scale_; ++dy)
      for (int64_t dx = 0; dx < scale_; ++dx) {
        const int64_t py = y * scale_ + dy, px = x * scale_ + dx;
        set(py, px, (px + py) % 6 < 1 ? kPaddingStroke : kPadding);
      }
  }
  std::vector<uint8_t> take() { return std::move(pixels_); }

 private:
  void set(int64_t y, int64_t x, const Rgb& color) {
    std::copy(color.begin(), color.end(), pixels_.begin() + static_cast<std::ptrdiff_t>((y * width_ + x) * 3));
  }
  int64_t width_, scale_;
  std::vector<uint8_t> pixels_;
};

// What a byte is: the element in it, or padding.
class Reader {
 public:
  explicit Reader(const Array& array)
      : map_(IndexMap::of(array.shape)),
        bits_(container_bits(array.shape)),
        positions_(map_.storage_elements()),
        index_(static_cast<size_t>(array.shape.rank())) {}

  // The index of the first element that has bits in the byte; null for padding.
  const Integers* element_in(int64_t byte) {
    const int64_t first = byte * 8 / bits_;
    const int64_t last = bits_ >= 8 ? first : std::min(first + 8 / bits_, positions_) - 1;
    if (bits_ >= 8 && first == position_) return padding_ ? nullptr : &index_;
    for (int64_t position = first; position <= last && position < positions_; ++position) {
      padding_ = !map_.multidimensional_index(position, index_);
      position_ = position;
      if (!padding_) return &index_;
    }
    return nullptr;
  }

 private:
  IndexMap map_;
  int64_t bits_, positions_, position_ = -1;
  bool padding_ = false;
  Integers index_;
};

// `tint`: a dimension whose index gives bytes their colour.
Picture draw_memory(const Array& array, const PictureOptions& options, std::optional<int64_t> tint) {
  const int64_t bytes = std::min(array.bytes.size(), kMostBytes);
  if (bytes == 0) fail_data("there are no bytes to draw");
  const Natural natural = natural_of(array, options.width);
  Picture picture;
  picture.shown_bytes = bytes;
  picture.bytes_per_line = natural.width;
  const int64_t block_bytes = natural.width * natural.height;
  const int64_t row_bytes = block_bytes * natural.across;
  const int64_t rows = (bytes + row_bytes - 1) / row_bytes;
  const int64_t tall = rows_per_column(natural, rows, options.columns);
  picture.columns = (rows + tall - 1) / tall;
  picture.tiled = natural.gap > 0;
  const int64_t column_width = natural.across * (natural.width + natural.gap) - natural.gap + kColumnGap;
  const int64_t width = picture.columns * column_width - kColumnGap;
  const int64_t height = std::min(tall, rows) * (natural.height + natural.gap) - natural.gap;
  if (width > kMostBytes || height > kMostBytes || height * width > kMostBytes * 4)
    fail_data("{} x {} pixels are too many: give another --width", width, height);
  picture.scale = options.scale > 0 ? options.scale : std::clamp<int64_t>(700 / std::max(width, height), 1, 16);
  if (height * width * picture.scale * picture.scale > kMostBytes * 4) picture.scale = 1;

  const Integers dimensions = array.shape.dimensions();
  Canvas canvas(height, width, picture.scale);
  if (picture.tiled)
    for (int64_t column = 0; column < picture.columns; ++column) {
      const int64_t there = std::min(tall, rows - column * tall);
      canvas.fill(column * column_width, (column + 1) * column_width - kColumnGap,
                  there * (natural.height + natural.gap) - natural.gap, kSeam);
    }
  Reader reader(array);
  for (int64_t byte = 0; byte < bytes; ++byte) {
    const int64_t row = byte / row_bytes, block = byte % row_bytes / block_bytes, within = byte % block_bytes;
    const int64_t x = row / tall * column_width + block * (natural.width + natural.gap) + within % natural.width;
    const int64_t y = row % tall * (natural.height + natural.gap) + within / natural.width;
    const Integers* element = reader.element_in(byte);
    if (element == nullptr) {
      canvas.hatch(y, x);
      ++picture.padding_bytes;
      continue;
    }
    const uint8_t value = array.bytes.data()[byte];
    Rgb color = {value, value, value};
    if (tint) {
      const auto dimension = static_cast<size_t>(*tint);
      const Rgb shade = tint_color((*element)[dimension], dimensions[dimension]);
      for (size_t i = 0; i < 3; ++i) color[i] = static_cast<uint8_t>(shade[i] * value / 255);
    }
    canvas.put(y, x, color);
  }
  picture.height = height * picture.scale;
  picture.width = width * picture.scale;
  picture.pixels = canvas.take();
  return picture;
}

// Pixels have their channels in the last dimension: three or four channels get a colour each.
std::optional<int64_t> tint_dimension(const std::string& name, const Shape& shape) {
  const Integers dimensions = shape.dimensions();
  const auto rank = static_cast<int64_t>(dimensions.size());
  if (name == "none") return std::nullopt;
  if (name != "auto") return dimension_named(rank, name);
  const bool bytes = shape.element_type() == ElementType::kU8;
  if (bytes && rank >= 3 && (dimensions.back() == 3 || dimensions.back() == 4)) return rank - 1;
  return std::nullopt;
}

}  // namespace

int run_picture(const PictureOptions& options, const Common& common) {
  if (is_same_file(options.in, options.out))
    fail_usage("OUT is IN, {}: a picture in its place would be the end of the array", options.in);
  const std::string format = promised_format(options.out);
  if (!format.empty() && format != "png") fail_usage("OUT {}: a picture is a PNG: name it .png", options.out);
  const Array array = read_array(options.in, options.reading);
  const Picture drawn = draw_memory(array, options, tint_dimension(options.tint, array.shape));
  const std::vector<uint8_t> png = make_png(drawn.height, drawn.width, 3, 8, drawn.pixels, options.out);
  const Bytes part = png;
  write_plain(options.out, {&part, 1});
  if (common.json) {
    const Json json = {{"in", options.in},
                       {"shape", array.shape.to_string()},
                       {"out", options.out},
                       {"width", drawn.width},
                       {"height", drawn.height},
                       {"bytes", array.bytes.size()},
                       {"shown_bytes", drawn.shown_bytes},
                       {"padding_bytes", drawn.padding_bytes},
                       {"bytes_per_line", drawn.bytes_per_line},
                       {"columns", drawn.columns},
                       {"scale", drawn.scale}};
    say_json(json);
    return kDone;
  }
  say("{}: {}, {} a line {}in {}, {} of padding, {} x {} pixels\n", options.out, array.shape.to_string(),
      counted(drawn.bytes_per_line, "byte"), drawn.tiled ? "of a tile, " : "", counted(drawn.columns, "column"),
      human_size(drawn.padding_bytes), drawn.width, drawn.height);
  if (drawn.shown_bytes < array.bytes.size())
    say("the first {} of {} are drawn\n", human_size(drawn.shown_bytes),
        human_size(static_cast<int64_t>(array.bytes.size())));
  return kDone;
}

}  // namespace xlashape::cli
