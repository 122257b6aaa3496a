// The table of functions that a client gets: all that the plugin exports.
#include <cstddef>

#include "layouts.h"
#include "program.h"
#include "transfer.h"
#include "upload.h"

namespace pjrt_plugin {
namespace {

// A function of the table: checks that the caller's struct reaches the last field that the function uses, and makes what
// it throws an error.
template <class Args, void (*function)(Args&), std::size_t needed>
PJRT_Error* serve(Args* args) {
  return guarded([args] {
    if (args == nullptr) throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, "no arguments are given");
    if (args->struct_size < needed)
      throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, "the arguments have a struct_size of " +
                                                          std::to_string(args->struct_size) + ", at least " +
                                                          std::to_string(needed) + " is wanted");
    function(*args);
  });
}

template <class Args>
PJRT_Error* refuse(const char* name) {
  return guarded([name] {
    throw Failure(PJRT_Error_Code_UNIMPLEMENTED, std::string(name) + " is not in this plugin, which moves arrays only");
  });
}

void plugin_initialize(PJRT_Plugin_Initialize_Args&) {}

void plugin_attributes(PJRT_Plugin_Attributes_Args& args) {
  static NamedValues* const attributes = [] {
    auto* values = new NamedValues;
    values->add("stablehlo_current_version", Numbers(std::begin(kStableHloVersion), std::end(kStableHloVersion)));
    values->add("xlashape_version", std::string(xlashape_version()));
    values->data();
    return values;
  }();
  args.attributes = attributes->data();
  args.num_attributes = attributes->size();
}

#define SERVE(table, Name, function, last) \
  table.Name = serve<Name##_Args, function, offsetof(Name##_Args, last) + sizeof(Name##_Args::last)>

PJRT_Layouts_Extension layouts_extension() {
  PJRT_Layouts_Extension layouts = {};
  layouts.base = {sizeof layouts, PJRT_Extension_Type_Layouts, nullptr};
  SERVE(layouts, PJRT_Layouts_MemoryLayout_Destroy, layout_destroy, layout);
  SERVE(layouts, PJRT_Layouts_MemoryLayout_Serialize, layout_serialize, serialized_layout_deleter);
  SERVE(layouts, PJRT_Layouts_PJRT_Client_GetDefaultLayout, client_get_default_layout, layout);
  SERVE(layouts, PJRT_Layouts_PJRT_Buffer_MemoryLayout, buffer_memory_layout, layout);
  SERVE(layouts, PJRT_Layouts_PJRT_Topology_GetDefaultLayout, topology_get_default_layout, layout);
  SERVE(layouts, PJRT_Layouts_PJRT_Executable_GetOutputLayouts, executable_get_output_layouts, layouts);
  SERVE(layouts, PJRT_Layouts_PJRT_Executable_GetParameterLayouts, executable_get_parameter_layouts, layouts);
  return layouts;
}

PJRT_Api make_api(PJRT_Layouts_Extension& layouts) {
  PJRT_Api api = {};
  api.struct_size = sizeof api;
  api.extension_start = &layouts.base;
  api.pjrt_api_version = {sizeof api.pjrt_api_version, nullptr, PJRT_API_MAJOR, PJRT_API_MINOR};

  api.PJRT_Error_Destroy = error_destroy;
  api.PJRT_Error_Message = error_message;
  SERVE(api, PJRT_Error_GetCode, error_get_code, code);
  SERVE(api, PJRT_Error_ForEachPayload, error_for_each_payload, user_arg);
  SERVE(api, PJRT_Plugin_Initialize, plugin_initialize, extension_start);
  SERVE(api, PJRT_Plugin_Attributes, plugin_attributes, num_attributes);

  SERVE(api, PJRT_Event_Destroy, event_destroy, event);
  SERVE(api, PJRT_Event_IsReady, event_is_ready, is_ready);
  SERVE(api, PJRT_Event_Error, event_error, event);
  SERVE(api, PJRT_Event_Await, event_await, event);
  SERVE(api, PJRT_Event_OnReady, event_on_ready, user_arg);
  SERVE(api, PJRT_Event_Create, event_create, event);
  SERVE(api, PJRT_Event_Set, event_set, error_message_size);

  SERVE(api, PJRT_Client_Create, client_create, client);
  SERVE(api, PJRT_Client_Destroy, client_destroy, client);
  SERVE(api, PJRT_Client_PlatformName, client_platform_name, platform_name_size);
  SERVE(api, PJRT_Client_ProcessIndex, client_process_index, process_index);
  SERVE(api, PJRT_Client_PlatformVersion, client_platform_version, platform_version_size);
  SERVE(api, PJRT_Client_TopologyDescription, client_topology_description, topology);
  SERVE(api, PJRT_Client_Devices, client_devices, num_devices);
  SERVE(api, PJRT_Client_AddressableDevices, client_addressable_devices, num_addressable_devices);
  SERVE(api, PJRT_Client_LookupDevice, client_lookup_device, device);
  SERVE(api, PJRT_Client_LookupAddressableDevice, client_lookup_addressable_device, addressable_device);
  SERVE(api, PJRT_Client_AddressableMemories, client_addressable_memories, num_addressable_memories);
  SERVE(api, PJRT_Client_DefaultDeviceAssignment, client_default_device_assignment, default_assignment);
  SERVE(api, PJRT_Client_UpdateGlobalProcessInfo, client_update_global_process_info, num_process_infos);
  SERVE(api, PJRT_Client_Compile, client_compile, executable);
  SERVE(api, PJRT_Client_BufferFromHostBuffer, buffer_from_host_buffer, buffer);
  SERVE(api, PJRT_Client_CreateViewOfDeviceBuffer, create_view_of_device_buffer, memory);
  SERVE(api, PJRT_Client_CreateUninitializedBuffer, create_uninitialized_buffer, buffer);
  SERVE(api, PJRT_Client_CreateErrorBuffer, create_error_buffer, buffer);

  SERVE(api, PJRT_DeviceDescription_Id, description_id, id);
  SERVE(api, PJRT_DeviceDescription_ProcessIndex, description_process_index, process_index);
  SERVE(api, PJRT_DeviceDescription_Attributes, description_attributes, attributes);
  SERVE(api, PJRT_DeviceDescription_Kind, description_kind, device_kind_size);
  SERVE(api, PJRT_DeviceDescription_DebugString, description_debug_string, debug_string_size);
  SERVE(api, PJRT_DeviceDescription_ToString, description_to_string, to_string_size);
  SERVE(api, PJRT_Device_GetDescription, device_get_description, device_description);
  SERVE(api, PJRT_Device_IsAddressable, device_is_addressable, is_addressable);
  SERVE(api, PJRT_Device_LocalHardwareId, device_local_hardware_id, local_hardware_id);
  SERVE(api, PJRT_Device_AddressableMemories, device_addressable_memories, num_memories);
  SERVE(api, PJRT_Device_DefaultMemory, device_default_memory, memory);
  SERVE(api, PJRT_Device_GetAttributes, device_get_attributes, attributes_deleter);
  SERVE(api, PJRT_Device_CreateAsyncTrackingEvent, device_create_async_tracking_event, event);
  SERVE(api, PJRT_Device_MemoryStats, device_memory_stats, bytes_limit_is_set);
  SERVE(api, PJRT_Device_ClearMemoryStats, device_clear_memory_stats, device);
  SERVE(api, PJRT_Memory_Id, memory_id, id);
  SERVE(api, PJRT_Memory_Kind, memory_kind, kind_size);
  SERVE(api, PJRT_Memory_Kind_Id, memory_kind_id, kind_id);
  SERVE(api, PJRT_Memory_DebugString, memory_debug_string, debug_string_size);
  SERVE(api, PJRT_Memory_ToString, memory_to_string, to_string_size);
  SERVE(api, PJRT_Memory_AddressableByDevices, memory_addressable_by_devices, num_devices);

  SERVE(api, PJRT_TopologyDescription_Create, topology_create, topology);
  SERVE(api, PJRT_TopologyDescription_Destroy, topology_destroy, topology);
  SERVE(api, PJRT_TopologyDescription_PlatformName, topology_platform_name, platform_name_size);
  SERVE(api, PJRT_TopologyDescription_PlatformVersion, topology_platform_version, platform_version_size);
  SERVE(api, PJRT_TopologyDescription_GetDeviceDescriptions, topology_get_device_descriptions, num_descriptions);
  SERVE(api, PJRT_TopologyDescription_Serialize, topology_serialize, serialized_topology_deleter);
  SERVE(api, PJRT_TopologyDescription_Deserialize, topology_deserialize, topology);
  SERVE(api, PJRT_TopologyDescription_Attributes, topology_attributes, num_attributes);
  SERVE(api, PJRT_TopologyDescription_Fingerprint, topology_fingerprint, fingerprint);

  SERVE(api, PJRT_Buffer_Destroy, buffer_destroy, buffer);
  SERVE(api, PJRT_Buffer_ElementType, buffer_element_type, type);
  SERVE(api, PJRT_Buffer_Dimensions, buffer_dimensions, num_dims);
  SERVE(api, PJRT_Buffer_UnpaddedDimensions, buffer_unpadded_dimensions, num_dims);
  SERVE(api, PJRT_Buffer_DynamicDimensionIndices, buffer_dynamic_dimension_indices, num_dynamic_dims);
  SERVE(api, PJRT_Buffer_GetMemoryLayout, buffer_get_memory_layout, layout);
  SERVE(api, PJRT_Buffer_OnDeviceSizeInBytes, buffer_on_device_size_in_bytes, on_device_size_in_bytes);
  SERVE(api, PJRT_Buffer_Device, buffer_device, device);
  SERVE(api, PJRT_Buffer_Memory, buffer_memory, memory);
  SERVE(api, PJRT_Buffer_Delete, buffer_delete, buffer);
  SERVE(api, PJRT_Buffer_IsDeleted, buffer_is_deleted, is_deleted);
  SERVE(api, PJRT_Buffer_CopyToDevice, buffer_copy_to_device, dst_buffer);
  SERVE(api, PJRT_Buffer_CopyToMemory, buffer_copy_to_memory, dst_buffer);
  SERVE(api, PJRT_Buffer_ToHostBuffer, buffer_to_host_buffer, event);
  SERVE(api, PJRT_Buffer_CopyRawToHost, buffer_copy_raw_to_host, event);
  SERVE(api, PJRT_Buffer_IsOnCpu, buffer_is_on_cpu, is_on_cpu);
  SERVE(api, PJRT_Buffer_ReadyEvent, buffer_ready_event, event);
  SERVE(api, PJRT_Buffer_UnsafePointer, buffer_unsafe_pointer, buffer_pointer);
  SERVE(api, PJRT_Buffer_IncreaseExternalReferenceCount, buffer_increase_external_reference_count, buffer);
  SERVE(api, PJRT_Buffer_DecreaseExternalReferenceCount, buffer_decrease_external_reference_count, buffer);
  SERVE(api, PJRT_Buffer_OpaqueDeviceMemoryDataPointer, buffer_opaque_device_memory_data_pointer, device_memory_ptr);

  SERVE(api, PJRT_Client_CreateBuffersForAsyncHostToDevice, create_buffers_for_async_host_to_device, transfer_manager);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_Destroy, manager_destroy, transfer_manager);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_TransferData, manager_transfer_data, done_with_h2d_transfer);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_TransferLiteral, manager_transfer_literal, done_with_h2d_transfer);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer, manager_retrieve_buffer, buffer_out);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_Device, manager_device, device_out);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_BufferCount, manager_buffer_count, buffer_count);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_BufferSize, manager_buffer_size, buffer_size);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_SetBufferError, manager_set_buffer_error, error_message_size);
  SERVE(api, PJRT_AsyncHostToDeviceTransferManager_AddMetadata, manager_add_metadata, num_metadata);

  SERVE(api, PJRT_Executable_Destroy, executable_destroy, executable);
  SERVE(api, PJRT_Executable_Name, executable_name, executable_name_size);
  SERVE(api, PJRT_Executable_NumReplicas, executable_num_replicas, num_replicas);
  SERVE(api, PJRT_Executable_NumPartitions, executable_num_partitions, num_partitions);
  SERVE(api, PJRT_Executable_NumOutputs, executable_num_outputs, num_outputs);
  SERVE(api, PJRT_Executable_SizeOfGeneratedCodeInBytes, executable_size_of_generated_code_in_bytes, size_in_bytes);
  SERVE(api, PJRT_Executable_OutputElementTypes, executable_output_element_types, num_output_types);
  SERVE(api, PJRT_Executable_OutputDimensions, executable_output_dimensions, dim_sizes);
  SERVE(api, PJRT_Executable_OutputMemoryKinds, executable_output_memory_kinds, memory_kind_sizes);
  SERVE(api, PJRT_Executable_ParameterMemoryKinds, executable_parameter_memory_kinds, memory_kind_sizes);
  SERVE(api, PJRT_Executable_GetCompileOptions, executable_get_compile_options, serialized_compile_options_deleter);
  SERVE(api, PJRT_LoadedExecutable_Destroy, loaded_destroy, executable);
  SERVE(api, PJRT_LoadedExecutable_GetExecutable, loaded_get_executable, executable);
  SERVE(api, PJRT_LoadedExecutable_GetDeviceAssignment, loaded_get_device_assignment,
        serialized_device_assignment_deleter);
  SERVE(api, PJRT_LoadedExecutable_AddressableDevices, loaded_addressable_devices, num_addressable_devices);
  SERVE(api, PJRT_LoadedExecutable_AddressableDeviceLogicalIds, loaded_addressable_device_logical_ids,
        num_addressable_device_logical_ids);
  SERVE(api, PJRT_LoadedExecutable_Delete, loaded_delete, executable);
  SERVE(api, PJRT_LoadedExecutable_IsDeleted, loaded_is_deleted, is_deleted);
  SERVE(api, PJRT_LoadedExecutable_Execute, loaded_execute, execute_device);

  // Clients call what they find without asking: nothing may be NULL.
#define REFUSE(Name) \
  if (api.Name == nullptr) api.Name = [](Name##_Args*) { return refuse<Name##_Args>(#Name); };
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
