// `xlashape index`: where an element lies, and which element lies at a position.
#pragma once
#include "command.h"

namespace xlashape::cli {

Run add_index(CLI::App& app, Common& common);

}  // namespace xlashape::cli
