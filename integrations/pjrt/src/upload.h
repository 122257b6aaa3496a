/* SPDX-License-Identifier: Apache-2.0 */
// Uploads in pieces: buffers that exist before their bytes.
#pragma once
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
  const std::shared_ptr<Slot>& slot(int number);

  std::shared_ptr<PJRT_Client> client;
  PJRT_Device& device;
  std::vector<std::shared_ptr<Slot>> slots;
};
