/* SPDX-License-Identifier: Apache-2.0 */
// The buffer assignment of an HloProto: which value has which bytes, and from which step to which.
#pragma once
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "scan/program/assignment.h"
#include "scan/program/program.h"
#include "wire.h"

namespace xlashape::cli {

// The instructions of a program by their id in the message.
using InstructionIds = std::vector<std::pair<int64_t, uint32_t>>;

// `message`: a BufferAssignmentProto. `ids`: in order. `scheduled`: of each computation, whether the schedule has it.
void read_proto_assignment(const WireFile& file, std::string_view message, const Program& program,
                           const InstructionIds& ids, const std::vector<bool>& scheduled, Assignment* assignment);

}  // namespace xlashape::cli
