// `xlashape draw`: a picture of a layout, in the terminal, as SVG or as a page.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/output/terminal.h"

namespace xlashape::cli {

struct DrawShapesOptions {
  std::vector<std::string> texts;  // one shape, or two to compare
  std::optional<std::string> target;
  std::string as, show = "position", color_by = "position", overlay;
  std::optional<std::string> out;
  std::vector<std::string> at;
  int zoom = 0, max_cells = 0, width = 0;
  bool ascii = false;
};

int run_draw(const DrawShapesOptions& options, const Common& common);

}  // namespace xlashape::cli
