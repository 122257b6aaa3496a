// Uploads in pieces: buffers that exist before their bytes.
#ifndef PJRT_PLUGIN_UPLOAD_H_
#define PJRT_PLUGIN_UPLOAD_H_

#include "buffer.h"

struct PJRT_AsyncHostToDeviceTransferManager {
  struct Slot {
    std::shared_ptr<const pjrt_plugin::Array> array;
    std::shared_ptr<pjrt_plugin::Storage> storage;
    std::shared_ptr<pjrt_plugin::Completion> ready;
    std::mutex mutex;  // for what follows
    std::int64_t under_way = 0;
    bool last_came = false;
    bool is_taken = false;
  };

  ~PJRT_AsyncHostToDeviceTransferManager();  // buffers that are not complete fail
  Slot& slot(int number);

  std::shared_ptr<PJRT_Client> client;
  PJRT_Device& device;
  std::vector<std::shared_ptr<Slot>> slots;
};

namespace pjrt_plugin {

// The functions of PJRT.
void create_buffers_for_async_host_to_device(PJRT_Client_CreateBuffersForAsyncHostToDevice_Args& args);
void manager_destroy(PJRT_AsyncHostToDeviceTransferManager_Destroy_Args& args);
void manager_transfer_data(PJRT_AsyncHostToDeviceTransferManager_TransferData_Args& args);
void manager_transfer_literal(PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args& args);
void manager_retrieve_buffer(PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args& args);
void manager_device(PJRT_AsyncHostToDeviceTransferManager_Device_Args& args);
void manager_buffer_count(PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args& args);
void manager_buffer_size(PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args& args);
void manager_set_buffer_error(PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args& args);
void manager_add_metadata(PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args& args);

}  // namespace pjrt_plugin

#endif  // PJRT_PLUGIN_UPLOAD_H_
