// SPDX-License-Identifier: Apache-2.0
#include "upload.h"

using namespace pjrt_plugin;
using Manager = PJRT_AsyncHostToDeviceTransferManager;
using Slot = Manager::Slot;

namespace {

// A piece that ends: the last one that was under way makes the buffer ready.
void end_piece(const std::shared_ptr<Slot>& slot) {
  {
    const std::lock_guard lock(slot->mutex);
    if (--slot->under_way > 0 || !slot->last_came || slot->ready->is_set()) return;
  }
  slot->ready->set();
}

// The whole of an error is the buffer's; the first one counts.
void fail_slot(Slot& slot, PJRT_Error_Code code, const std::string& message) {
  try {
    slot.ready->set(code, message);
  } catch (const Failure&) {
  }
}

// Begins a piece; `work` moves it.
std::shared_ptr<Completion> begin_piece(Manager& manager, const std::shared_ptr<Slot>& slot, std::int64_t bytes,
                                        bool is_last, std::function<void()> work) {
  {
    const std::lock_guard lock(slot->mutex);
    if (slot->last_came)
      throw Failure(PJRT_Error_Code_FAILED_PRECONDITION, slot->array->text + ": its last transfer has come");
    slot->last_came = is_last;
    ++slot->under_way;
  }
  const auto move = [slot, work = std::move(work)] {
    try {
      work();
    } catch (const std::exception& error) {
      fail_slot(*slot, PJRT_Error_Code_INTERNAL, error.what());
      end_piece(slot);
      throw;
    }
    end_piece(slot);
  };
  return manager.client->run(bytes, Completion::done(), move);
}

}  // namespace

Manager::~PJRT_AsyncHostToDeviceTransferManager() {
  for (const auto& slot : slots) {
    bool is_complete = false;
    {
      const std::lock_guard lock(slot->mutex);
      is_complete = slot->last_came;
    }
    if (!is_complete)
      fail_slot(*slot, PJRT_Error_Code_CANCELLED,
                slot->array->text + ": its transfer manager went before its bytes had come");
  }
}

const std::shared_ptr<Slot>& Manager::slot(int number) {
  if (number < 0 || static_cast<std::size_t>(number) >= slots.size())
    throw Failure(PJRT_Error_Code_OUT_OF_RANGE, "there is no buffer " + std::to_string(number) +
                                                    ": the transfer manager has " + std::to_string(slots.size()));
  return slots[static_cast<std::size_t>(number)];
}

namespace pjrt_plugin {

void call(PJRT_Client_CreateBuffersForAsyncHostToDevice_Args& args) {
  auto manager =
      std::unique_ptr<Manager>(new Manager{args.client->shared_from_this(), device_of(nullptr, args.memory), {}});
  if (args.device_layouts != nullptr && args.num_device_layouts != args.num_shape_specs)
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, std::to_string(args.num_shape_specs) + " shapes and " +
                                                        std::to_string(args.num_device_layouts) + " layouts are given");
  check_list("shape_specs", args.shape_specs, args.num_shape_specs);
  for (std::size_t i = 0; i < args.num_shape_specs; ++i) {
    const PJRT_ShapeSpec& spec = args.shape_specs[i];
    auto slot = std::make_shared<Slot>();
    slot->array = args.client->array(manager->device, spec.element_type, numbers("dims", spec.dims, spec.num_dims),
                                     args.device_layouts == nullptr ? nullptr : args.device_layouts[i]);
    slot->storage = manager->device.space->allocate(slot->array->bytes, slot->array->text);
    slot->ready = std::make_shared<Completion>();
    manager->slots.push_back(std::move(slot));
  }
  args.transfer_manager = manager.release();
}

void call(PJRT_AsyncHostToDeviceTransferManager_Destroy_Args& args) { delete args.transfer_manager; }

void call(PJRT_AsyncHostToDeviceTransferManager_TransferData_Args& args) {
  Manager& manager = *args.transfer_manager;
  const std::shared_ptr<Slot> slot = manager.slot(args.buffer_index);
  check_range(*slot->array, args.offset, args.transfer_size);
  check_list(slot->array->text + ": data", args.data, static_cast<std::size_t>(args.transfer_size));
  auto done = begin_piece(manager, slot, args.transfer_size, args.is_last_transfer,
                          [space = manager.device.space, slot, data = args.data, offset = args.offset,
                           size = args.transfer_size] { space->write(data, size, *slot->storage, offset); });
  args.done_with_h2d_transfer = new_event(std::move(done));
}

void call(PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args& args) {
  Manager& manager = *args.transfer_manager;
  const std::shared_ptr<Slot> slot = manager.slot(args.buffer_index);
  const Numbers dimensions = numbers("shape_dims", args.shape_dims, args.shape_num_dims);
  if (dimensions != slot->array->dimensions || args.shape_element_type != slot->array->pjrt_type)
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT,
                  named(type_of(args.shape_element_type), dimensions) + " is given for " + slot->array->text);
  const HostArray host = host_array(*slot->array, args.shape_layout);
  check_list(slot->array->text + ": data", args.data, static_cast<std::size_t>(slot->array->bytes));
  auto done = begin_piece(manager, slot, slot->array->bytes, true,
                          [space = manager.device.space, slot, data = args.data, host] {
                            space->from_host(data, host, *slot->array, *slot->storage);
                          });
  args.done_with_h2d_transfer = new_event(std::move(done));
}

void call(PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args& args) {
  Manager& manager = *args.transfer_manager;
  Slot& slot = *manager.slot(args.buffer_index);
  const std::lock_guard lock(slot.mutex);
  if (slot.is_taken)
    throw Failure(PJRT_Error_Code_FAILED_PRECONDITION, slot.array->text + ": the buffer was retrieved before");
  args.buffer_out = new PJRT_Buffer(manager.device, slot.array, slot.storage, slot.ready);
  slot.is_taken = true;
}

void call(PJRT_AsyncHostToDeviceTransferManager_Device_Args& args) { args.device_out = &args.transfer_manager->device; }
void call(PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args& args) {
  args.buffer_count = args.transfer_manager->slots.size();
}
void call(PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args& args) {
  args.buffer_size = static_cast<std::size_t>(args.transfer_manager->slot(args.buffer_index)->array->bytes);
}
void call(PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args& args) {
  Slot& slot = *args.transfer_manager->slot(args.buffer_index);
  {
    const std::lock_guard lock(slot.mutex);
    if (slot.last_came)
      throw Failure(PJRT_Error_Code_FAILED_PRECONDITION, slot.array->text + ": its last transfer has come");
  }
  const PJRT_Error_Code code = args.error_code == PJRT_Error_Code_OK ? PJRT_Error_Code_UNKNOWN : known(args.error_code);
  fail_slot(slot, code, args.error_message == nullptr ? "" : std::string(args.error_message, args.error_message_size));
}
void call(PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args&) {}  // nobody asks for it

}  // namespace pjrt_plugin
