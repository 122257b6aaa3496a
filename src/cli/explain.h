// `xlashape explain`: everything that can be said about shapes, as text and as JSON.
#pragma once
#include "command.h"

namespace xlashape::cli {

Run add_explain(CLI::App& app, Common& common);

}  // namespace xlashape::cli
