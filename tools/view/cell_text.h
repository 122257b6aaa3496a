/* SPDX-License-Identifier: Apache-2.0 */
// What stands in a cell: its number as the reader wants it, and how long such texts get.
#pragma once
#include <string>

#include "grid.h"
#include "options.h"
#include "words.h"

namespace xlashape::view {

// Where a place is in a vector register of a TPU: rows of 128 lanes of 32 bits, 8 of them.
struct Lane {
  int64_t sublane, lane;
};
inline Lane lane_of(const Place& place) { return {place.byte / 512 % 8, place.byte / 4 % 128}; }

std::string index_text(const std::vector<int64_t>& index);  // "3,1"
std::string cell_text(const Grid& grid, const Plane& plane, size_t row, size_t column, const Options& options);
// The longest text of any cell of an array; cells are tiles of `level`, or elements where it is -1.
int64_t widest_text(const Storage& storage, int64_t level, const Options& options);

inline int64_t digits(int64_t number) { return static_cast<int64_t>(decimal(number).size()); }

}  // namespace xlashape::view
