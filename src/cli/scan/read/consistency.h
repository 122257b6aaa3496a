// Whether a module is whole: a text that was cut, or a buffer assignment of another program, must not pass for less waste.
#pragma once
#include "cli/scan/program/module.h"

namespace xlashape::cli {

// Adds what is missing to the lines that are not understood: an entry computation, operands and computations that are
// named and not there, names that are given twice, instructions of the buffer assignment that the program has not.
void check_consistency(Module* module);

}  // namespace xlashape::cli
