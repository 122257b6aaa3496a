// Buffers: arrays on a device.
#ifndef PJRT_PLUGIN_BUFFER_H_
#define PJRT_PLUGIN_BUFFER_H_

#include "client.h"

struct PJRT_Buffer {
  PJRT_Buffer(PJRT_Device& on_device, std::shared_ptr<const pjrt_plugin::Array> as_array,
              std::shared_ptr<pjrt_plugin::Storage> in_storage, std::shared_ptr<pjrt_plugin::Completion> when_ready);

  // FAILED_PRECONDITION once it was deleted.
  std::shared_ptr<pjrt_plugin::Storage> storage() const;
  bool is_deleted() const;
  void remove();  // its memory is given back when nothing uses it
  // The memory stays while there are more of the first than of the second, whatever becomes of the buffer.
  void add_reference();
  void remove_reference();

  const std::shared_ptr<PJRT_Client> client;
  PJRT_Device& device;
  const std::shared_ptr<const pjrt_plugin::Array> array;
  const std::shared_ptr<pjrt_plugin::Completion> ready;

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<pjrt_plugin::Storage> storage_;  // NULL: deleted
  std::shared_ptr<pjrt_plugin::Storage> referred_;
  std::int64_t references_ = 0;
};

namespace pjrt_plugin {

// The device that a call names by itself or by its memory.
PJRT_Device& device_of(PJRT_Device* device, PJRT_Memory* memory);

// The functions of PJRT.
void buffer_destroy(PJRT_Buffer_Destroy_Args& args);
void buffer_element_type(PJRT_Buffer_ElementType_Args& args);
void buffer_dimensions(PJRT_Buffer_Dimensions_Args& args);
void buffer_unpadded_dimensions(PJRT_Buffer_UnpaddedDimensions_Args& args);
void buffer_dynamic_dimension_indices(PJRT_Buffer_DynamicDimensionIndices_Args& args);
void buffer_get_memory_layout(PJRT_Buffer_GetMemoryLayout_Args& args);
void buffer_on_device_size_in_bytes(PJRT_Buffer_OnDeviceSizeInBytes_Args& args);
void buffer_device(PJRT_Buffer_Device_Args& args);
void buffer_memory(PJRT_Buffer_Memory_Args& args);
void buffer_delete(PJRT_Buffer_Delete_Args& args);
void buffer_is_deleted(PJRT_Buffer_IsDeleted_Args& args);
void buffer_is_on_cpu(PJRT_Buffer_IsOnCpu_Args& args);
void buffer_ready_event(PJRT_Buffer_ReadyEvent_Args& args);
void buffer_unsafe_pointer(PJRT_Buffer_UnsafePointer_Args& args);
void buffer_increase_external_reference_count(PJRT_Buffer_IncreaseExternalReferenceCount_Args& args);
void buffer_decrease_external_reference_count(PJRT_Buffer_DecreaseExternalReferenceCount_Args& args);
void buffer_opaque_device_memory_data_pointer(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args& args);

}  // namespace pjrt_plugin

#endif  // PJRT_PLUGIN_BUFFER_H_
