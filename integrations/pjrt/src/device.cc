// SPDX-License-Identifier: Apache-2.0
#include "device.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace pjrt_plugin {
namespace {

void* get_user_data(PJRT_Memory* memory, const void* key) {
  UserData& data = of(memory).user_data;
  const std::lock_guard lock(data.mutex);
  const auto found = data.values.find(key);
  return found == data.values.end() ? nullptr : found->second.first;
}

void set_user_data(PJRT_Memory* memory, const void* key, void* value, void (*destroy)(void*)) {
  UserData& data = of(memory).user_data;
  std::pair<void*, void (*)(void*)> before = {nullptr, nullptr};
  try {
    const std::lock_guard lock(data.mutex);
    before = std::exchange(data.values[key], {value, destroy});
  } catch (...) {
    before = {value, destroy};  // no memory: it is not kept
  }
  if (before.second != nullptr) before.second(before.first);
}

constexpr PJRT_Memory_FunctionTable kMemoryTable = {sizeof(PJRT_Memory_FunctionTable), nullptr, sizeof(Memory),
                                                    get_user_data, set_user_data};

}  // namespace

const std::string& platform_version() {
  static const std::string text = std::string("xlashape ") + xlashape_version();
  return text;
}

UserData::~UserData() {
  for (const auto& [key, value] : values)
    if (value.second != nullptr) value.second(value.first);
}

Memory::Memory(PJRT_Device& owner) : device(owner), devices{&owner} {
  vtable = &kMemoryTable;
  text = "memory of " + owner.description.text;
  debug_text = text;
}

}  // namespace pjrt_plugin

using namespace pjrt_plugin;

PJRT_DeviceDescription::PJRT_DeviceDescription(int number, const DeviceName& device) : id(number), name(device) {
  kind = xlashape_target_name(static_cast<std::int32_t>(name.target));
  if (!name.backend.empty()) kind += '@' + name.backend;
  text = std::string(kPlatformName) + ':' + std::to_string(id) + ' ' + kind;
  debug_text = text;
  if (name.number >= 0) debug_text += '/' + std::to_string(name.number);
  attributes.add("target", std::string(xlashape_target_name(static_cast<std::int32_t>(name.target))));
  attributes.add("backend", name.backend);
}

PJRT_Device::PJRT_Device(PJRT_Client& of_client, int number, const DeviceName& name,
                         std::shared_ptr<Space> memory_space)
    : client(of_client), description(number, name), space(std::move(memory_space)), memory(*this), memories{&memory} {}

PJRT_TopologyDescription::PJRT_TopologyDescription(std::string list) : devices(std::move(list)) {
  for (const DeviceName& name : device_names(devices)) {
    descriptions.push_back(std::make_unique<PJRT_DeviceDescription>(static_cast<int>(descriptions.size()), name));
    pointers.push_back(descriptions.back().get());
  }
  attributes.add("devices", devices);
}

namespace pjrt_plugin {

void call(PJRT_DeviceDescription_Id_Args& args) { args.id = args.device_description->id; }
void call(PJRT_DeviceDescription_ProcessIndex_Args& args) { args.process_index = 0; }
void call(PJRT_DeviceDescription_Attributes_Args& args) {
  give(args.device_description->attributes, args.attributes, args.num_attributes);
}
void call(PJRT_DeviceDescription_Kind_Args& args) {
  give(args.device_description->kind, args.device_kind, args.device_kind_size);
}
void call(PJRT_DeviceDescription_DebugString_Args& args) {
  give(args.device_description->debug_text, args.debug_string, args.debug_string_size);
}
void call(PJRT_DeviceDescription_ToString_Args& args) {
  give(args.device_description->text, args.to_string, args.to_string_size);
}

void call(PJRT_Device_GetDescription_Args& args) { args.device_description = &args.device->description; }
void call(PJRT_Device_IsAddressable_Args& args) { args.is_addressable = true; }
void call(PJRT_Device_LocalHardwareId_Args& args) { args.local_hardware_id = args.device->description.id; }
void call(PJRT_Device_AddressableMemories_Args& args) {
  args.memories = args.device->memories;
  args.num_memories = 1;
}
void call(PJRT_Device_DefaultMemory_Args& args) { args.memory = &args.device->memory; }

void call(PJRT_Device_GetAttributes_Args& args) {
  give(args.device->description.attributes, args.attributes, args.num_attributes);
  args.device_attributes = nullptr;  // they are the description's
  args.attributes_deleter = [](PJRT_Device_Attributes*) {};
}

// Clients end the process where this fails; NULL says that nobody tracks.
void call(PJRT_Device_CreateAsyncTrackingEvent_Args& args) { args.event = nullptr; }

void call(PJRT_Device_MemoryStats_Args& args) {
  const MemoryStats stats = args.device->space->stats();
  // Older clients have a shorter struct: what they lack stays unset.
  PJRT_Device_MemoryStats_Args out = {};
  out.struct_size = args.struct_size;
  out.extension_start = args.extension_start;
  out.device = args.device;
  out.bytes_in_use = stats.in_use;
  out.peak_bytes_in_use = stats.peak, out.peak_bytes_in_use_is_set = true;
  out.num_allocs = stats.allocations, out.num_allocs_is_set = true;
  out.largest_alloc_size = stats.largest, out.largest_alloc_size_is_set = true;
  out.bytes_limit = stats.limit, out.bytes_limit_is_set = true;
  std::memcpy(static_cast<void*>(&args), &out, std::min(args.struct_size, sizeof out));
}
void call(PJRT_Device_ClearMemoryStats_Args& args) { args.device->space->clear_stats(); }

void call(PJRT_Memory_Id_Args& args) { args.id = of(args.memory).device.description.id; }
void call(PJRT_Memory_Kind_Args& args) { give(kMemoryKind, args.kind, args.kind_size); }
void call(PJRT_Memory_Kind_Id_Args& args) { args.kind_id = 0; }
void call(PJRT_Memory_DebugString_Args& args) {
  give(of(args.memory).debug_text, args.debug_string, args.debug_string_size);
}
void call(PJRT_Memory_ToString_Args& args) { give(of(args.memory).text, args.to_string, args.to_string_size); }
void call(PJRT_Memory_AddressableByDevices_Args& args) {
  args.devices = of(args.memory).devices;
  args.num_devices = 1;
}

void call(PJRT_TopologyDescription_Create_Args& args) {
  Options options = options_of(args.create_options, args.num_options);
  // jax gives the name that its user asks for: devices, where it names some.
  const std::string name(text_of("topology_name", args.topology_name, args.topology_name_size));
  args.topology = new PJRT_TopologyDescription(name.empty() ? options.devices : name);
}
void call(PJRT_TopologyDescription_Destroy_Args& args) { delete args.topology; }
void call(PJRT_TopologyDescription_PlatformName_Args& args) {
  give(kPlatformName, args.platform_name, args.platform_name_size);
}
void call(PJRT_TopologyDescription_PlatformVersion_Args& args) {
  give(platform_version(), args.platform_version, args.platform_version_size);
}
void call(PJRT_TopologyDescription_GetDeviceDescriptions_Args& args) {
  give(args.topology->pointers, args.descriptions, args.num_descriptions);
}
void call(PJRT_TopologyDescription_Serialize_Args& args) {
  give(args.topology->devices, args.serialized_bytes, args.serialized_bytes_size);
  args.serialized_topology = nullptr;  // the text is the topology's
  args.serialized_topology_deleter = [](PJRT_SerializedTopology*) {};
}
void call(PJRT_TopologyDescription_Deserialize_Args& args) {
  args.topology = new PJRT_TopologyDescription(
      std::string(text_of("serialized_topology", args.serialized_topology, args.serialized_topology_size)));
}
void call(PJRT_TopologyDescription_Attributes_Args& args) {
  give(args.topology->attributes, args.attributes, args.num_attributes);
}
void call(PJRT_TopologyDescription_Fingerprint_Args& args) {
  args.fingerprint = 14695981039346656037u;  // FNV-1a
  for (const char c : args.topology->devices)
    args.fingerprint = (args.fingerprint ^ static_cast<unsigned char>(c)) * 1099511628211u;
}

}  // namespace pjrt_plugin
