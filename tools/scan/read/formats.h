/* SPDX-License-Identifier: Apache-2.0 */
// The formats of dumps. Each calls `use` with every module that it reads; lines that are not understood are counted in
// the module that they stand in.
#pragma once
#include <string>
#include <string_view>

#include "input.h"
#include "scan/program/module.h"

namespace xlashape::cli {

// HLO text, before or after optimisation, as XLA dumps it. Lines before the first module count as that one's.
void read_hlo_text(Input& input, const OnModule& use);

// The bytes of an HloProto or an HloModuleProto. A Failure where they are none.
void read_hlo_proto(std::string_view bytes, const std::string& path, const OnModule& use);

// StableHLO's text, as jax prints it: lowered.as_text(), in MLIR's generic form too. A function is a computation, and
// so is each region of a while, a case and the like. A Failure where there is no function.
void read_stablehlo(Input& input, const OnModule& use);

// Whether a module is whole: a text that was cut, or a buffer assignment of another program, must not pass for less
// waste. Adds what is missing to the lines that are not understood: an entry computation, operands and computations
// that are named and not there, names that are given twice, instructions of the buffer assignment that the program has
// not.
void check_consistency(Module* module);

}  // namespace xlashape::cli
