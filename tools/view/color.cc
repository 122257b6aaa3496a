// SPDX-License-Identifier: Apache-2.0
#include "color.h"

#include <algorithm>

namespace xlashape::view {
namespace {

// From the first to the last: dark blue over teal to yellow, in equal steps of lightness.
constexpr Color kScale[] = {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
constexpr int64_t kScaleSteps = 4;
// Neighbouring numbers look different, also to people who see fewer colours.
constexpr Color kPalette[] = {{86, 180, 233}, {230, 159, 0}, {0, 158, 115},   {240, 228, 66},
                              {0, 114, 178},  {213, 94, 0},  {204, 121, 167}, {170, 170, 170}};

// The colour at `at` of `count` along the scale.
Color scale(int64_t at, int64_t count) {
  if (count <= 1) return kScale[0];
  constexpr int64_t kPart = 1024;
  const auto along = static_cast<int64_t>(static_cast<double>(at) / static_cast<double>(count - 1) *
                                          static_cast<double>(kScaleSteps * kPart));
  const int64_t left = std::min(along / kPart, kScaleSteps - 1), part = along - left * kPart;
  const auto mix = [&](uint8_t a, uint8_t b) { return static_cast<uint8_t>(a + (b - a) * part / kPart); };
  const Color &a = kScale[left], &b = kScale[left + 1];
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

bool is_drawn(const Cell& cell) { return cell.kind == Kind::kElement || cell.kind == Kind::kPartial; }

// By the order of what is shown, so that few cells of a large array use the whole scale.
void color_by_order(Grid* grid) {
  std::vector<Cell*> cells;
  for (Plane& plane : grid->planes)
    for (Cell& cell : plane.cells)
      if (is_drawn(cell)) cells.push_back(&cell);
  std::sort(cells.begin(), cells.end(), [](const Cell* a, const Cell* b) { return a->position < b->position; });
  for (size_t i = 0; i < cells.size(); ++i)
    cells[i]->color = scale(static_cast<int64_t>(i), static_cast<int64_t>(cells.size()));
}

}  // namespace

void color_cells(const Options& options, Scene* scene) {
  Grid& grid = scene->grid;
  // Of two arrays of which only the second has tiles, its tiles are meant.
  const bool others = scene->other_storage && scene->storage.levels() == 0 && scene->other_storage->levels() > 0;
  const Storage& tiled = others ? *scene->other_storage : scene->storage;
  if (options.color_by == XLASHAPE_DRAW_BY_POSITION) color_by_order(&grid);
  for (Plane& plane : grid.planes)
    for (size_t i = 0; i < plane.cells.size(); ++i) {
      Cell& cell = plane.cells[i];
      if (options.color_by == XLASHAPE_DRAW_BY_POSITION || !is_drawn(cell)) continue;
      const std::vector<int64_t> index =
          grid.index_of(plane, i / grid.column_units.size(), i % grid.column_units.size());
      if (options.color_by == XLASHAPE_DRAW_BY_DIMENSION) {
        cell.color =
            scale(index[static_cast<size_t>(options.color_dimension)], scene->storage.size(options.color_dimension));
      } else {
        cell.color = kPalette[tiled.levels() == 0 ? 0 : tiled.position(index) / tiled.tile_positions(0) % 8];
      }
    }
  if (!scene->other_storage) return;
  // Both show the same elements in their first rows and columns.
  Grid& other = scene->other;
  const size_t rows = std::min(grid.row_units.size(), other.row_units.size());
  const size_t columns = std::min(grid.column_units.size(), other.column_units.size());
  for (size_t p = 0; p < grid.planes.size(); ++p)
    for (size_t row = 0; row < rows; ++row)
      for (size_t column = 0; column < columns; ++column)
        other.planes[p].cells[row * other.column_units.size() + column].color =
            grid.cell(grid.planes[p], row, column).color;
}

}  // namespace xlashape::view
