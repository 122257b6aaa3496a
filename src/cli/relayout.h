// `xlashape relayout`: a file's array from one layout to another, into another file.
#pragma once
#include "command.h"

namespace xlashape::cli {

Run add_relayout(CLI::App& app, Common& common);

}  // namespace xlashape::cli
