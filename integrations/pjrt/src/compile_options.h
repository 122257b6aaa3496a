/* SPDX-License-Identifier: Apache-2.0 */
// What a client asks for besides a program: XLA's CompileOptionsProto, as far as it matters here.
#pragma once
#include "error.h"

namespace pjrt_plugin {

struct CompileOptions {
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  std::int64_t device = 0;  // the first that the program is assigned to
};

// INVALID_ARGUMENT where the bytes are no protocol buffer. `bytes` may hold anything.
CompileOptions compile_options(std::string_view bytes);

// The name in XLA's HloModuleProto; empty where there is none.
std::string name_of_hlo(std::string_view bytes);

// DeviceAssignmentProto: one replica of one partition, on that device.
std::string assignment_to(std::int64_t device);

}  // namespace pjrt_plugin
