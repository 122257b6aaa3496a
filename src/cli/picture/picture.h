// `xlashape picture`: a file's memory as a PNG, which shows the layout.
#pragma once
#include <string>

#include "cli/output/terminal.h"
#include "memory_picture.h"

namespace xlashape::cli {

struct PictureOptions {
  std::string in, out, tint = "auto";
  Reading reading;
  DrawOptions draw;  // its tint follows from this one's and the array's shape
};

int run_picture(const PictureOptions& options, const Common& common);

}  // namespace xlashape::cli
