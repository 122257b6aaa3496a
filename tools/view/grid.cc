// SPDX-License-Identifier: Apache-2.0
#include "grid.h"

#include <algorithm>

namespace xlashape::view {

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

}  // namespace xlashape::view
