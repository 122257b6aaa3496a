// A program from StableHLO's text, as jax prints it: lowered.as_text(), in MLIR's generic form too.
#pragma once
#include "cli/scan/program/module.h"
#include "input.h"

namespace xlashape::cli {

// Calls `use` with each module. A function is a computation, and so is each region of a while, a case and the like.
// Throws a Failure where there is no function.
void read_stablehlo(Input& input, const OnModule& use);

}  // namespace xlashape::cli
