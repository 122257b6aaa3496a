// HLO text, before or after optimisation, as XLA dumps it.
#pragma once
#include "cli/scan/program/module.h"
#include "input.h"

namespace xlashape::cli {

// Calls `use` with each module of the text, when its end is read. Lines that are not understood are counted in the
// module that they stand in; those before the first module in that one.
void read_hlo_text(Input& input, const OnModule& use);

}  // namespace xlashape::cli
