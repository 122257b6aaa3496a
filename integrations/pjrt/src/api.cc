// SPDX-License-Identifier: Apache-2.0
// The table of functions that a client gets: all that the plugin exports.
#include <cstddef>

#include "layouts.h"
#include "program.h"
#include "transfer.h"
#include "upload.h"

namespace pjrt_plugin {

// The functions of PJRT, each in the file of its object; those that are not served exist nowhere.
#define DECLARE(Name) void call(Name##_Args& args);
PJRT_API_FUNCTIONS(DECLARE)
PJRT_LAYOUTS_FUNCTIONS(DECLARE)
#undef DECLARE

void call(PJRT_Plugin_Initialize_Args&) {}

void call(PJRT_Plugin_Attributes_Args& args) {
  static const NamedValues* const attributes = [] {
    auto* values = new NamedValues;
    values->add("stablehlo_current_version", Numbers(std::begin(kStableHloVersion), std::end(kStableHloVersion)));
    values->add("xlashape_version", std::string(xlashape_version()));
    return values;
  }();
  give(*attributes, args.attributes, args.num_attributes);
}

namespace {

// A function of the table: checks that the caller's struct reaches the last field that the function uses, and makes
// what it throws an error.
template <class Args, std::size_t needed>
PJRT_Error* serve(Args* args) {
  return guarded([args] {
    if (args == nullptr) throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, "no arguments are given");
    if (args->struct_size < needed)
      throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, "the arguments have a struct_size of " +
                                                          std::to_string(args->struct_size) + ", at least " +
                                                          std::to_string(needed) + " is wanted");
    call(*args);
  });
}

PJRT_Error* refuse(const char* name) {
  return guarded([name] {
    throw Failure(PJRT_Error_Code_UNIMPLEMENTED, std::string(name) + " is not in this plugin, which moves arrays only");
  });
}

#define SERVE(table, Name, last) \
  table.Name = serve<Name##_Args, offsetof(Name##_Args, last) + sizeof(Name##_Args::last)>

PJRT_Layouts_Extension layouts_extension() {
  PJRT_Layouts_Extension layouts = {};
  layouts.base = {sizeof layouts, PJRT_Extension_Type_Layouts, nullptr};
  SERVE(layouts, PJRT_Layouts_MemoryLayout_Destroy, layout);
  SERVE(layouts, PJRT_Layouts_MemoryLayout_Serialize, serialized_layout_deleter);
  SERVE(layouts, PJRT_Layouts_PJRT_Client_GetDefaultLayout, layout);
  SERVE(layouts, PJRT_Layouts_PJRT_Buffer_MemoryLayout, layout);
  SERVE(layouts, PJRT_Layouts_PJRT_Topology_GetDefaultLayout, layout);
  SERVE(layouts, PJRT_Layouts_PJRT_Executable_GetOutputLayouts, layouts);
  SERVE(layouts, PJRT_Layouts_PJRT_Executable_GetParameterLayouts, layouts);
  return layouts;
}

PJRT_Api make_api(PJRT_Layouts_Extension& layouts) {
  PJRT_Api api = {};
  api.struct_size = sizeof api;
  api.extension_start = &layouts.base;
  api.pjrt_api_version = {sizeof api.pjrt_api_version, nullptr, PJRT_API_MAJOR, PJRT_API_MINOR};

  api.PJRT_Error_Destroy = error_destroy;
  api.PJRT_Error_Message = error_message;
  SERVE(api, PJRT_Error_GetCode, code);
  SERVE(api, PJRT_Error_ForEachPayload, user_arg);
  SERVE(api, PJRT_Plugin_Initialize, extension_start);
  SERVE(api, PJRT_Plugin_Attributes, num_attributes);

  SERVE(api, PJRT_Event_Destroy, event);
  SERVE(api, PJRT_Event_IsReady, is_ready);
  SERVE(api, PJRT_Event_Error, event);
  SERVE(api, PJRT_Event_Await, event);
  SERVE(api, PJRT_Event_OnReady, user_arg);
  SERVE(api, PJRT_Event_Create, event);
  SERVE(api, PJRT_Event_Set, error_message_size);

  SERVE(api, PJRT_Client_Create, client);
  SERVE(api, PJRT_Client_Destroy, client);
  SERVE(api, PJRT_Client_PlatformName, platform_name_size);
  SERVE(api, PJRT_Client_ProcessIndex, process_index);
  SERVE(api, PJRT_Client_PlatformVersion, platform_version_size);
  SERVE(api, PJRT_Client_TopologyDescription, topology);
  SERVE(api, PJRT_Client_Devices, num_devices);
  SERVE(api, PJRT_Client_AddressableDevices, num_addressable_devices);
  SERVE(api, PJRT_Client_LookupDevice, device);
  SERVE(api, PJRT_Client_LookupAddressableDevice, addressable_device);
  SERVE(api, PJRT_Client_AddressableMemories, num_addressable_memories);
  SERVE(api, PJRT_Client_DefaultDeviceAssignment, default_assignment);
  SERVE(api, PJRT_Client_UpdateGlobalProcessInfo, num_process_infos);
  SERVE(api, PJRT_Client_Compile, executable);
  SERVE(api, PJRT_Client_BufferFromHostBuffer, buffer);
  SERVE(api, PJRT_Client_CreateViewOfDeviceBuffer, memory);
  SERVE(api, PJRT_Client_CreateUninitializedBuffer, buffer);
  SERVE(api, PJRT_Client_CreateErrorBuffer, buffer);

  SERVE(api, PJRT_DeviceDescription_Id, id);
  SERVE(api, PJRT_DeviceDescription_ProcessIndex, process_index);
  SERVE(api, PJRT_DeviceDescription_Attributes, attributes);
  SERVE(api, PJRT_DeviceDescription_Kind, device_kind_size);
  SERVE(api, PJRT_DeviceDescription_DebugString, debug_string_size);
  SERVE(api, PJRT_DeviceDescription_ToString, to_string_size);
  SERVE(api, PJRT_Device_GetDescription, device_description);
  SERVE(api, PJRT_Device_IsAddressable, is_addressable);
  SERVE(api, PJRT_Device_LocalHardwareId, local_hardware_id);
  SERVE(api, PJRT_Device_AddressableMemories, num_memories);
  SERVE(api, PJRT_Device_DefaultMemory, memory);
  SERVE(api, PJRT_Device_GetAttributes, attributes_deleter);
  SERVE(api, PJRT_Device_CreateAsyncTrackingEvent, event);
  SERVE(api, PJRT_Device_MemoryStats, bytes_limit_is_set);
  SERVE(api, PJRT_Device_ClearMemoryStats, device);
  SERVE(api, PJRT_Memory_Id, id);
  SERVE(api, PJRT_Memory_Kind, kind_size);
  SERVE(api, PJRT_Memory_Kind_Id, kind_id);
  SERVE(api, PJRT_Memory_DebugString, debug_string_size);
  SERVE(api, PJRT_Memory_ToString, to_string_size);
  SERVE(api, PJRT_Memory_AddressableByDevices, num_devices);

  SERVE(api, PJRT_TopologyDescription_Create, topology);
  SERVE(api, PJRT_TopologyDescription_Destroy, topology);
  SERVE(api, PJRT_TopologyDescription_PlatformName, platform_name_size);
  SERVE(api, PJRT_TopologyDescription_PlatformVersion, platform_version_size);
  SERVE(api, PJRT_TopologyDescription_GetDeviceDescriptions, num_descriptions);
  SERVE(api, PJRT_TopologyDescription_Serialize, serialized_topology_deleter);
  SERVE(api, PJRT_TopologyDescription_Deserialize, topology);
  SERVE(api, PJRT_TopologyDescription_Attributes, num_attributes);
  SERVE(api, PJRT_TopologyDescription_Fingerprint, fingerprint);

  SERVE(api, PJRT_Buffer_Destroy, buffer);
  SERVE(api, PJRT_Buffer_ElementType, type);
  SERVE(api, PJRT_Buffer_Dimensions, num_dims);
  SERVE(api, PJRT_Buffer_UnpaddedDimensions, num_dims);
  SERVE(api, PJRT_Buffer_DynamicDimensionIndices, num_dynamic_dims);
  SERVE(api, PJRT_Buffer_GetMemoryLayout, layout);
  SERVE(api, PJRT_Buffer_OnDeviceSizeInBytes, on_device_size_in_bytes);
  SERVE(api, PJRT_Buffer_Device, device);
  SERVE(api, PJRT_Buffer_Memory, memory);
  SERVE(api, PJRT_Buffer_Delete, buffer);
  SERVE(api, PJRT_Buffer_IsDeleted, is_deleted);
  SERVE(api, PJRT_Buffer_CopyToDevice, dst_buffer);
  SERVE(api, PJRT_Buffer_CopyToMemory, dst_buffer);
  SERVE(api, PJRT_Buffer_ToHostBuffer, event);
  SERVE(api, PJRT_Buffer_CopyRawToHost, event);
  SERVE(api, PJRT_Buffer_IsOnCpu, is_on_cpu);
  SERVE(api, PJRT_Buffer_ReadyEvent, event);
  SERVE(api, PJRT_Buffer_UnsafePointer, buffer_pointer);
  SERVE(api, PJRT_Buffer_IncreaseExternalReferenceCount, buffer);
  SERVE(api, PJRT_Buffer_DecreaseExternalReferenceCount, buffer);
  SERVE(api, PJRT_Buffer_OpaqueDeviceMemoryDataPointer, device_memory_ptr);

  SERVE(api, PJRT_Client_CreateBuffersForAsyncHostToDevice, transfer_manager);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_Destroy, transfer_manager);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_TransferData, done_with_h2d_transfer);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_TransferLiteral, done_with_h2d_transfer);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer, buffer_out);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_Device, device_out);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_BufferCount, buffer_count);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_BufferSize, buffer_size);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_SetBufferError, error_message_size);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_AddMetadata, num_metadata);

  SERVE(api, PJRT_Executable_Destroy, executable);
  SERVE(api, PJRT_Executable_Name, executable_name_size);
  SERVE(api, PJRT_Executable_NumReplicas, num_replicas);
  SERVE(api, PJRT_Executable_NumPartitions, num_partitions);
  SERVE(api, PJRT_Executable_NumOutputs, num_outputs);
  SERVE(api, PJRT_Executable_SizeOfGeneratedCodeInBytes, size_in_bytes);
  SERVE(api, PJRT_Executable_OutputElementTypes, num_output_types);
  SERVE(api, PJRT_Executable_OutputDimensions, dim_sizes);
  SERVE(api, PJRT_Executable_OutputMemoryKinds, memory_kind_sizes);
  SERVE(api, PJRT_Executable_ParameterMemoryKinds, memory_kind_sizes);
  SERVE(api, PJRT_Executable_GetCompileOptions, serialized_compile_options_deleter);
  SERVE(api, PJRT_LoadedExecutable_Destroy, executable);
  SERVE(api, PJRT_LoadedExecutable_GetExecutable, executable);
  SERVE(api, PJRT_LoadedExecutable_GetDeviceAssignment, serialized_device_assignment_deleter);
  SERVE(api, PJRT_LoadedExecutable_AddressableDevices, num_addressable_devices);
  SERVE(api, PJRT_LoadedExecutable_AddressableDeviceLogicalIds, num_addressable_device_logical_ids);
  SERVE(api, PJRT_LoadedExecutable_Delete, executable);
  SERVE(api, PJRT_LoadedExecutable_IsDeleted, is_deleted);
  SERVE(api, PJRT_LoadedExecutable_Execute, execute_device);

  // Clients call what they find without asking: nothing may be NULL.
#define REFUSE(Name) \
  if (api.Name == nullptr) api.Name = [](Name##_Args*) { return refuse(#Name); };
  PJRT_API_FUNCTIONS(REFUSE)
#undef REFUSE
  return api;
}

}  // namespace
}  // namespace pjrt_plugin

extern "C" __attribute__((visibility("default"))) const PJRT_Api* GetPjrtApi() {
  static PJRT_Layouts_Extension layouts = pjrt_plugin::layouts_extension();
  static const PJRT_Api api = pjrt_plugin::make_api(layouts);
  return &api;
}
