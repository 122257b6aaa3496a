/* SPDX-License-Identifier: Apache-2.0 */
// Buffers: arrays on a device.
#pragma once
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

// OUT_OF_RANGE where an array on a device has no such bytes.
void check_range(const Array& array, std::int64_t offset, std::int64_t size);

// The device that a call names by itself or by its memory.
PJRT_Device& device_of(PJRT_Device* device, PJRT_Memory* memory);

}  // namespace pjrt_plugin
