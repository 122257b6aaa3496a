/* SPDX-License-Identifier: Apache-2.0 */
// What follows from a schedule: a tile's rows and columns, the loops over tiles, and where each tile is. It is made
// from the schedule at once and never changed.
#pragma once
#include "backends/simd/factors.h"
#include "backends/simd/schedule.h"

namespace xlashape::simd {

// The rows of a tile, or its columns: factors, innermost first. Only the last tile along the last factor may be
// smaller.
struct TileDimension {
  int64_t whole = 1, last = 1;
  int loop = -1;  // the loop over the tiles along this side; -1: there is one tile
  int factors = 0;
  StridedAxis* factor = nullptr;
};

// An axis of a tile's planes. Only the last tile along it may be smaller.
struct PlaneAxis {
  int64_t count, last, src, dst;
  int loop;  // the loop over the tiles along it; -1: there is one tile
};

// How many rows the first tile along the loop of the rows has less than other tiles, and how many bytes earlier these
// therefore begin on each side.
struct TileShift {
  int64_t rows = 0, src = 0, dst = 0;
};

// A tile has rows x columns units. Unit (r, c) is at row[r] + c * unit in the source, where row[] counts the rows'
// factors, and goes to column[c] + r * unit in the destination. Each plane repeats this, plane_src and plane_dst
// further where they are of one axis.
struct Tiling {
  int64_t unit = 0, last_unit = 0;  // bytes; elements where a side is packed
  int unit_loop = -1;
  int planes_axes = 0;
  int64_t planes = 1, last_planes = 1, plane_src = 0, plane_dst = 0;
  int plane_loop = -1;               // of the first axis, as the two distances
  const PlaneAxis* plane = nullptr;  // all axes
  int loops = 0;
  int64_t tiles = 1;
  int64_t element = 0;
  TileDimension rows, columns;
  TileShift shift;
  StridedAxis* loop = nullptr;           // outermost first; steps of a tile
  const TileFactors* factors = nullptr;  // of tiles whose elements are permuted; else null

  bool permutes() const { return factors != nullptr; }
  // Whether units are of a width that kernels can transpose, and none is cut short.
  bool transposes() const { return unit <= 16 && (unit & (unit - 1)) == 0 && last_unit == unit; }
  // How many rows of a tile are contiguous in the source, and how many columns in the destination.
  int64_t row_run() const {
    return rows.factors > 0 && rows.factor[0].src == columns.whole * unit && columns.loop < 0 ? rows.factor[0].count
                                                                                              : 1;
  }
  int64_t column_run() const {
    return columns.factors > 0 && columns.factor[0].dst == rows.whole * unit && rows.loop < 0 ? columns.factor[0].count
                                                                                              : 1;
  }
};

// What a tiling points to.
struct TilingArrays {
  StridedAxis factor[kMaxAxes], loop[kMaxAxes];
  PlaneAxis plane[kMaxAxes];
  TileFactors factors;

  TilingArrays() {}  // not initialised: most of it is never used
};

void make_tiling(const Schedule& schedule, TilingArrays* room, Tiling* tiling);

// The same tiles but for where they are cut along the loop of the rows: all but the first begin so many indices of the
// rows' last factor earlier. There is such a loop, and `indices` are fewer than a tile has. `loop`: room for the loops.
Tiling shifted(const Tiling& tiling, int64_t indices, StridedAxis* loop);

// Where the tiles [begin, end) are, one after the other. A place after the last one has no rows.
struct TilePlace {
  int64_t src = 0, dst = 0, rows = 0, columns = 0, unit = 0, planes = 0;
};
class TileWalk {
 public:
  TileWalk(const Tiling& tiling, int64_t begin, int64_t end);
  void next(TilePlace* place);
  int64_t at(int loop) const { return at_[loop]; }  // of the next place
  bool at_last(int loop) const { return loop >= 0 && at_[loop] == tiling_.loop[loop].count - 1; }

 private:
  void begin_innermost();
  int64_t offset(int loop, int64_t at, int64_t StridedAxis::*stride, int64_t shift) const {
    return at * (tiling_.loop[loop].*stride) - (loop == tiling_.rows.loop && at > 0 ? shift : 0);
  }
  void add(int loop, int64_t from, int64_t to) {
    src_ += offset(loop, to, &StridedAxis::src, tiling_.shift.src) -
            offset(loop, from, &StridedAxis::src, tiling_.shift.src);
    dst_ += offset(loop, to, &StridedAxis::dst, tiling_.shift.dst) -
            offset(loop, from, &StridedAxis::dst, tiling_.shift.dst);
  }

  const Tiling& tiling_;
  int64_t left_, src_ = 0, dst_ = 0;
  int64_t steps_ = 0;                       // of the innermost loop that change only the place
  int64_t rows_, columns_, unit_, planes_;  // of the tiles until then
  int64_t at_[kMaxAxes];
};

// Writes where a tile's rows are in the source (&StridedAxis::src), or its columns in the destination.
void fill_table(const TileDimension& side, int64_t StridedAxis::*stride, int64_t* table);

}  // namespace xlashape::simd
