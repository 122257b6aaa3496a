#include "draw/scene.h"

#include <algorithm>

#include "base/checked.h"
#include "draw/color.h"

namespace xlashape::core::draw {
namespace {

constexpr int64_t kFoldTo = 32;      // the columns of a picture of an array that has one dimension only
constexpr int64_t kMostRows = 48;    // of a plane that is not shown whole; in text half as many
constexpr int64_t kMostPlanes = 3;   // of an array that is not shown whole
constexpr int64_t kFewestCells = 9;  // of a plane that is not shown whole: three by three
constexpr int64_t kMostWhole = 16;   // planes of one that is, or as a part of the cells:
constexpr int64_t kMostWholePart = 128;
constexpr int64_t kMostRowsPart = 32;    // of the cells: rows of a plane that is shown whole, if more than kMostRows
constexpr int64_t kMostBytes = 800'000;  // of the cells in a picture whose size nobody chose; an SVG stays below 1 MB
constexpr int64_t kMostBytesAtAll = 256'000'000;
constexpr int64_t kMarkupBytes = 130;  // of a cell in an SVG, without its numbers
constexpr int64_t kMostColumns = 256;  // of a plane in an SVG, or as a part of the cells that were asked for:
constexpr int64_t kMostColumnsPart = 16;

int64_t digits(int64_t number) { return static_cast<int64_t>(std::to_string(number).size()); }

int64_t units_in(int64_t indices, int64_t step) { return indices == 0 ? 0 : (indices - 1) / step + 1; }

class Maker {
 public:
  Maker(const Options& options, Scene* scene, Error* err) : options_(options), scene_(*scene), err_(err) {}

  Status run() {
    Grid& grid = scene_.grid;
    grid.storage = &scene_.storage;
    if (options_.zoom < 0 || options_.zoom > scene_.storage.levels())
      return fail(err_, XLASHAPE_STATUS_OUT_OF_RANGE, "zoom is %lld, the layout has %lld levels of tiles",
                  ll(options_.zoom), ll(scene_.storage.levels()));
    grid.level = options_.zoom == 0 ? -1 : scene_.storage.levels() - options_.zoom;
    choose_sides(&grid);
    XLASHAPE_TRY(choose_steps(&grid));
    choose_shown(&grid);
    if (scene_.has_other) {
      scene_.other = grid;
      scene_.other.storage = &scene_.other_storage;
    }
    fill_planes();
    return XLASHAPE_STATUS_OK;
  }

 private:
  bool is_free(int64_t dimension) const {
    return options_.at.empty() || options_.at[static_cast<size_t>(dimension)] < 0;
  }

  int64_t extent(int64_t dimension) const {
    const int64_t mine = scene_.storage.extent(dimension);
    return scene_.has_other ? std::max(mine, scene_.other_storage.extent(dimension)) : mine;
  }

  // Rows and columns run along the two most minor dimensions that have more than one place; the lower dimension goes
  // down. Dimensions with one place are taken only where there are no others.
  void choose_sides(Grid* grid) {
    const Shape& array = scene_.storage.array();
    const int64_t rank = array.rank();
    std::vector<int64_t> sides;
    for (const bool wide : {true, false})
      for (int64_t i = 0; i < rank && sides.size() < 2; ++i) {
        const int64_t dimension = array.layout ? array.layout->minor_to_major[static_cast<size_t>(i)] : rank - 1 - i;
        if (is_free(dimension) && (extent(dimension) > 1) == wide) sides.push_back(dimension);
      }
    std::sort(sides.begin(), sides.end());
    if (!sides.empty()) grid->columns.dimension = sides.back();
    if (sides.size() == 2) grid->rows.dimension = sides.front();
  }

  Status choose_steps(Grid* grid) {
    const Storage& storage = scene_.storage;
    steps_.assign(static_cast<size_t>(storage.rank()), 1);
    if (grid->level >= 0)
      for (int64_t d = 0; d < storage.rank(); ++d) {
        const int64_t along = storage.along(grid->level, d);
        if (along == 0)
          return fail(err_, XLASHAPE_STATUS_UNSUPPORTED,
                      "the tiles do not nest, so that a tile is no block of indices: use zoom 0");
        steps_[static_cast<size_t>(d)] = along;
      }
    for (Axis* axis : {&grid->rows, &grid->columns}) {
      if (axis->dimension < 0) continue;
      axis->step = steps_[static_cast<size_t>(axis->dimension)];
      axis->size = units_in(storage.size(axis->dimension), axis->step);
      axis->extent = units_in(extent(axis->dimension), axis->step);
      if (storage.levels() > 0 && grid->level != 0)
        axis->tile = std::max<int64_t>(1, storage.along(0, axis->dimension) / axis->step);
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
    return XLASHAPE_STATUS_OK;
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
    for (const Storage* storage : {&scene_.storage, &scene_.other_storage})
      if (storage == &scene_.storage || scene_.has_other)
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
    for (const Storage* storage : {&scene_.storage, &scene_.other_storage})
      if (storage == &scene_.storage || scene_.has_other)
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
    int64_t budget = max_cells(), cells;
    const int64_t most_rows = is_text() ? kMostRows / 2 : kMostRows;
    const int64_t most_columns = is_text() ? text_columns() : std::max(kMostColumns, budget / kMostColumnsPart);
    const bool all_fit = checked_mul(rows.extent, columns.extent, &cells) && columns.extent <= most_columns &&
                         rows.extent <= std::max(kMostRows, budget / kMostRowsPart);
    int64_t shown_planes = grid->plane_count;
    if (!all_fit || cells > budget / shown_planes || shown_planes > std::max(kMostWhole, budget / kMostWholePart))
      shown_planes = std::min({shown_planes, kMostPlanes, std::max<int64_t>(1, budget / kFewestCells)});
    budget = std::max(kFewestCells, budget / shown_planes);
    if (!all_fit || cells > budget) {
      // Few rows leave room for more columns, and few columns for more rows.
      int64_t height = std::min(rows.extent, most_rows);
      while (height > 3 && height * height > budget) --height;
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

  Cell make_cell(const Grid& grid, const std::vector<int64_t>& index) const {
    const Storage& storage = *grid.storage;
    Cell cell;
    for (int64_t d = 0; d < storage.rank(); ++d)
      if (index[static_cast<size_t>(d)] >= storage.extent(d)) return cell;
    cell.position = storage.position(index);
    cell.kind = storage.holds_element(index) ? Kind::kElement : Kind::kPadding;
    if (grid.level >= 0 && cell.kind == Kind::kElement)
      for (int64_t d = 0; d < storage.rank(); ++d)
        if (storage.size(d) - index[static_cast<size_t>(d)] < steps_[static_cast<size_t>(d)])
          cell.kind = Kind::kPartial;
    return cell;
  }

  void fill_planes() {
    for (Grid* grid : {&scene_.grid, &scene_.other}) {
      if (grid->storage == nullptr) continue;
      for (Plane& plane : grid->planes) {
        plane.cells.clear();
        for (size_t row = 0; row < grid->row_units.size(); ++row)
          for (size_t column = 0; column < grid->column_units.size(); ++column)
            plane.cells.push_back(make_cell(*grid, grid->index_of(plane, row, column)));
      }
    }
    color_cells(options_, &scene_);
  }

  const Options& options_;
  Scene& scene_;
  Error* err_;
  std::vector<int64_t> steps_;  // indices of a unit, per dimension
};

}  // namespace

std::vector<int64_t> Grid::index_of(const Plane& plane, size_t row, size_t column) const {
  std::vector<int64_t> index = plane.index;
  if (rows.dimension >= 0) index[static_cast<size_t>(rows.dimension)] += row_units[row] * rows.step;
  if (columns.dimension >= 0) index[static_cast<size_t>(columns.dimension)] += column_units[column] * columns.step;
  return index;
}

bool Grid::neighbour(const Plane& plane, size_t row, size_t column, Side side, std::vector<int64_t>* index) const {
  const bool across = side == Side::kLeft || side == Side::kRight;
  const Axis& axis = across ? columns : rows;
  const int64_t unit =
      (across ? column_units[column] : row_units[row]) + (side == Side::kRight || side == Side::kBelow ? 1 : -1);
  if (axis.dimension < 0 || unit < 0 || unit >= axis.extent) return false;
  *index = index_of(plane, row, column);
  int64_t& at = (*index)[static_cast<size_t>(axis.dimension)];
  at += side == Side::kRight || side == Side::kBelow ? axis.step : -axis.step;
  return at < storage->extent(axis.dimension);
}

Edge Grid::edge(const Plane& plane, size_t row, size_t column, Side side) const {
  const Cell& own = cell(plane, row, column);
  if (own.kind == Kind::kNothing) return Edge::kNone;
  std::vector<int64_t> index;
  if (!neighbour(plane, row, column, side, &index)) return Edge::kFrame;
  const bool across = side == Side::kLeft || side == Side::kRight;
  const Axis& axis = across ? columns : rows;
  // A row of a folded array ends anywhere.
  if (across || !is_folded()) {
    const auto d = static_cast<size_t>(axis.dimension);
    const int64_t here = index_of(plane, row, column)[d], there = index[d];
    if (storage->is_split(axis.dimension, std::min(here, there), std::max(here, there))) return Edge::kSplit;
  }
  const int64_t border = storage->border(own.position, storage->position(index));
  // Borders between all neighbours say nothing.
  if (border < 0 || border == level || (border > 0 && storage->along(border, axis.dimension) <= axis.step))
    return Edge::kNone;
  return border == 0 ? Edge::kOuter : border == 1 ? Edge::kTile : Edge::kThin;
}

bool Grid::block_ends(const Plane& plane, size_t row, size_t column, Side side, int64_t block) const {
  const Cell& own = cell(plane, row, column);
  std::vector<int64_t> index;
  if (own.kind == Kind::kNothing || !neighbour(plane, row, column, side, &index)) return false;
  return storage->place(own.position).byte / block != storage->place(storage->position(index)).byte / block;
}

bool Scene::shows(Kind kind) const {
  for (const Grid* shown : {&grid, &other})
    for (const Plane& plane : shown->planes)
      for (const Cell& cell : plane.cells)
        if (cell.kind == kind) return true;
  return false;
}

Status make_scene(const Shape& array, const Shape* other, const Options& options, Scene* scene, Error* err) {
  XLASHAPE_TRY(scene->storage.init(array, err));
  scene->has_other = other != nullptr;
  if (other != nullptr) XLASHAPE_TRY(scene->other_storage.init(*other, err));
  return Maker(options, scene, err).run();
}

std::string cell_text(const Grid& grid, const Plane& plane, size_t row, size_t column, const Options& options) {
  const Storage& storage = *grid.storage;
  const Cell& cell = grid.cell(plane, row, column);
  const Place place = storage.place(cell.position);
  switch (options.show) {
    case XLASHAPE_DRAW_INDEX: {
      std::string text;
      for (const int64_t i : grid.index_of(plane, row, column)) text += (text.empty() ? "" : ",") + std::to_string(i);
      return text;
    }
    case XLASHAPE_DRAW_BYTE:
      return std::to_string(place.byte) + (storage.bits() % 8 == 0 ? "" : "." + std::to_string(place.bit));
    case XLASHAPE_DRAW_TILE:
      return storage.levels() == 0 ? "" : std::to_string(cell.position / storage.tile_positions(0));
    case XLASHAPE_DRAW_LANE: {
      const Lane lane = lane_of(place);
      return std::to_string(lane.sublane) + "." + std::to_string(lane.lane);
    }
    case XLASHAPE_DRAW_NOTHING:
      return "";
    default:
      return std::to_string(grid.level < 0 ? cell.position : cell.position / storage.tile_positions(grid.level));
  }
}

int64_t widest_text(const Storage& storage, int64_t level, const Options& options) {
  int64_t width = 2;
  const int64_t last = std::max<int64_t>(storage.sizes().storage_elements - 1, 0);
  switch (options.show) {
    case XLASHAPE_DRAW_INDEX:
      width = 0;
      for (int64_t d = 0; d < storage.rank(); ++d) width += digits(std::max<int64_t>(storage.extent(d) - 1, 0)) + 1;
      width = width == 0 ? 0 : width - 1;
      break;
    case XLASHAPE_DRAW_BYTE:
      width = digits(storage.place(last).byte) + (storage.bits() % 8 == 0 ? 0 : 2);
      break;
    case XLASHAPE_DRAW_TILE:
      width = storage.levels() == 0 ? 0 : digits(last / storage.tile_positions(0));
      break;
    case XLASHAPE_DRAW_LANE:
      width = 5;
      break;
    case XLASHAPE_DRAW_NOTHING:
      break;
    default:
      width = digits(level < 0 ? last : last / storage.tile_positions(level));
  }
  return std::max<int64_t>(width, 2);
}

}  // namespace xlashape::core::draw
