/* SPDX-License-Identifier: Apache-2.0 */
// Programs as clients send them: StableHLO in MLIR's bytecode. Only as much of it is understood as tells whether a
// program returns its arguments as they are, and in which layouts.
#pragma once
#include "array.h"

namespace pjrt_plugin {

// An argument or a result of a program.
struct Value {
  xlashape::ElementType type;
  Numbers dimensions;
  std::string layout;  // "{0,1:T(8,128)}", as the client asks for it; empty: the device's own
};

struct ProgramText {
  std::string name;      // of the module: "jit_add"
  std::string computes;  // the first operation that is more than moving: "vhlo.add_v1"; empty: there is none
  std::vector<Value> arguments, results;
  std::vector<std::size_t> sources;  // by result, the argument that it is
};

// The version of StableHLO that clients are asked for, so that the form stays the same whatever their own is.
inline constexpr std::int64_t kStableHloVersion[] = {1, 9, 0};

// UNIMPLEMENTED, with the place, where the bytes are something else; of MLIR as text, only the name is read. `code` may
// hold anything.
ProgramText read_program(std::string_view code);

}  // namespace pjrt_plugin
