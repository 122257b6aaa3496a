// Movements that clients ask for: from the host, to the host, from device to device.
#ifndef PJRT_PLUGIN_TRANSFER_H_
#define PJRT_PLUGIN_TRANSFER_H_

#include "buffer.h"

namespace pjrt_plugin {

// A buffer of `to` with the array of `from`, which may be in another layout or on another device.
PJRT_Buffer* copied(PJRT_Buffer& from, PJRT_Device& device, std::shared_ptr<const Array> to);

// The functions of PJRT.
void buffer_from_host_buffer(PJRT_Client_BufferFromHostBuffer_Args& args);
void create_view_of_device_buffer(PJRT_Client_CreateViewOfDeviceBuffer_Args& args);
void create_uninitialized_buffer(PJRT_Client_CreateUninitializedBuffer_Args& args);
void create_error_buffer(PJRT_Client_CreateErrorBuffer_Args& args);
void buffer_to_host_buffer(PJRT_Buffer_ToHostBuffer_Args& args);
void buffer_copy_raw_to_host(PJRT_Buffer_CopyRawToHost_Args& args);
void buffer_copy_to_device(PJRT_Buffer_CopyToDevice_Args& args);
void buffer_copy_to_memory(PJRT_Buffer_CopyToMemory_Args& args);

}  // namespace pjrt_plugin

#endif  // PJRT_PLUGIN_TRANSFER_H_
