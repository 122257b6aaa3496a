/* SPDX-License-Identifier: Apache-2.0 */
// What a picture shall show: the caller's options with their defaults, checked.
#pragma once
#include <vector>
#include <xlashape/shape.hpp>

#include "xlashape_draw.h"

namespace xlashape::view {

struct Options {
  int32_t format = XLASHAPE_DRAW_TEXT;
  int32_t show = XLASHAPE_DRAW_POSITION;
  int32_t color_by = XLASHAPE_DRAW_BY_POSITION;
  uint32_t flags = 0;
  int64_t color_dimension = 0;
  int64_t zoom = 0;
  int64_t columns = 80;
  int64_t max_cells = 0;  // 0: as the format and the texts need it
  int64_t overlay_bytes = 0;
  std::vector<int64_t> at;  // empty, or per dimension an index or -1

  bool has(uint32_t flag) const { return (flags & flag) != 0; }
};

// `given` may be null: the defaults. Refuses what a picture of such an array cannot have; the zoom, which depends on
// its tiles, is checked by choose_shown.
Options read_options(const xlashape_draw_options* given, const Shape& array);

// Of a line of text, the characters that a row's label takes at most. Longer numbers are cut.
inline int64_t most_label(const Options& options) { return options.columns / 4; }

}  // namespace xlashape::view
