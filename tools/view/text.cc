// SPDX-License-Identifier: Apache-2.0
// Pictures for terminals.
#include <algorithm>

#include "box.h"
#include "captions.h"
#include "cell_text.h"
#include "render.h"

namespace xlashape::view {
namespace {

constexpr size_t kGap = SIZE_MAX;  // in a list of rows or columns: some are left out here

// The shown rows or columns, and the gaps between them.
std::vector<size_t> with_gaps(const std::vector<int64_t>& units) {
  std::vector<size_t> items;
  for (size_t i = 0; i < units.size(); ++i) {
    if (i > 0 && units[i] != units[i - 1] + 1) items.push_back(kGap);
    items.push_back(i);
  }
  return items;
}

class Text {
 public:
  explicit Text(const Options& options)
      : options_(options), color_(options.has(XLASHAPE_DRAW_COLOR)), ascii_(options.has(XLASHAPE_DRAW_ASCII)) {}

  void title(const std::string& text) { out_ += (color_ ? "\x1b[1m" + text + "\x1b[0m" : text) + "\n"; }
  void blank() { out_ += '\n'; }

  // Breaks lines where they get too long, between words where that is possible.
  void captions(const std::vector<std::string>& lines) {
    const auto most = static_cast<size_t>(options_.columns);
    for (const std::string& line : lines) {
      size_t width = 0;
      for (size_t at = 0; at < line.size();) {
        size_t end = std::min(line.find(' ', at), line.size());
        if (width > 0 && width + 1 + end - at > most) {
          out_ += '\n';
          width = 0;
        }
        const std::string before = width > 0 ? " " : at == 0 ? "  " : "    ";
        // A word that has no line to itself goes on in the next one.
        end = std::min(end, at + most - width - before.size());
        out_ += before + line.substr(at, end - at);
        width += before.size() + end - at;
        at = end < line.size() && line[end] != ' ' ? end : end + 1;
      }
      out_ += '\n';
    }
  }

  // What dots mean.
  void legend(const Scene& scene) {
    const std::string dot = dots("\u00B7", ".");
    if (scene.shows(Kind::kPadding)) captions({dot + dot + " is padding"});
    if (scene.shows(Kind::kPartial)) captions({dot + " before a number: a part of the tile is padding"});
  }

  void grid(const Grid& grid, int64_t width) {
    grid_ = &grid;
    width_ = static_cast<size_t>(width);
    const std::string last = decimal((grid.row_units.empty() ? 0 : grid.row_units.back()) * grid.rows.step);
    label_width_ = grid.rows.dimension < 0 ? 0 : std::min(last.size(), static_cast<size_t>(most_label(options_)));
    rows_ = with_gaps(grid.row_units);
    columns_ = with_gaps(grid.column_units);
    for (const Plane& plane : grid.planes) {
      out_ += '\n';
      if (const std::string caption = plane_text(grid, plane); !caption.empty()) captions({caption});
      draw(plane);
    }
  }

  std::string take() { return std::move(out_); }

 private:
  int weight(Edge edge) const {
    switch (edge) {
      case Edge::kNone:
        return 0;
      case Edge::kFrame:
        return grid_->storage->levels() > 0 && grid_->level != 0 ? 2 : 1;
      case Edge::kOuter:
      case Edge::kSplit:
        return 2;
      default:
        return 1;
    }
  }

  // The line between two neighbouring rows or columns of the list, by the sides of the cells there.
  int upright(const Plane& plane, size_t row_item, size_t at) const {
    if (rows_[row_item] == kGap) return 0;
    int result = 0;
    if (at > 0 && columns_[at - 1] != kGap)
      result = std::max(result, weight(grid_->edge(plane, rows_[row_item], columns_[at - 1], Side::kRight)));
    if (at < columns_.size() && columns_[at] != kGap)
      result = std::max(result, weight(grid_->edge(plane, rows_[row_item], columns_[at], Side::kLeft)));
    return result;
  }
  int level(const Plane& plane, size_t at, size_t column_item) const {
    if (columns_[column_item] == kGap) return 0;
    int result = 0;
    if (at > 0 && rows_[at - 1] != kGap)
      result = std::max(result, weight(grid_->edge(plane, rows_[at - 1], columns_[column_item], Side::kBelow)));
    if (at < rows_.size() && rows_[at] != kGap)
      result = std::max(result, weight(grid_->edge(plane, rows_[at], columns_[column_item], Side::kAbove)));
    return result;
  }

  size_t item_width(size_t item) const { return item == kGap ? 1 : width_; }

  void draw(const Plane& plane) {
    std::vector<std::vector<int>> uprights(rows_.size()), levels(rows_.size() + 1);
    for (size_t y = 0; y < rows_.size(); ++y)
      for (size_t at = 0; at <= columns_.size(); ++at) uprights[y].push_back(upright(plane, y, at));
    for (size_t at = 0; at <= rows_.size(); ++at)
      for (size_t x = 0; x < columns_.size(); ++x) levels[at].push_back(level(plane, at, x));
    header();
    for (size_t at = 0; at <= rows_.size(); ++at) {
      if (std::any_of(levels[at].begin(), levels[at].end(), [](int w) { return w > 0; })) {
        std::string line = std::string(label_width_ + 1, ' ');
        for (size_t x = 0; x <= columns_.size(); ++x) {
          Arms arms;
          if (x > 0) arms.left = levels[at][x - 1];
          if (x < columns_.size()) arms.right = levels[at][x];
          if (at > 0) arms.up = uprights[at - 1][x];
          if (at < rows_.size()) arms.down = uprights[at][x];
          line += box(arms, ascii_);
          if (x == columns_.size()) break;
          const std::string dash = box({levels[at][x], levels[at][x], 0, 0}, ascii_);
          for (size_t i = 0; i < item_width(columns_[x]); ++i) line += dash;
        }
        end(line);
      }
      if (at < rows_.size()) row(plane, at, uprights[at]);
    }
  }

  void header() {
    if (grid_->columns.dimension < 0) return;
    std::string line(label_width_ + 1, ' ');
    for (const size_t item : columns_) {
      const std::string label = item == kGap ? "" : decimal(grid_->column_units[item] * grid_->columns.step);
      line += ' ';
      line += right(label.size() > item_width(item) ? "" : label, item_width(item));
    }
    end(faint(line));
  }

  void row(const Plane& plane, size_t at, const std::vector<int>& uprights) {
    const bool gap = rows_[at] == kGap;
    const std::string label = gap ? "" : decimal(grid_->row_units[rows_[at]] * grid_->rows.step);
    std::string line = faint(right(grid_->rows.dimension < 0 ? "" : cut(label, label_width_), label_width_)) + " ";
    for (size_t x = 0; x <= columns_.size(); ++x) {
      line += uprights[x] == 0 && block_ends(plane, at, x) ? (ascii_ ? ":" : "\u250A")
                                                           : box({0, 0, uprights[x], uprights[x]}, ascii_);
      if (x == columns_.size()) break;
      if (gap || columns_[x] == kGap) {
        line += right(columns_[x] == kGap ? (gap ? " " : dots("\u2026", ".")) : dots("\u22EE", ":"),
                      item_width(columns_[x]));
      } else {
        line += cell(plane, rows_[at], columns_[x]);
      }
    }
    end(line);
  }

  bool block_ends(const Plane& plane, size_t row_item, size_t x) const {
    if (options_.overlay_bytes == 0 || rows_[row_item] == kGap || x == columns_.size() || columns_[x] == kGap)
      return false;
    return grid_->block_ends(plane, rows_[row_item], columns_[x], Side::kLeft, options_.overlay_bytes);
  }

  std::string cell(const Plane& plane, size_t row, size_t column) const {
    const Cell& cell = grid_->cell(plane, row, column);
    if (cell.kind == Kind::kNothing) return std::string(width_, ' ');
    const std::string dot = dots("\u00B7", ".");
    if (cell.kind == Kind::kPadding) return faint(std::string(width_ - 2, ' ') + dot + dot);
    std::string text = cell_text(*grid_, plane, row, column, options_);
    if (options_.show == XLASHAPE_DRAW_NOTHING && !color_) text = "##";
    text = cut(text, width_);
    if (cell.kind == Kind::kPartial && text.size() < width_) text = dot + text;
    text = right(text, width_);
    if (!color_) return text;
    const Color& c = cell.color;
    return "\x1b[48;2;" + decimal(c.red) + ";" + decimal(c.green) + ";" + decimal(c.blue) +
           (c.is_light() ? "m\x1b[38;2;0;0;0m" : "m\x1b[38;2;255;255;255m") + text + "\x1b[0m";
  }

  const char* dots(const char* text, const char* ascii) const { return ascii_ ? ascii : text; }
  std::string faint(const std::string& text) const { return color_ ? "\x1b[2m" + text + "\x1b[0m" : text; }
  // At the right end of a field.
  static std::string right(const std::string& text, size_t width) {
    const auto size = static_cast<size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));  // characters
    return std::string(width > size ? width - size : 0, ' ') + text;
  }
  // The end of a text that is too long: that is where neighbours differ.
  std::string cut(const std::string& text, size_t width) const {
    if (text.size() <= width) return text;
    return dots("\u2026", "~") + text.substr(text.size() - width + 1);
  }
  void end(std::string line) {
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out_ += line + "\n";
  }

  const Options& options_;
  bool color_, ascii_;
  std::string out_;
  const Grid* grid_ = nullptr;
  size_t width_ = 0, label_width_ = 0;
  std::vector<size_t> rows_, columns_;
};

}  // namespace

std::string render_text(const Scene& scene, const Options& options) {
  Text text(options);
  const int64_t width = scene.text_width;
  text.title(shape_text(scene.storage));
  text.captions(size_captions(scene.storage));
  text.grid(scene.grid, width);
  if (scene.other_storage) {
    text.blank();
    text.title(shape_text(*scene.other_storage));
    text.captions(size_captions(*scene.other_storage));
    text.grid(scene.other, width);
  }
  text.blank();
  text.captions(shown_captions(scene, options));
  text.legend(scene);
  text.captions(overlay_captions(scene, options));
  if (scene.other_storage) text.captions(relayout_captions(scene));
  return text.take();
}

}  // namespace xlashape::view
