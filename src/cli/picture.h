// `xlashape picture`: a file's memory as a PNG, so that one sees what a layout is.
#pragma once
#include "command.h"

namespace xlashape::cli {

Run add_picture(CLI::App& app, Common& common);

}  // namespace xlashape::cli
