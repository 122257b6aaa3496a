// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <algorithm>
#include <cstring>

#include "refuse.h"

namespace xlashape::view {
namespace {

constexpr uint32_t kFlags = XLASHAPE_DRAW_COLOR | XLASHAPE_DRAW_ASCII | XLASHAPE_DRAW_DATA;

// The rules for structs that grow, as xlashape.h has them.
xlashape_draw_options known_fields(const xlashape_draw_options* given) {
  constexpr uint32_t kFirstSize = sizeof(xlashape_draw_options);  // of the first release
  xlashape_draw_options known = {};
  if (given->struct_size < kFirstSize)
    refuse(Status::kInvalidArgument, {"options.struct_size is ", decimal(given->struct_size), ", it must be at least ",
                                      decimal(kFirstSize), ": set it to sizeof"});
  std::memcpy(&known, given, sizeof known);
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  for (uint32_t i = sizeof known; i < given->struct_size; ++i)
    if (bytes[i] != 0)
      refuse(Status::kIncompatible,
             {"options uses a field at byte ", decimal(i), " that this library (", version(), ") does not know"});
  if (known.reserved != 0)
    refuse(Status::kIncompatible, {"options.reserved is ", decimal(known.reserved), ", it must be 0"});
  if ((known.flags & ~kFlags) != 0)
    refuse(Status::kIncompatible,
           {"flags ", decimal(known.flags), " holds bits that this library (", version(), ") does not know"});
  return known;
}

void check_range(const char* name, int64_t value, int64_t low, int64_t high) {
  if (value < low || value > high)
    refuse(Status::kOutOfRange,
           {name, " is ", decimal(value), ", it must be within ", decimal(low), " and ", decimal(high)});
}

}  // namespace

Options read_options(const xlashape_draw_options* given, const Shape& array) {
  Options options;
  if (given == nullptr) return options;
  const xlashape_draw_options known = known_fields(given);
  options.format = known.format;
  options.show = known.show;
  options.color_by = known.color_by;
  options.flags = known.flags;
  options.color_dimension = known.color_dimension;
  options.zoom = known.zoom;
  if (known.columns != 0) options.columns = known.columns;
  options.max_cells = known.max_cells;
  options.overlay_bytes = known.overlay_bytes;
  check_range("format", options.format, 0, XLASHAPE_DRAW_HTML);
  check_range("show", options.show, 0, XLASHAPE_DRAW_NOTHING);
  check_range("color_by", options.color_by, 0, XLASHAPE_DRAW_BY_DIMENSION);
  const int64_t rank = array.rank();
  if (options.color_by == XLASHAPE_DRAW_BY_DIMENSION && rank == 0)
    refuse(Status::kOutOfRange,
           {"color_dimension is ", decimal(options.color_dimension), ": the array has no dimensions"});
  if (options.color_by == XLASHAPE_DRAW_BY_DIMENSION)
    check_range("color_dimension", options.color_dimension, 0, rank - 1);
  check_range("columns", options.columns, 20, 10'000);
  if (options.max_cells != 0) check_range("max_cells", options.max_cells, 9, 1 << 20);
  if (options.overlay_bytes < 0)
    refuse(Status::kOutOfRange, {"overlay_bytes is ", decimal(options.overlay_bytes), ", it must not be negative"});
  if (known.at_count == 0) return options;
  if (known.at == nullptr) refuse(Status::kInvalidArgument, {"options.at is NULL"});
  if (known.at_count != rank)
    refuse(Status::kInvalidArgument, {"at_count is ", decimal(known.at_count), ", the rank is ", decimal(rank)});
  options.at.assign(known.at, known.at + rank);
  const std::vector<int64_t> dimensions = array.dimensions();
  for (size_t d = 0; d < options.at.size(); ++d)
    if (options.at[d] < -1 || options.at[d] >= dimensions[d])
      refuse(Status::kOutOfRange, {"at[", std::to_string(d), "] is ", decimal(options.at[d]),
                                   ", it must be -1 or an index below ", decimal(dimensions[d])});
  return options;
}

}  // namespace xlashape::view
