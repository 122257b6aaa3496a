// What a picture shows, before it is text or SVG: planes of cells, each with its place in memory and its colour.
#pragma once
#include <string>
#include <vector>

#include "draw/axis.h"
#include "draw/options.h"
#include "draw/storage.h"

namespace xlashape::core::draw {

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

// Where a place is in a vector register of a TPU: rows of 128 lanes of 32 bits, 8 of them.
struct Lane {
  int64_t sublane, lane;
};
inline Lane lane_of(const Place& place) { return {place.byte / 512 % 8, place.byte / 4 % 128}; }

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

// Both arrays show the same indices, and an index has the same colour in both.
struct Scene {
  Storage storage, other_storage;
  bool has_other = false;
  Grid grid, other;
  int64_t text_width = 2;  // in text: the characters of a cell

  bool shows(Kind kind) const;
};

Status make_scene(const Shape& array, const Shape* other, const Options& options, Scene* scene, Error* err);

// What stands in a cell, and how long that can get.
std::string cell_text(const Grid& grid, const Plane& plane, size_t row, size_t column, const Options& options);
int64_t widest_text(const Storage& storage, int64_t level, const Options& options);

}  // namespace xlashape::core::draw
