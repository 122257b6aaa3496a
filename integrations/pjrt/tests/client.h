/* SPDX-License-Identifier: Apache-2.0 */
// A client of the plugin for tests, which uses nothing but PJRT's C API.
#pragma once
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#include <xlashape.hpp>

#include "pjrt_api.h"

using Numbers = std::vector<std::int64_t>;
using Bytes = std::vector<unsigned char>;

// Named in the command line.
inline std::string plugin_path;

inline const PJRT_Api& api() {
  static const PJRT_Api* const table = [] {
    void* const library = dlopen(plugin_path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    return reinterpret_cast<const PJRT_Api* (*)()>(dlsym(library, "GetPjrtApi"))();
  }();
  return *table;
}

struct PjrtError : std::runtime_error {
  PjrtError(PJRT_Error_Code c, const std::string& message) : std::runtime_error(message), code(c) {}
  PJRT_Error_Code code;
};

inline void check(PJRT_Error* error) {
  if (error == nullptr) return;
  PJRT_Error_Message_Args message = {sizeof message, nullptr, error, nullptr, 0};
  api().PJRT_Error_Message(&message);
  PJRT_Error_GetCode_Args code = {sizeof code, nullptr, error, PJRT_Error_Code_OK};
  api().PJRT_Error_GetCode(&code);
  const PjrtError told(code.code, std::string(message.message, message.message_size));
  PJRT_Error_Destroy_Args destroy = {sizeof destroy, nullptr, error};
  api().PJRT_Error_Destroy(&destroy);
  throw told;
}

// What a call fails with: "CODE: message", or "OK".
inline std::string told(const std::function<void()>& call) {
  try {
    call();
    return "OK";
  } catch (const PjrtError& error) {
    return std::to_string(error.code) + ": " + error.what();
  }
}
inline std::string code(PJRT_Error_Code code) { return std::to_string(code) + ": "; }

// Arguments with their size set, all else zero; and a call with them.
template <class Args>
Args args_of() {
  Args args = {};
  args.struct_size = sizeof args;
  return args;
}
#define CALL(name, args) check(api().name(&args))
// What a call with an object in one field of its arguments gives in another one; and a text of two fields.
#define ASK(name, field, object, answer) \
  [&] {                                  \
    auto args = args_of<name##_Args>();  \
    args.field = object;                 \
    CALL(name, args);                    \
    return args.answer;                  \
  }()
#define ASK_TEXT(name, field, object, answer)            \
  [&] {                                                  \
    auto args = args_of<name##_Args>();                  \
    args.field = object;                                 \
    CALL(name, args);                                    \
    return std::string(args.answer, args.answer##_size); \
  }()

// One owned object of PJRT.
template <class T, auto destroy>
using Owned = std::unique_ptr<T, decltype([](T* object) { destroy(object); })>;
#define OWNED(type, field)                             \
  inline void destroy_##field(PJRT_##type* object) {   \
    auto args = args_of<PJRT_##type##_Destroy_Args>(); \
    args.field = object;                               \
    check(api().PJRT_##type##_Destroy(&args));         \
  }                                                    \
  using type = Owned<PJRT_##type, destroy_##field>;
OWNED(Event, event)
OWNED(Buffer, buffer)
OWNED(TopologyDescription, topology)
OWNED(AsyncHostToDeviceTransferManager, transfer_manager)
OWNED(LoadedExecutable, executable)
#undef OWNED

inline void await(PJRT_Event* event) {
  auto args = args_of<PJRT_Event_Await_Args>();
  args.event = event;
  CALL(PJRT_Event_Await, args);
}
inline bool is_ready(PJRT_Event* event) { return ASK(PJRT_Event_IsReady, event, event, is_ready); }
inline Event ready_event(PJRT_Buffer* buffer) { return Event(ASK(PJRT_Buffer_ReadyEvent, buffer, buffer, event)); }

// A PJRT_Buffer_MemoryLayout for a shape; as XLA's client makes it, with sizes that say nothing.
class MemoryLayout {
 public:
  explicit MemoryLayout(const xlashape::Shape& shape, std::uint32_t flags = XLASHAPE_PJRT_DROP)
      : block_(xlashape::try_to_pjrt(shape, flags).value()),
        layout_(*static_cast<const PJRT_Buffer_MemoryLayout*>(block_.get())) {
    layout_.struct_size = 3;
  }
  PJRT_Buffer_MemoryLayout* get() { return &layout_; }

 private:
  xlashape::Block block_;
  PJRT_Buffer_MemoryLayout layout_;
};

inline PJRT_Buffer_Type pjrt_type(xlashape::ElementType type) {
  return static_cast<PJRT_Buffer_Type>(xlashape_element_type_to_pjrt(static_cast<std::int32_t>(type)));
}

class Client {
 public:
  using Options = std::vector<std::pair<std::string, std::string>>;
  explicit Client(const Options& options) {
    std::vector<PJRT_NamedValue> values;
    for (const auto& [name, value] : options) {
      PJRT_NamedValue given = {};
      given.struct_size = sizeof given;
      given.name = name.c_str();
      given.name_size = name.size();
      given.type = PJRT_NamedValue_kString;
      given.string_value = value.c_str();
      given.value_size = value.size();
      values.push_back(given);
    }
    auto args = args_of<PJRT_Client_Create_Args>();
    args.create_options = values.data();
    args.num_options = values.size();
    CALL(PJRT_Client_Create, args);
    client_ = args.client;
    auto devices = args_of<PJRT_Client_Devices_Args>();
    devices.client = client_;
    CALL(PJRT_Client_Devices, devices);
    devices_.assign(devices.devices, devices.devices + devices.num_devices);
  }
  ~Client() { destroy(); }
  // Before its end.
  void destroy() {
    if (client_ == nullptr) return;
    auto args = args_of<PJRT_Client_Destroy_Args>();
    args.client = client_;
    PJRT_Error* const error = api().PJRT_Client_Destroy(&args);
    if (error != nullptr) std::abort();
    client_ = nullptr;
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  PJRT_Client* get() const { return client_; }
  PJRT_Device* device(std::size_t i) const { return devices_.at(i); }
  std::size_t device_count() const { return devices_.size(); }
  PJRT_Memory* memory(std::size_t on) const { return ASK(PJRT_Device_DefaultMemory, device, devices_.at(on), memory); }

  // `shape`: type and dimensions. `done`: gets the host buffer's event.
  // `layout`: on the device; NULL: the device's own.
  Buffer put(const void* data, const xlashape::Shape& shape, const Numbers& strides, std::size_t on,
             PJRT_HostBufferSemantics semantics = PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
             Event* done = nullptr, PJRT_Buffer_MemoryLayout* layout = nullptr) const {
    const Numbers dimensions = shape.dimensions();
    auto args = args_of<PJRT_Client_BufferFromHostBuffer_Args>();
    args.client = client_;
    args.data = data;
    args.type = pjrt_type(shape.element_type());
    args.dims = dimensions.data();
    args.num_dims = dimensions.size();
    args.byte_strides = strides.data();
    args.num_byte_strides = strides.size();
    args.host_buffer_semantics = semantics;
    args.device = devices_.at(on);
    args.device_layout = layout;
    CALL(PJRT_Client_BufferFromHostBuffer, args);
    Event event(args.done_with_host_buffer);
    if (done != nullptr) *done = std::move(event);
    return Buffer(args.buffer);
  }
  Buffer copy(PJRT_Buffer* buffer, std::size_t to) const {
    auto args = args_of<PJRT_Buffer_CopyToDevice_Args>();
    args.buffer = buffer;
    args.dst_device = devices_.at(to);
    CALL(PJRT_Buffer_CopyToDevice, args);
    return Buffer(args.dst_buffer);
  }
  Buffer copy_to_memory(PJRT_Buffer* buffer, std::size_t to) const {
    auto args = args_of<PJRT_Buffer_CopyToMemory_Args>();
    args.buffer = buffer;
    args.dst_memory = memory(to);
    CALL(PJRT_Buffer_CopyToMemory, args);
    return Buffer(args.dst_buffer);
  }
  PJRT_Device_MemoryStats_Args stats(std::size_t on) const {
    auto args = args_of<PJRT_Device_MemoryStats_Args>();
    args.device = devices_.at(on);
    CALL(PJRT_Device_MemoryStats, args);
    return args;
  }

 private:
  PJRT_Client* client_ = nullptr;
  std::vector<PJRT_Device*> devices_;
};

inline const PJRT_Layouts_Extension& layouts() {
  for (const PJRT_Extension_Base* at = api().extension_start; at != nullptr; at = at->next)
    if (at->type == PJRT_Extension_Type_Layouts) return *reinterpret_cast<const PJRT_Layouts_Extension*>(at);
  throw std::runtime_error("there is no layouts extension");
}
// The text of a layout, which is destroyed.
inline std::string text_of(PJRT_Layouts_MemoryLayout* layout) {
  auto args = args_of<PJRT_Layouts_MemoryLayout_Serialize_Args>();
  args.layout = layout;
  check(layouts().PJRT_Layouts_MemoryLayout_Serialize(&args));
  std::string text(args.serialized_bytes, args.serialized_bytes_size);
  args.serialized_layout_deleter(args.serialized_layout);
  auto destroy = args_of<PJRT_Layouts_MemoryLayout_Destroy_Args>();
  destroy.layout = layout;
  check(layouts().PJRT_Layouts_MemoryLayout_Destroy(&destroy));
  return text;
}
inline std::string layout_of(PJRT_Buffer* buffer) {
  auto args = args_of<PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args>();
  args.buffer = buffer;
  check(layouts().PJRT_Layouts_PJRT_Buffer_MemoryLayout(&args));
  return text_of(args.layout);
}
// The shape as it is on the device.
inline xlashape::Shape device_shape(PJRT_Buffer* buffer, const xlashape::Shape& shape) {
  return shape.with_layout(xlashape::Layout::parse(layout_of(buffer)));
}
inline std::int64_t device_bytes(PJRT_Buffer* buffer) {
  return static_cast<std::int64_t>(ASK(PJRT_Buffer_OnDeviceSizeInBytes, buffer, buffer, on_device_size_in_bytes));
}
// The bytes as they are on the device.
inline Bytes raw(PJRT_Buffer* buffer, std::int64_t offset = 0, std::int64_t size = -1) {
  Bytes bytes(static_cast<std::size_t>(size < 0 ? device_bytes(buffer) - offset : size));
  auto args = args_of<PJRT_Buffer_CopyRawToHost_Args>();
  args.buffer = buffer;
  args.dst = bytes.data();
  args.offset = offset;
  args.transfer_size = static_cast<std::int64_t>(bytes.size());
  if (bytes.empty()) bytes.reserve(1), args.dst = bytes.data();
  CALL(PJRT_Buffer_CopyRawToHost, args);
  const Event event(args.event);
  await(event.get());
  return bytes;
}
// The array in a layout of the host; NULL: the order that it has on the device.
inline Bytes get(PJRT_Buffer* buffer, PJRT_Buffer_MemoryLayout* host) {
  auto args = args_of<PJRT_Buffer_ToHostBuffer_Args>();
  args.src = buffer;
  args.host_layout = host;
  CALL(PJRT_Buffer_ToHostBuffer, args);
  Bytes bytes(args.dst_size, 0xee);
  unsigned char none = 0;
  args.dst = bytes.empty() ? &none : bytes.data();
  CALL(PJRT_Buffer_ToHostBuffer, args);
  await(Event(args.event).get());
  return bytes;
}
// In the layout that `host` has; none: row-major.
inline Bytes get(PJRT_Buffer* buffer, const xlashape::Shape& host) { return get(buffer, MemoryLayout(host).get()); }

inline std::uint64_t pointer_of(PJRT_Buffer* buffer) {
  return ASK(PJRT_Buffer_UnsafePointer, buffer, buffer, buffer_pointer);
}
// The array, not the buffer.
inline void delete_array(PJRT_Buffer* buffer) {
  auto args = args_of<PJRT_Buffer_Delete_Args>();
  args.buffer = buffer;
  CALL(PJRT_Buffer_Delete, args);
}
