// Memory as a picture: its bytes in order, line by line, one pixel each; padding hatched. Lines are as wide as the
// layout suggests (the most minor dimensions), and long memory is set in columns like a newspaper. Tiled memory is
// divided into its tiles, each drawn line by line at the tile's width, at its place in the array.
#pragma once
#include <optional>

#include "cli/files/array_file.h"

namespace xlashape::cli {

struct DrawOptions {
  int64_t width = 0;            // bytes in a line; 0: from the layout
  int64_t columns = 0;          // 0: chosen for a usual aspect
  int64_t scale = 0;            // pixels per byte in both directions; 0: enough to be visible
  std::optional<int64_t> tint;  // a dimension whose index gives bytes their colour
};

struct Picture {
  int64_t height = 0, width = 0;  // pixels, three bytes each
  std::vector<uint8_t> pixels;
  int64_t bytes_per_line = 0, columns = 0, scale = 0;
  bool tiled = false;  // drawn tile by tile
  int64_t shown_bytes = 0, padding_bytes = 0;
};

Picture draw_memory(const Array& array, const DrawOptions& options);

}  // namespace xlashape::cli
