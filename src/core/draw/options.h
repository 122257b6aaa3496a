// What a picture shall show: the caller's options with their defaults, checked.
#pragma once
#include <vector>

#include "base/status.h"
#include "xlashape_util.h"

namespace xlashape::core::draw {

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

// Of a line of text, the characters that a row's label takes at most. Longer numbers are cut.
inline int64_t most_label(const Options& options) { return options.columns / 4; }

}  // namespace xlashape::core::draw
