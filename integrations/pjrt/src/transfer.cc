// SPDX-License-Identifier: Apache-2.0
#include "transfer.h"

#include <algorithm>

namespace pjrt_plugin {
namespace {

std::uint64_t address_of(const void* data) { return reinterpret_cast<std::uintptr_t>(data); }

// Whether the host's array is, byte for byte, what the device would store: then it need not be moved.
bool is_as_stored(const void* data, const HostArray& host, const Array& array) {
  const std::int64_t width = xlashape_element_type_storage_bits(static_cast<std::int32_t>(array.type)) / 8;
  if (!array.is_plain || data == nullptr || address_of(data) % static_cast<std::uint64_t>(width) != 0) return false;
  const auto layout = host.byte_strides.empty()
                          ? xlashape::Layout::try_row_major(static_cast<std::int64_t>(array.dimensions.size()))
                          : xlashape::Layout::try_from_byte_strides(array.type, array.dimensions, host.byte_strides,
                                                                    XLASHAPE_STRIDES_COMPACT);
  if (!layout) return false;
  const auto shape = array.shape.try_with_layout(*layout);
  return shape && shape->equal(array.shape);
}

void give_layout(const Array& array, HostArray& host) {
  // The order of the device, without its tiles: DeviceShapeToHostShape.
  host.layout = array.shape.try_without_layout_fields(XLASHAPE_LAYOUT_FIELD_OF_DEVICE).value().layout();
}

}  // namespace

void call(PJRT_Client_BufferFromHostBuffer_Args& args) {
  PJRT_Device& device = device_of(args.device, args.memory);
  PJRT_Client& client = *args.client;
  const Numbers dimensions = numbers("dims", args.dims, args.num_dims);
  const auto array = client.array(device, args.type, dimensions, args.device_layout);
  HostArray host;
  host.byte_strides = numbers("byte_strides", args.byte_strides, args.num_byte_strides);
  if (!host.byte_strides.empty() && host.byte_strides.size() != dimensions.size())
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT,
                  array->text + ": " + std::to_string(host.byte_strides.size()) + " byte strides are given");
  const bool is_empty = std::find(dimensions.begin(), dimensions.end(), 0) != dimensions.end();
  if (args.data == nullptr && !is_empty)
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, array->text + ": data is NULL");

  const int semantics = args.host_buffer_semantics;
  if (semantics < PJRT_HostBufferSemantics_kImmutableOnlyDuringCall ||
      semantics > PJRT_HostBufferSemantics_kMutableZeroCopy)
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT,
                  array->text + ": there are no host buffer semantics " + std::to_string(semantics));

  const bool may_stay = args.host_buffer_semantics == PJRT_HostBufferSemantics_kImmutableZeroCopy ||
                        args.host_buffer_semantics == PJRT_HostBufferSemantics_kMutableZeroCopy;
  if (may_stay && device.space->is_host() && !is_empty && is_as_stored(args.data, host, *array)) {
    auto released = std::make_shared<Completion>();
    auto storage = std::make_shared<Storage>(address_of(args.data), array->bytes, [released] { released->set(); });
    auto event = std::unique_ptr<PJRT_Event>(new_event(std::move(released)));
    args.buffer = new PJRT_Buffer(device, array, std::move(storage), Completion::done());
    args.done_with_host_buffer = event.release();
    return;
  }
  auto storage = device.space->allocate(array->bytes, array->text);
  const auto move = [space = device.space, data = args.data, host, array, storage] {
    space->from_host(data, host, *array, *storage);
  };
  std::shared_ptr<Completion> ready = Completion::done();
  if (args.host_buffer_semantics == PJRT_HostBufferSemantics_kImmutableOnlyDuringCall)
    move();
  else
    ready = client.run(array->bytes, ready, move);
  auto event = std::unique_ptr<PJRT_Event>(new_event(ready));
  args.buffer = new PJRT_Buffer(device, array, std::move(storage), std::move(ready));
  args.done_with_host_buffer = event.release();
}

void call(PJRT_Client_CreateViewOfDeviceBuffer_Args& args) {
  PJRT_Device& device = device_of(args.device, args.memory);
  const Numbers dimensions = numbers("dims", args.dims, args.num_dims);
  // Without a layout the memory is row-major, as in DLPack, whatever the device would choose.
  const xlashape::ElementType type = type_of(args.element_type);
  const auto array =
      args.layout != nullptr
          ? args.client->array(device, args.element_type, dimensions, args.layout)
          : array_of(value_at(named(type, dimensions),
                              xlashape::Shape::try_array(type, dimensions).and_then([](const auto& shape) {
                                return shape.try_with_packed_elements();
                              })));
  if (args.device_buffer_ptr == nullptr && array->bytes > 0)
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, array->text + ": device_buffer_ptr is NULL");
  std::function<void()> release;
  if (args.on_delete_callback != nullptr)
    release = [callback = args.on_delete_callback, pointer = args.device_buffer_ptr,
               argument = args.on_delete_callback_arg] { callback(pointer, argument); };
  auto storage = std::make_shared<Storage>(address_of(args.device_buffer_ptr), array->bytes, nullptr);
  args.buffer = new PJRT_Buffer(device, array, storage, Completion::done());
  storage->on_release(std::move(release));  // now nothing can fail: it is called only for a view that was made
}

void call(PJRT_Client_CreateUninitializedBuffer_Args& args) {
  PJRT_Device& device = device_of(args.device, args.memory);
  const auto array = args.client->array(device, args.shape_element_type,
                                        numbers("shape_dims", args.shape_dims, args.shape_num_dims), args.shape_layout);
  args.buffer = new PJRT_Buffer(device, array, device.space->allocate(array->bytes, array->text), Completion::done());
}

void call(PJRT_Client_CreateErrorBuffer_Args& args) {
  PJRT_Device& device = device_of(nullptr, args.memory);
  const auto array = args.client->array(device, args.shape_element_type,
                                        numbers("shape_dims", args.shape_dims, args.shape_num_dims), args.shape_layout);
  if (args.error_code == PJRT_Error_Code_OK)
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, array->text + ": its error is OK");
  auto failed = std::make_shared<Completion>();
  failed->set(known(args.error_code),
              args.error_message == nullptr ? "" : std::string(args.error_message, args.error_message_size));
  args.buffer = new PJRT_Buffer(device, array, std::make_shared<Storage>(0, 0, nullptr), std::move(failed));
}

void call(PJRT_Buffer_ToHostBuffer_Args& args) {
  const PJRT_Buffer& buffer = *args.src;
  HostArray host = host_array(*buffer.array, args.host_layout);
  if (args.host_layout == nullptr) give_layout(*buffer.array, host);
  const std::int64_t bytes = buffer.device.space->plans().bytes_to_host(*buffer.array, host);
  if (args.dst == nullptr) {
    args.dst_size = static_cast<std::size_t>(bytes);
    args.event = nullptr;
    return;
  }
  if (args.dst_size < static_cast<std::size_t>(bytes))
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, buffer.array->text + ": dst has " + std::to_string(args.dst_size) +
                                                        " bytes, " + std::to_string(bytes) + " are wanted");
  auto done = buffer.client->run(bytes, buffer.ready,
                                 [space = buffer.device.space, array = buffer.array, storage = buffer.storage(), host,
                                  dst = args.dst] { space->to_host(*array, *storage, host, dst); });
  args.event = new_event(std::move(done));
}

void call(PJRT_Buffer_CopyRawToHost_Args& args) {
  const PJRT_Buffer& buffer = *args.buffer;
  check_range(*buffer.array, args.offset, args.transfer_size);
  if (args.dst == nullptr && args.transfer_size > 0)
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, buffer.array->text + ": dst is NULL");
  auto done =
      buffer.client->run(args.transfer_size, buffer.ready,
                         [space = buffer.device.space, storage = buffer.storage(), offset = args.offset,
                          size = args.transfer_size, dst = args.dst] { space->read(*storage, offset, size, dst); });
  args.event = new_event(std::move(done));
}

PJRT_Buffer* copied(PJRT_Buffer& from, PJRT_Device& device, std::shared_ptr<const Array> to) {
  auto storage = device.space->allocate(to->bytes, to->text);
  auto ready = from.client->run(
      std::max(from.array->bytes, to->bytes), from.ready,
      [from_space = from.device.space, from_array = from.array, source = from.storage(), to_space = device.space, to,
       storage] { move_between(*from_space, *from_array, *source, *to_space, *to, *storage); });
  return new PJRT_Buffer(device, std::move(to), std::move(storage), std::move(ready));
}

namespace {
PJRT_Buffer* copied_to(PJRT_Buffer& from, PJRT_Device& device) {
  // A device of the same kind keeps the layout; another one has its own.
  if (from.device.target() == device.target()) return copied(from, device, from.array);
  return copied(from, device, device.client.array(device, from.array->pjrt_type, from.array->dimensions));
}
}  // namespace

void call(PJRT_Buffer_CopyToDevice_Args& args) { args.dst_buffer = copied_to(*args.buffer, *args.dst_device); }
void call(PJRT_Buffer_CopyToMemory_Args& args) {
  args.dst_buffer = copied_to(*args.buffer, device_of(nullptr, args.dst_memory));
}

}  // namespace pjrt_plugin
