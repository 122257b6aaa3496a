// SPDX-License-Identifier: Apache-2.0
// Pictures as SVG.
#include <algorithm>

#include "captions.h"
#include "cell_text.h"
#include "markup.h"
#include "render.h"
#include "way.h"
#include "words.h"

namespace xlashape::view {
namespace {

constexpr int64_t kHeight = 24;       // of a cell
constexpr int64_t kGap = 22;          // where rows or columns are left out
constexpr int64_t kLine = 18;         // of captions
constexpr int64_t kBetween = 26;      // two planes
constexpr int64_t kWidest = 1400;     // planes stand beside each other up to here
constexpr int64_t kMostOfPath = 256;  // cells through which the way of the memory is drawn
constexpr int64_t kWholeStrip = 256;  // positions of a memory that is listed whole
constexpr int64_t kStripStart = 96, kStripEnd = 32;
constexpr int64_t kStripText = 64;  // longer indices would leave room for few positions

constexpr const char* kStyle =
    "<style>.xlashape-draw .bg{fill:#fff}.xlashape-draw .ink{fill:#1b1b1f}.xlashape-draw .faint{fill:#5f6368}"
    ".xlashape-draw .w{fill:#fff}.xlashape-draw .edge{fill:none;stroke:#1b1b1f}.xlashape-draw .hatch{stroke:#9aa0a6}"
    ".xlashape-draw .pad{stroke:#c4c7cc;stroke-opacity:1}.xlashape-draw "
    ".on{stroke:#e8590c;stroke-opacity:1;stroke-width:3}"
    "@media(prefers-color-scheme:dark){.xlashape-draw .bg{fill:#16181d}.xlashape-draw .ink{fill:#e8eaed}"
    ".xlashape-draw .faint{fill:#9aa0a6}.xlashape-draw .edge{stroke:#e8eaed}.xlashape-draw .hatch{stroke:#6b7078}"
    ".xlashape-draw .pad{stroke:#3c4048}}</style>";

std::string hex(const Color& color) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "#";
  for (const uint8_t part : {color.red, color.green, color.blue}) text += {kDigits[part >> 4], kDigits[part & 15]};
  return text;
}

class Svg {
 public:
  Svg(const Scene& scene, const Options& options) : scene_(scene), options_(options) {
    hatch_ = "xlashape-hatch-" + decimal(static_cast<int64_t>(scene.storage.array().hash() % 1'000'000));
  }

  std::string draw() {
    array(scene_.storage, scene_.grid);
    if (scene_.other_storage) {
      // Beside the first one where there is room.
      const int64_t bottom = top_;
      if (2 * width_ + kBetween <= kWidest) {
        left_ = width_ + kBetween;
        top_ = 0;
      } else {
        top_ += kBetween;
      }
      array(*scene_.other_storage, scene_.other);
      top_ = std::max(top_, bottom);
      left_ = 0;
    }
    top_ += 8;
    captions(shown_captions(scene_, options_));
    if (scene_.shows(Kind::kPadding)) captions({"hatched: padding"});
    if (scene_.shows(Kind::kPartial)) captions({"a corner is cut: a part of the tile is padding"});
    captions(overlay_captions(scene_, options_));
    if (scene_.other_storage) captions(relayout_captions(scene_));
    Markup out;
    const int64_t width = width_ + 16, height = top_ + 10;
    out.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"xlashape-draw\" role=\"img\"");
    out.attribute("width", width).attribute("height", height);
    out.raw(" viewBox=\"-8 0 ")
        .number(width)
        .raw(" ")
        .number(height)
        .raw("\" font-family=\"monospace\" font-size=\"11\"");
    out.attribute("aria-label", "the layout " + shape_text(scene_.storage));
    if (options_.has(XLASHAPE_DRAW_DATA)) {
      out.attribute("data-shape", shape_text(scene_.storage));
      if (scene_.other_storage) out.attribute("data-other", shape_text(*scene_.other_storage));
      out.attribute("data-bits", scene_.storage.bits());
      out.attribute("data-tile", scene_.storage.levels() == 0 ? 0 : scene_.storage.tile_positions(0));
      if (scene_.other_storage) out.attribute("data-other-bits", scene_.other_storage->bits());
    }
    out.raw(">").raw(kStyle);
    out.raw("<defs><pattern").attribute("id", hatch_);
    out.raw(
        " width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
        "<path class=\"hatch\" stroke=\"#9aa0a6\" d=\"M0 0v6\"/></pattern></defs>");
    out.raw("<rect class=\"bg\" fill=\"#fff\" x=\"-8\"")
        .attribute("width", width)
        .attribute("height", height)
        .raw("/>");
    return out.raw(body_.str()).raw("</svg>").take();
  }

 private:
  void reach(int64_t right) { width_ = std::max(width_, right); }

  void caption(const std::string& text, int64_t left, int64_t top, const char* kind, int64_t size) {
    body_.raw("<text").attribute("class", kind).attribute("x", left).attribute("y", top).attribute("font-size", size);
    body_.raw(">").text(text).raw("</text>");
    reach(left + static_cast<int64_t>(text.size()) * size * 62 / 100);
  }
  void captions(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) caption(line, left_, top_ += kLine, "faint", 12);
  }

  void array(const Storage& storage, const Grid& grid) {
    top_ += 20;
    caption(shape_text(storage), left_, top_, "ink", 15);
    captions(size_captions(storage));
    top_ += 12;
    const int64_t widest = widest_text(storage, grid.level, options_);
    cell_width_ = std::max<int64_t>(34, 7 * widest + 8);
    planes(grid);
    if (grid.level < 0 && !grid.planes.empty()) strip(storage, grid);
  }

  void planes(const Grid& grid) {
    const int64_t label =
        grid.row_units.empty() ? 0 : static_cast<int64_t>(decimal(grid.row_units.back() * grid.rows.step).size());
    lefts_ = places(grid.column_units, cell_width_);
    tops_ = places(grid.row_units, kHeight);
    const int64_t margin = grid.rows.dimension < 0 ? 0 : 7 * label + 8;
    const int64_t width = lefts_.back() + margin, height = tops_.back() + 18;
    int64_t left = left_;
    for (const Plane& plane : grid.planes) {
      if (left > left_ && left + width > left_ + kWidest) {
        left = left_;
        top_ += height + kBetween;
      }
      const std::string text = plane_text(grid, plane);
      int64_t top = top_;
      if (!text.empty()) caption(text, left + margin, top + 12, "ink", 12);
      if (!text.empty()) top += 16;
      body_.raw("<g transform=\"translate(").number(left + margin).raw(" ").number(top + 16).raw(")\">");
      draw(grid, plane);
      body_.raw("</g>");
      left += width;
      reach(left);
      left += kBetween;
      below_ = top + height;
    }
    if (!grid.planes.empty()) top_ = below_;
  }

  // Where each shown row or column begins, and where the last one ends.
  static std::vector<int64_t> places(const std::vector<int64_t>& units, int64_t size) {
    std::vector<int64_t> at;
    int64_t next = 0;
    for (size_t i = 0; i < units.size(); ++i) {
      if (i > 0 && units[i] != units[i - 1] + 1) next += kGap;
      at.push_back(next);
      next += size;
    }
    at.push_back(next);
    return at;
  }

  void draw(const Grid& grid, const Plane& plane) {
    labels(grid);
    body_.raw("<g stroke=\"#fff\" stroke-opacity=\".2\">");
    const size_t rows = grid.row_units.size(), columns = grid.column_units.size();
    for (size_t row = 0; row < rows; ++row)
      for (size_t column = 0; column < columns; ++column) {
        const Cell& cell = grid.cell(plane, row, column);
        if (cell.kind == Kind::kNothing) continue;
        rectangle(lefts_[column], tops_[row], cell_width_, kHeight, cell);
        const std::vector<int64_t> index = grid.index_of(plane, row, column);
        facts(*grid.storage, cell.position, cell.kind == Kind::kPadding ? nullptr : &index);
        if (cell.kind == Kind::kPartial) cut_corner(lefts_[column] + cell_width_, tops_[row] + kHeight);
      }
    body_.raw("</g>");
    way(grid, plane);
    for (const bool on_light : {true, false}) {
      begin_texts(on_light);
      for (size_t row = 0; row < rows; ++row)
        for (size_t column = 0; column < columns; ++column) {
          const Cell& cell = grid.cell(plane, row, column);
          if ((cell.kind != Kind::kElement && cell.kind != Kind::kPartial) || cell.color.is_light() != on_light)
            continue;
          const std::string text = cell_text(grid, plane, row, column, options_);
          if (!text.empty()) label(lefts_[column] + cell_width_ / 2, tops_[row] + 16, text);
        }
      body_.raw("</g>");
    }
    edges(grid, plane);
  }

  void rectangle(int64_t x, int64_t y, int64_t width, int64_t height, const Cell& cell) {
    body_.raw("<rect").attribute("x", x).attribute("y", y).attribute("width", width).attribute("height", height);
    if (cell.kind == Kind::kPadding) {
      body_.raw(" class=\"pad\" stroke=\"#c4c7cc\" fill=\"url(#").raw(hatch_).raw(")\"");
    } else {
      body_.attribute("fill", hex(cell.color));
    }
  }

  void cut_corner(int64_t right, int64_t bottom) {
    body_.raw("<path class=\"bg\" fill=\"#fff\" stroke=\"none\" pointer-events=\"none\" d=\"M").number(right).raw(" ");
    body_.number(bottom).raw("v-11l-11 11z\"/>");
  }

  // Ends a rectangle with what is known of its position. `index` is null for padding.
  void facts(const Storage& storage, int64_t position, const std::vector<int64_t>* index) {
    const bool second = scene_.other_storage && &storage == &*scene_.other_storage;
    if (options_.has(XLASHAPE_DRAW_DATA)) {
      if (index != nullptr) body_.attribute("data-index", index_text(*index));
      body_.attribute(second ? "data-to" : "data-position", position).raw("/>");
      return;
    }
    const Place place = storage.place(position);
    body_.raw("><title>");
    body_.raw(index == nullptr ? "padding" : "[" + index_text(*index) + "]").raw(": position ").number(position);
    body_.raw(", byte ").number(place.byte);
    if (storage.bits() % 8 != 0) body_.raw(" from bit ").number(place.bit);
    if (storage.levels() > 0) body_.raw(", tile ").number(position / storage.tile_positions(0));
    body_.raw("</title></rect>");
  }

  void labels(const Grid& grid) {
    body_.raw("<g class=\"faint\" font-size=\"9\" text-anchor=\"middle\">");
    for (size_t i = 0; i < grid.column_units.size() && grid.columns.dimension >= 0; ++i) {
      const int64_t index = grid.column_units[i] * grid.columns.step;
      if (index < grid.storage->extent(grid.columns.dimension)) label(lefts_[i] + cell_width_ / 2, -4, decimal(index));
    }
    body_.raw("</g><g class=\"faint\" font-size=\"9\" text-anchor=\"end\">");
    for (size_t i = 0; i < grid.row_units.size() && grid.rows.dimension >= 0; ++i) {
      const int64_t index = grid.row_units[i] * grid.rows.step;
      if (index < grid.storage->extent(grid.rows.dimension)) label(-5, tops_[i] + 15, decimal(index));
    }
    body_.raw("</g>");
    gaps(grid);
  }

  // In the place of what is left out stands what that is, as far as there is room.
  void gaps(const Grid& grid) {
    body_.raw("<g class=\"faint\" font-size=\"10\">");
    for (size_t i = 0; i < grid.column_units.size() && grid.columns.dimension >= 0; ++i) {
      if (!grid.gap_before_column(i)) continue;
      const int64_t left = lefts_[i] - kGap / 2 - 3;
      const std::string text = gap_text(grid.columns, grid.column_units, i, "columns ", room(tops_, kHeight));
      body_.raw("<text transform=\"translate(").number(left).raw(" 5) rotate(90)\">").raw(text).raw("</text>");
    }
    for (size_t i = 0; i < grid.row_units.size() && grid.rows.dimension >= 0; ++i) {
      if (!grid.gap_before_row(i)) continue;
      const char* const noun = grid.is_folded() ? "indices " : "rows ";
      label(5, tops_[i] - kGap / 2 + 3, gap_text(grid.rows, grid.row_units, i, noun, room(lefts_, cell_width_)));
    }
    body_.raw("</g>");
  }
  // Characters from the begin to the first gap.
  static size_t room(const std::vector<int64_t>& places, int64_t size) {
    size_t end = 1;
    while (end + 1 < places.size() && places[end] - places[end - 1] == size) ++end;
    const int64_t gap = places[end] - places[end - 1] == size ? 0 : kGap;
    return static_cast<size_t>(std::max<int64_t>(0, (places[end] - gap - 5) / 6));
  }
  // What is written on cells, in black or in white.
  void begin_texts(bool on_light) {
    body_.raw(on_light ? "<g text-anchor=\"middle\">" : "<g class=\"w\" fill=\"#fff\" text-anchor=\"middle\">");
  }
  void label(int64_t x, int64_t y, const std::string& text) {
    body_.raw("<text").attribute("x", x).attribute("y", y).raw(">").raw(text).raw("</text>");
  }

  // Joins neighbouring elements in the order of the memory, where there are few.
  void way(const Grid& grid, const Plane& plane) {
    if (options_.show == XLASHAPE_DRAW_NOTHING || static_cast<int64_t>(plane.cells.size()) > kMostOfPath ||
        grid.level >= 0)
      return;
    std::vector<Stop> stops;
    std::vector<TextBox> texts;
    const auto columns = grid.column_units.size();
    for (size_t i = 0; i < plane.cells.size(); ++i) {
      if (plane.cells[i].kind != Kind::kElement) continue;
      const int64_t left = lefts_[i % columns], top = tops_[i / columns], middle = left + cell_width_ / 2;
      const auto length = static_cast<int64_t>(cell_text(grid, plane, i / columns, i % columns, options_).size());
      stops.push_back({plane.cells[i].position, left + cell_width_ - 5, top + kHeight - 4});
      texts.push_back({middle - 7 * length / 2 - 1, top + 6, middle + 7 * length / 2 + 1, top + 18});
    }
    const std::string path = way_path(std::move(stops), texts);
    if (path.empty()) return;
    body_.raw("<path fill=\"none\" stroke=\"#fff\" stroke-opacity=\".55\"").attribute("d", path);
    body_.raw("/>");
  }

  // The borders of tiles, splits and blocks: one path for each kind, of lines as long as possible.
  void edges(const Grid& grid, const Plane& plane) {
    // Where there are tiles the array ends with one.
    const bool frame_is_tile = grid.storage->levels() > 0 && grid.level != 0;
    struct Kind {
      Edge edge;
      const char* attributes;
    };
    const Kind kinds[] = {{Edge::kThin, "stroke-width=\".7\""},
                          {Edge::kTile, "stroke-width=\"1.4\""},
                          {Edge::kFrame, frame_is_tile ? "stroke-width=\"3\"" : "stroke-width=\"1\""},
                          {Edge::kOuter, "stroke-width=\"3\""},
                          {Edge::kSplit, "style=\"stroke:#d6336c\" stroke-width=\"4\" stroke-dasharray=\"6 3\""}};
    for (const Kind& kind : kinds)
      lines(grid, cat({"class=\"edge\" stroke=\"#1b1b1f\" ", kind.attributes}),
            [&](size_t row, size_t column, Side side) { return grid.edge(plane, row, column, side) == kind.edge; });
    if (options_.overlay_bytes > 0)
      lines(grid, "class=\"edge\" style=\"stroke:#e8590c\" stroke-width=\"2\" stroke-dasharray=\"4 2\"",
            [&](size_t row, size_t column, Side side) {
              return grid.block_ends(plane, row, column, side, options_.overlay_bytes);
            });
  }

  template <class Is>
  void lines(const Grid& grid, const std::string& attributes, Is&& is) {
    const size_t rows = grid.row_units.size(), columns = grid.column_units.size();
    std::string path;
    const auto add = [&](bool across, int64_t from, int64_t to, int64_t at) {
      const int64_t x = across ? from : at, y = across ? at : from;
      path += cat({"M", decimal(x), " ", decimal(y), across ? "h" : "v", decimal(to - from)});
    };
    const auto runs = [&](bool across, size_t line, Side side, int64_t at) {
      const size_t count = across ? columns : rows;
      const std::vector<int64_t>& places = across ? lefts_ : tops_;
      const int64_t size = across ? cell_width_ : kHeight;
      int64_t from = -1, to = -1;
      for (size_t i = 0; i < count; ++i) {
        if (!is(across ? line : i, across ? i : line, side)) continue;
        if (from >= 0 && places[i] == to) {
          to += size;
          continue;
        }
        if (from >= 0) add(across, from, to, at);
        from = places[i], to = from + size;
      }
      if (from >= 0) add(across, from, to, at);
    };
    for (size_t row = 0; row < rows; ++row) {
      runs(true, row, Side::kAbove, tops_[row]);
      // A line between two shown rows is drawn once; where the lower one has no cell, it is the upper one's.
      if (row + 1 == rows || grid.gap_before_row(row + 1) || grid.is_folded())
        runs(true, row, Side::kBelow, tops_[row] + kHeight);
    }
    for (size_t column = 0; column < columns; ++column) {
      runs(false, column, Side::kLeft, lefts_[column]);
      if (column + 1 == columns || grid.gap_before_column(column + 1) || grid.is_folded() || scene_.other_storage)
        runs(false, column, Side::kRight, lefts_[column] + cell_width_);
    }
    if (!path.empty()) body_.raw("<path fill=\"none\" ").raw(attributes).attribute("d", path).raw("/>");
  }

  // The memory in order, with the index of the element at each position.
  void strip(const Storage& storage, const Grid& grid) {
    struct Known {
      int64_t position;
      Color color;
    };
    std::vector<Known> known;
    for (const Plane& plane : grid.planes)
      for (const Cell& cell : plane.cells)
        if (cell.kind == Kind::kElement) known.push_back({cell.position, cell.color});
    std::sort(known.begin(), known.end(), [](const Known& a, const Known& b) { return a.position < b.position; });
    const int64_t count = storage.sizes().storage_elements;
    const bool whole = count <= kWholeStrip;
    Options by_index;
    by_index.show = XLASHAPE_DRAW_INDEX;
    const int64_t widest = widest_text(storage, -1, by_index);
    if (widest > kStripText) return;
    const int64_t width = std::max<int64_t>(34, 7 * widest + 8);
    int64_t per_line = scene_.other_storage ? 16 : 32;  // two arrays beside each other have less room
    while (per_line > 4 && per_line * width > kWidest) per_line /= 2;
    top_ += 26;
    std::string text = "the memory in order";
    if (!whole)
      text += cat({": the first ", grouped(kStripStart), " and the last ", grouped(kStripEnd), " of ",
                   counted(count, "position")});
    // By the order in memory, what is not above has the colour of what is before it.
    const bool by_order =
        options_.color_by == XLASHAPE_DRAW_BY_POSITION && &storage == &scene_.storage && !known.empty();
    if (!by_order && static_cast<int64_t>(known.size()) < storage.sizes().elements)
      text += "; grey: not in the picture above";
    caption(text, left_, top_, "ink", 12);
    top_ += 8;
    std::vector<int64_t> index;
    int64_t shown = 0;
    for (int64_t position = 0; position < count; ++position) {
      if (!whole && position == kStripStart) {
        position = count - kStripEnd;
        top_ += 8;
      }
      Cell cell{storage.index_at(position, &index) ? Kind::kElement : Kind::kPadding, position, {200, 204, 210}};
      const auto after = std::upper_bound(known.begin(), known.end(), position,
                                          [](int64_t p, const Known& a) { return p < a.position; });
      if (after != known.begin() && (by_order || after[-1].position == position)) {
        cell.color = after[-1].color;
      } else if (by_order) {
        cell.color = known.front().color;
      }
      const int64_t x = left_ + shown % per_line * width, y = top_ + shown / per_line * (kHeight + 3);
      rectangle(x, y, width, kHeight, cell);
      facts(storage, position, cell.kind == Kind::kPadding ? nullptr : &index);
      if (cell.kind == Kind::kElement) {
        body_.raw(cell.color.is_light() ? "<text" : "<text class=\"w\" fill=\"#fff\"").raw(" text-anchor=\"middle\"");
        body_.attribute("x", x + width / 2).attribute("y", y + 16).raw(">").text(index_text(index)).raw("</text>");
      }
      reach(x + width);
      ++shown;
    }
    top_ += ((shown - 1) / per_line + 1) * (kHeight + 3);
  }

  const Scene& scene_;
  const Options& options_;
  std::string hatch_;
  Markup body_;
  int64_t width_ = 0, left_ = 0, top_ = 0, below_ = 0, cell_width_ = 0;
  std::vector<int64_t> lefts_, tops_;
};

}  // namespace

std::string render_svg(const Scene& scene, const Options& options) { return Svg(scene, options).draw(); }

}  // namespace xlashape::view
