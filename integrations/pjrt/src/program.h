/* SPDX-License-Identifier: Apache-2.0 */
// Programs. This plugin computes nothing: it runs those that return their arguments, in the layouts that are asked for,
// and refuses others by name. jax compiles such a program for device_put with a layout.
#pragma once
#include <atomic>

#include "layouts.h"
#include "mlir.h"

namespace pjrt_plugin {

// What was compiled: immutable.
struct Program {
  ProgramText text;
  std::string options;     // as they came
  std::string assignment;  // DeviceAssignmentProto
  PJRT_Device* device;
  std::vector<std::shared_ptr<const Array>> results;

  // The same in the forms in which clients ask for it.
  std::vector<PJRT_Layouts_MemoryLayout> argument_layouts, result_layouts;
  std::vector<PJRT_Layouts_MemoryLayout*> argument_layout_pointers, result_layout_pointers;
  std::vector<PJRT_Buffer_Type> result_types;
  Numbers result_dimensions;  // of all, concatenated
  std::vector<std::size_t> result_ranks;
  std::vector<const char*> memory_kinds;  // as many as arguments or results, whichever are more
  std::vector<std::size_t> memory_kind_sizes;
};

}  // namespace pjrt_plugin

struct PJRT_Executable {
  std::shared_ptr<PJRT_Client> client;
  std::shared_ptr<const pjrt_plugin::Program> program;
};

struct PJRT_LoadedExecutable {
  std::shared_ptr<PJRT_Client> client;
  std::shared_ptr<const pjrt_plugin::Program> program;
  std::atomic<bool> is_deleted{false};
};
