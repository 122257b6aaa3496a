// Programs. This plugin computes nothing: it runs those that return their arguments, in the layouts that are asked for,
// and refuses others by name. jax compiles such a program for device_put with a layout.
#ifndef PJRT_PLUGIN_PROGRAM_H_
#define PJRT_PLUGIN_PROGRAM_H_

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

namespace pjrt_plugin {

// The functions of PJRT.
void client_compile(PJRT_Client_Compile_Args& args);
void executable_destroy(PJRT_Executable_Destroy_Args& args);
void executable_name(PJRT_Executable_Name_Args& args);
void executable_num_replicas(PJRT_Executable_NumReplicas_Args& args);
void executable_num_partitions(PJRT_Executable_NumPartitions_Args& args);
void executable_num_outputs(PJRT_Executable_NumOutputs_Args& args);
void executable_size_of_generated_code_in_bytes(PJRT_Executable_SizeOfGeneratedCodeInBytes_Args& args);
void executable_output_element_types(PJRT_Executable_OutputElementTypes_Args& args);
void executable_output_dimensions(PJRT_Executable_OutputDimensions_Args& args);
void executable_output_memory_kinds(PJRT_Executable_OutputMemoryKinds_Args& args);
void executable_parameter_memory_kinds(PJRT_Executable_ParameterMemoryKinds_Args& args);
void executable_get_compile_options(PJRT_Executable_GetCompileOptions_Args& args);
void executable_get_output_layouts(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args& args);
void executable_get_parameter_layouts(PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args& args);
void loaded_destroy(PJRT_LoadedExecutable_Destroy_Args& args);
void loaded_get_executable(PJRT_LoadedExecutable_GetExecutable_Args& args);
void loaded_get_device_assignment(PJRT_LoadedExecutable_GetDeviceAssignment_Args& args);
void loaded_addressable_devices(PJRT_LoadedExecutable_AddressableDevices_Args& args);
void loaded_addressable_device_logical_ids(PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args& args);
void loaded_delete(PJRT_LoadedExecutable_Delete_Args& args);
void loaded_is_deleted(PJRT_LoadedExecutable_IsDeleted_Args& args);
void loaded_execute(PJRT_LoadedExecutable_Execute_Args& args);

}  // namespace pjrt_plugin

#endif  // PJRT_PLUGIN_PROGRAM_H_
