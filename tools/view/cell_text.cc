// SPDX-License-Identifier: Apache-2.0
#include "cell_text.h"

#include <algorithm>

namespace xlashape::view {

std::string index_text(const std::vector<int64_t>& index) {
  std::string text;
  for (const int64_t i : index) text += (text.empty() ? "" : ",") + decimal(i);
  return text;
}

std::string cell_text(const Grid& grid, const Plane& plane, size_t row, size_t column, const Options& options) {
  const Storage& storage = *grid.storage;
  const Cell& cell = grid.cell(plane, row, column);
  const Place place = storage.place(cell.position);
  switch (options.show) {
    case XLASHAPE_DRAW_INDEX:
      return index_text(grid.index_of(plane, row, column));
    case XLASHAPE_DRAW_BYTE:
      return decimal(place.byte) + (storage.bits() % 8 == 0 ? "" : "." + decimal(place.bit));
    case XLASHAPE_DRAW_TILE:
      return storage.levels() == 0 ? "" : decimal(cell.position / storage.tile_positions(0));
    case XLASHAPE_DRAW_LANE: {
      const Lane lane = lane_of(place);
      return decimal(lane.sublane) + "." + decimal(lane.lane);
    }
    case XLASHAPE_DRAW_NOTHING:
      return "";
    default:
      return decimal(grid.level < 0 ? cell.position : cell.position / storage.tile_positions(grid.level));
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

}  // namespace xlashape::view
