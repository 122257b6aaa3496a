// SPDX-License-Identifier: Apache-2.0
#include "scene.h"

#include <algorithm>

#include "choose.h"
#include "color.h"

namespace xlashape::view {
namespace {

Cell make_cell(const Grid& grid, const std::vector<int64_t>& index) {
  const Storage& storage = *grid.storage;
  Cell cell;
  for (int64_t d = 0; d < storage.rank(); ++d)
    if (index[static_cast<size_t>(d)] >= storage.extent(d)) return cell;
  cell.position = storage.position(index);
  cell.kind = storage.holds_element(index) ? Kind::kElement : Kind::kPadding;
  if (grid.level >= 0 && cell.kind == Kind::kElement)
    for (int64_t d = 0; d < storage.rank(); ++d)
      if (storage.size(d) - index[static_cast<size_t>(d)] < grid.steps[static_cast<size_t>(d)])
        cell.kind = Kind::kPartial;
  return cell;
}

void fill_planes(Scene* scene) {
  for (Grid* grid : {&scene->grid, &scene->other}) {
    if (grid->storage == nullptr) continue;
    for (Plane& plane : grid->planes) {
      plane.cells.clear();
      for (size_t row = 0; row < grid->row_units.size(); ++row)
        for (size_t column = 0; column < grid->column_units.size(); ++column)
          plane.cells.push_back(make_cell(*grid, grid->index_of(plane, row, column)));
    }
  }
}

// Leaves out the rows and columns that only the other array has, in its padding.
void clip(Grid* grid) {
  if (grid->is_folded()) return;
  for (Axis* axis : {&grid->rows, &grid->columns}) {
    if (axis->dimension < 0) continue;
    axis->extent = std::min(axis->extent, (grid->storage->extent(axis->dimension) - 1) / axis->step + 1);
    while (!axis->spans.empty() && axis->spans.back().begin >= axis->extent) axis->spans.pop_back();
    if (!axis->spans.empty()) axis->spans.back().end = std::min(axis->spans.back().end, axis->extent);
  }
  grid->row_units = grid->rows.units();
  grid->column_units = grid->columns.units();
}

}  // namespace

bool Scene::shows(Kind kind) const {
  for (const Grid* shown : {&grid, &other})
    for (const Plane& plane : shown->planes)
      for (const Cell& cell : plane.cells)
        if (cell.kind == kind) return true;
  return false;
}

Scene::Scene(const Shape& array, const Shape* other_array, const Options& options) : storage(array) {
  if (other_array != nullptr) other_storage.emplace(*other_array);
  choose_shown(options, this);
  if (other_storage) {
    other = grid;
    other.storage = &*other_storage;
    if (!grid.planes.empty()) {
      clip(&grid);
      clip(&other);
    }
  }
  fill_planes(this);
  color_cells(options, this);
}

}  // namespace xlashape::view
