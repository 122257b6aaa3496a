// A program and its buffer assignment from XLA's own message: an HloProto, or the HloModuleProto in it alone.
#pragma once
#include <string>
#include <string_view>

#include "cli/scan/program/module.h"

namespace xlashape::cli {

// Calls `use` once, with the module. `path` is for messages. Throws a Failure where the bytes are neither message.
void read_hlo_proto(std::string_view bytes, const std::string& path, const OnModule& use);

}  // namespace xlashape::cli
