// SPDX-License-Identifier: Apache-2.0
#include "buffer.h"

using namespace pjrt_plugin;

PJRT_Buffer::PJRT_Buffer(PJRT_Device& on_device, std::shared_ptr<const Array> as_array,
                         std::shared_ptr<Storage> in_storage, std::shared_ptr<Completion> when_ready)
    : client(on_device.client.shared_from_this()),
      device(on_device),
      array(std::move(as_array)),
      ready(std::move(when_ready)),
      storage_(std::move(in_storage)) {}

std::shared_ptr<Storage> PJRT_Buffer::storage() const {
  const std::lock_guard lock(mutex_);
  if (storage_ == nullptr)
    throw Failure(PJRT_Error_Code_FAILED_PRECONDITION, array->text + ": the buffer was deleted or donated");
  return storage_;
}

bool PJRT_Buffer::is_deleted() const {
  const std::lock_guard lock(mutex_);
  return storage_ == nullptr;
}

void PJRT_Buffer::remove() {
  std::shared_ptr<Storage> gone;  // without the lock: it may call the host
  const std::lock_guard lock(mutex_);
  gone.swap(storage_);
}

void PJRT_Buffer::add_reference() {
  auto storage = this->storage();
  const std::lock_guard lock(mutex_);
  referred_ = std::move(storage);
  ++references_;
}

void PJRT_Buffer::remove_reference() {
  std::shared_ptr<Storage> gone;
  const std::lock_guard lock(mutex_);
  if (references_ == 0)
    throw Failure(PJRT_Error_Code_FAILED_PRECONDITION, array->text + ": there is no external reference");
  if (--references_ == 0) gone.swap(referred_);
}

namespace pjrt_plugin {

void check_range(const Array& array, std::int64_t offset, std::int64_t size) {
  if (offset < 0 || size < 0 || offset > array.bytes || size > array.bytes - offset)
    throw Failure(PJRT_Error_Code_OUT_OF_RANGE, array.text + " has " + std::to_string(array.bytes) +
                                                    " bytes: there are no " + std::to_string(size) + " from " +
                                                    std::to_string(offset) + " on");
}

PJRT_Device& device_of(PJRT_Device* device, PJRT_Memory* memory) {
  if (memory != nullptr && device != nullptr && &of(memory).device != device)
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, "the memory is that of " + of(memory).device.description.text +
                                                        ", the device is " + device->description.text);
  if (memory != nullptr) return of(memory).device;
  if (device != nullptr) return *device;
  throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, "neither a device nor a memory is given");
}

void call(PJRT_Buffer_Destroy_Args& args) { delete args.buffer; }
void call(PJRT_Buffer_ElementType_Args& args) { args.type = args.buffer->array->pjrt_type; }
void call(PJRT_Buffer_Dimensions_Args& args) { give(args.buffer->array->dimensions, args.dims, args.num_dims); }
void call(PJRT_Buffer_UnpaddedDimensions_Args& args) {
  give(args.buffer->array->dimensions, args.unpadded_dims, args.num_dims);
}
void call(PJRT_Buffer_DynamicDimensionIndices_Args& args) {
  args.dynamic_dim_indices = nullptr;
  args.num_dynamic_dims = 0;
}
void call(PJRT_Buffer_GetMemoryLayout_Args& args) {
  const Array& array = *args.buffer->array;
  if (array.pjrt_layout.get() == nullptr)
    throw Failure(PJRT_Error_Code_UNIMPLEMENTED, array.text + ": PJRT_Buffer_MemoryLayout cannot say this layout");
  args.layout = *static_cast<const PJRT_Buffer_MemoryLayout*>(array.pjrt_layout.get());
}
void call(PJRT_Buffer_OnDeviceSizeInBytes_Args& args) {
  args.on_device_size_in_bytes = static_cast<std::size_t>(args.buffer->array->bytes);
}
void call(PJRT_Buffer_Device_Args& args) { args.device = &args.buffer->device; }
void call(PJRT_Buffer_Memory_Args& args) { args.memory = &args.buffer->device.memory; }
void call(PJRT_Buffer_Delete_Args& args) { args.buffer->remove(); }
void call(PJRT_Buffer_IsDeleted_Args& args) { args.is_deleted = args.buffer->is_deleted(); }
// Where it is true clients read the memory by strides, so tiles, padding and packed elements must not be there.
void call(PJRT_Buffer_IsOnCpu_Args& args) {
  args.is_on_cpu = args.buffer->device.space->is_host() && args.buffer->array->is_plain;
}
void call(PJRT_Buffer_ReadyEvent_Args& args) { args.event = new_event(args.buffer->ready); }
void call(PJRT_Buffer_UnsafePointer_Args& args) {
  args.buffer_pointer = static_cast<std::uintptr_t>(args.buffer->storage()->address());
}
void call(PJRT_Buffer_IncreaseExternalReferenceCount_Args& args) { args.buffer->add_reference(); }
void call(PJRT_Buffer_DecreaseExternalReferenceCount_Args& args) { args.buffer->remove_reference(); }
void call(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args& args) {
  args.device_memory_ptr = args.buffer->storage()->pointer();
}

}  // namespace pjrt_plugin
