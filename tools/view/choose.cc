// SPDX-License-Identifier: Apache-2.0
#include "choose.h"

#include <algorithm>

#include "cell_text.h"
#include "refuse.h"

namespace xlashape::view {
namespace {

constexpr int64_t kFoldTo = 32;    // the columns of a picture of an array that has one dimension only
constexpr int64_t kMostRows = 48;  // of a plane that is shown whole, or as a part of the cells:
constexpr int64_t kMostRowsPart = 32;
constexpr int64_t kMostPlanes = 3;   // of an array that is not shown whole
constexpr int64_t kFewestCells = 9;  // of a plane that is not shown whole: three by three
constexpr int64_t kMostWhole = 16;   // planes of one that is, or as a part of the cells:
constexpr int64_t kMostWholePart = 128;
constexpr int64_t kMostBytes = 800'000;  // of the cells in a picture whose size nobody chose; an SVG stays below 1 MB
constexpr int64_t kMostBytesAtAll = 256'000'000;
constexpr int64_t kMarkupBytes = 130;  // of a cell in an SVG, without its numbers
constexpr int64_t kMostColumns = 256;  // of a plane in an SVG, or as a part of the cells that were asked for:
constexpr int64_t kMostColumnsPart = 16;

int64_t units_in(int64_t indices, int64_t step) { return indices == 0 ? 0 : (indices - 1) / step + 1; }

class Chooser {
 public:
  Chooser(const Options& options, Scene* scene) : options_(options), scene_(*scene), steps_(scene->grid.steps) {}

  void run() {
    Grid& grid = scene_.grid;
    grid.storage = &scene_.storage;
    if (options_.zoom < 0 || options_.zoom > scene_.storage.levels())
      refuse(Status::kOutOfRange, {"zoom is ", decimal(options_.zoom), ", it must be within 0 and ",
                                   decimal(scene_.storage.levels()), ", the layout's levels of tiles"});
    grid.level = options_.zoom == 0 ? -1 : scene_.storage.levels() - options_.zoom;
    choose_sides(&grid);
    choose_steps(&grid);
    choose_shown(&grid);
  }

 private:
  bool is_free(int64_t dimension) const {
    return options_.at.empty() || options_.at[static_cast<size_t>(dimension)] < 0;
  }

  std::vector<const Storage*> storages() const {
    if (!scene_.other_storage) return {&scene_.storage};
    return {&scene_.storage, &*scene_.other_storage};
  }

  int64_t extent(int64_t dimension) const {
    const int64_t mine = scene_.storage.extent(dimension);
    return scene_.other_storage ? std::max(mine, scene_.other_storage->extent(dimension)) : mine;
  }

  // Rows and columns run along the two most minor dimensions that have more than one place; the lower dimension goes
  // down. Dimensions with one place are taken only where there are no others.
  void choose_sides(Grid* grid) {
    const int64_t rank = scene_.storage.rank();
    std::vector<int64_t> sides;
    for (const bool wide : {true, false})
      for (int64_t i = 0; i < rank && sides.size() < 2; ++i) {
        const int64_t dimension = scene_.storage.major(rank - 1 - i);
        if (is_free(dimension) && (extent(dimension) > 1) == wide) sides.push_back(dimension);
      }
    std::sort(sides.begin(), sides.end());
    if (!sides.empty()) grid->columns.dimension = sides.back();
    if (sides.size() == 2) grid->rows.dimension = sides.front();
  }

  void choose_steps(Grid* grid) {
    const Storage& storage = scene_.storage;
    steps_.assign(static_cast<size_t>(storage.rank()), 1);
    if (grid->level >= 0)
      for (int64_t d = 0; d < storage.rank(); ++d) {
        const int64_t along = storage.along(grid->level, d);
        if (along == 0)
          refuse(Status::kUnsupported, {"the tiles do not nest, so that a tile is no block of indices: use zoom 0"});
        steps_[static_cast<size_t>(d)] = along;
      }
    for (Axis* axis : {&grid->rows, &grid->columns}) {
      if (axis->dimension < 0) continue;
      axis->step = steps_[static_cast<size_t>(axis->dimension)];
      axis->size = units_in(storage.size(axis->dimension), axis->step);
      axis->extent = units_in(extent(axis->dimension), axis->step);
      if (storage.levels() > 0 && grid->level != 0)
        axis->tile = std::max<int64_t>(1, storage.along(0, axis->dimension) / axis->step);
      // Of two arrays the larger tiles: their ends are ends of most of the smaller ones.
      if (scene_.other_storage && scene_.other_storage->levels() > 0)
        axis->tile = std::max(axis->tile, scene_.other_storage->along(0, axis->dimension));
    }
    choose_text_width();
    // One dimension alone is folded like a text.
    const Axis line = grid->columns;
    const int64_t fold = is_text() ? text_columns() : kFoldTo;
    if (grid->rows.dimension < 0 && line.extent > fold) {
      int64_t width = 1;
      while (width * 2 <= fold) width *= 2;
      grid->rows = line;
      grid->rows.step = line.step * width;
      grid->rows.size = units_in(line.size, width);
      grid->rows.extent = units_in(line.extent, width);
      grid->rows.tile = std::max<int64_t>(1, line.tile / width);
      grid->columns.size = grid->columns.extent = width;
      grid->columns.tile = std::min(line.tile, width);
    }
  }

  bool is_text() const { return options_.format == XLASHAPE_DRAW_TEXT; }

  // Of a row's label in text, at most.
  int64_t label_width() const {
    const Axis& side = scene_.grid.rows.dimension < 0 ? scene_.grid.columns : scene_.grid.rows;
    return std::min(digits((side.extent - 1) * side.step), most_label(options_));
  }

  // A cell of text has room for its number and for the column's, and a line for three columns with gaps between them.
  void choose_text_width() {
    const Axis& columns = scene_.grid.columns;
    int64_t widest = std::min<int64_t>(digits((columns.extent - 1) * columns.step), 4);
    for (const Storage* storage : storages())
      widest = std::max(widest, widest_text(*storage, scene_.grid.level, options_));
    scene_.text_width = std::min(widest, (options_.columns - label_width() - 6) / 3 - 1);
  }

  // The columns for which a line of text has room, where so many times some are left out.
  int64_t text_columns(int64_t gaps = 0) const {
    return (options_.columns - label_width() - 2 - 2 * gaps) / (scene_.text_width + 1);
  }

  void choose_columns(int64_t most) {
    Axis& columns = scene_.grid.columns;
    columns.choose(most);
    while (is_text() && most > 3 && columns.shown() > text_columns(static_cast<int64_t>(columns.spans.size()) - 1))
      columns.choose(--most);
  }

  int64_t max_cells() const {
    if (is_text()) return options_.max_cells == 0 ? 1024 : options_.max_cells;
    // A cell has its index, position, byte and text.
    Options by_index;
    by_index.show = XLASHAPE_DRAW_INDEX;
    int64_t bytes = 0;
    for (const Storage* storage : storages())
      bytes += kMarkupBytes + widest_text(*storage, -1, by_index) + 2 * widest_text(*storage, -1, Options()) +
               widest_text(*storage, scene_.grid.level, options_);
    const auto that_fit = [&](int64_t most) { return std::max(kFewestCells, most / bytes); };
    return options_.max_cells == 0 ? std::min<int64_t>(that_fit(kMostBytes), 4096)
                                   : std::min<int64_t>(that_fit(kMostBytesAtAll), options_.max_cells);
  }

  void choose_shown(Grid* grid) {
    if (scene_.storage.sizes().elements == 0) return;
    std::vector<int64_t> index(static_cast<size_t>(scene_.storage.rank()), 0);
    std::vector<int64_t> outer;
    for (int64_t d = 0; d < scene_.storage.rank(); ++d) {
      // Of a tile: where it begins.
      const int64_t step = steps_[static_cast<size_t>(d)];
      if (!is_free(d)) index[static_cast<size_t>(d)] = options_.at[static_cast<size_t>(d)] / step * step;
      if (!is_free(d) || d == grid->rows.dimension || d == grid->columns.dimension) continue;
      outer.push_back(d);
      // The elements fit int64, and so do the planes.
      grid->plane_count *= units_in(scene_.storage.size(d), steps_[static_cast<size_t>(d)]);
    }
    Axis& rows = grid->rows;
    Axis& columns = grid->columns;
    int64_t budget = max_cells(), cells = 0;
    const int64_t most_columns = is_text() ? text_columns() : std::max(kMostColumns, budget / kMostColumnsPart);
    const bool all_fit = multiply(rows.extent, columns.extent, &cells) && columns.extent <= most_columns &&
                         rows.extent <= std::max(kMostRows, budget / kMostRowsPart);
    int64_t shown_planes = grid->plane_count;
    if (!all_fit || cells > budget / shown_planes || shown_planes > std::max(kMostWhole, budget / kMostWholePart))
      shown_planes = std::min({shown_planes, kMostPlanes, std::max<int64_t>(1, budget / kFewestCells)});
    budget = std::max(kFewestCells, budget / shown_planes);
    if (!all_fit || cells > budget) {
      // A picture is wider than high. Few rows leave room for more columns, and few columns for more rows.
      int64_t most_rows = 3;
      while ((most_rows + 1) * (most_rows + 1) * 16 / 9 <= budget) ++most_rows;
      const int64_t height = std::min(rows.extent, most_rows);
      choose_columns(std::min(most_columns, budget / height));
      rows.choose(std::min(most_rows, budget / columns.shown()));
    } else {
      rows.choose(rows.extent);
      columns.choose(columns.extent);
    }
    grid->row_units = rows.units();
    grid->column_units = columns.units();
    for (int64_t i = 0; i < shown_planes; ++i) {
      int64_t number = i > 0 && i == shown_planes - 1 ? grid->plane_count - 1 : i;
      Plane plane{index, {}};
      for (size_t j = outer.size(); j-- > 0;) {
        const auto d = static_cast<size_t>(outer[j]);
        const int64_t count = units_in(scene_.storage.size(outer[j]), steps_[d]);
        plane.index[d] = number % count * steps_[d];
        number /= count;
      }
      grid->planes.push_back(std::move(plane));
    }
  }

  const Options& options_;
  Scene& scene_;
  std::vector<int64_t>& steps_;
};

}  // namespace

void choose_shown(const Options& options, Scene* scene) { Chooser(options, scene).run(); }

}  // namespace xlashape::view
