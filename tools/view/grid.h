/* SPDX-License-Identifier: Apache-2.0 */
// The cells of a picture: planes of them, each with its place in memory and its colour, and what ends between two.
#pragma once
#include <vector>

#include "axis.h"
#include "storage.h"

namespace xlashape::view {

enum class Kind : uint8_t {
  kNothing,  // beyond the array and its padding
  kElement,
  kPartial,  // a tile with elements and padding
  kPadding,
};

struct Color {
  uint8_t red, green, blue;
  // Whether black is easier to read on it than white.
  bool is_light() const { return 299 * red + 587 * green + 114 * blue > 105'000; }
};

struct Cell {
  Kind kind = Kind::kNothing;
  int64_t position = 0;  // in the storage; of a tile: its first
  Color color{};
};

// What ends at a side of a cell: nothing, a tile of an inner level, a tile, an outermost tile, the picture, a split.
enum class Edge : uint8_t { kNone, kThin, kTile, kOuter, kFrame, kSplit };

enum class Side : uint8_t { kLeft, kRight, kAbove, kBelow };

struct Plane {
  std::vector<int64_t> index;  // 0 in the dimensions that the plane shows
  std::vector<Cell> cells;     // row by row
};

// The array, as planes whose rows and columns run along the two dimensions that are most minor in memory.
struct Grid {
  const Storage* storage = nullptr;
  int64_t level = -1;  // of the tiles that cells are; -1: cells are elements
  Axis rows, columns;
  std::vector<int64_t> steps;                    // per dimension, the indices of a cell
  std::vector<int64_t> row_units, column_units;  // the shown ones
  int64_t plane_count = 1;                       // how many there are
  std::vector<Plane> planes;                     // the shown ones

  const Cell& cell(const Plane& plane, size_t row, size_t column) const {
    return plane.cells[row * column_units.size() + column];
  }
  std::vector<int64_t> index_of(const Plane& plane, size_t row, size_t column) const;
  Edge edge(const Plane& plane, size_t row, size_t column, Side side) const;
  // Whether the neighbour at that side begins in another block of so many bytes.
  bool block_ends(const Plane& plane, size_t row, size_t column, Side side, int64_t block) const;
  bool gap_before_row(size_t row) const { return row > 0 && row_units[row] != row_units[row - 1] + 1; }
  bool gap_before_column(size_t column) const {
    return column > 0 && column_units[column] != column_units[column - 1] + 1;
  }
  bool is_folded() const { return rows.dimension >= 0 && rows.dimension == columns.dimension; }

 private:
  // The index beside a cell; false where the picture ends.
  bool neighbour(const Plane& plane, size_t row, size_t column, Side side, std::vector<int64_t>* index) const;
};

}  // namespace xlashape::view
