#include "device.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace pjrt_plugin {
namespace {

void give(const std::string& text, const char*& data, size_t& size) {
  data = text.c_str();
  size = text.size();
}

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

const std::string& version() {
  static const std::string text = std::string("xlashape ") + xlashape_version();
  return text;
}

}  // namespace

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
  attributes.data();  // made now: later it is read by any thread
  for (const auto& description : descriptions) description->attributes.data();
}

namespace pjrt_plugin {

void description_id(PJRT_DeviceDescription_Id_Args& args) { args.id = args.device_description->id; }
void description_process_index(PJRT_DeviceDescription_ProcessIndex_Args& args) { args.process_index = 0; }
void description_attributes(PJRT_DeviceDescription_Attributes_Args& args) {
  args.attributes = args.device_description->attributes.data();
  args.num_attributes = args.device_description->attributes.size();
}
void description_kind(PJRT_DeviceDescription_Kind_Args& args) {
  give(args.device_description->kind, args.device_kind, args.device_kind_size);
}
void description_debug_string(PJRT_DeviceDescription_DebugString_Args& args) {
  give(args.device_description->debug_text, args.debug_string, args.debug_string_size);
}
void description_to_string(PJRT_DeviceDescription_ToString_Args& args) {
  give(args.device_description->text, args.to_string, args.to_string_size);
}

void device_get_description(PJRT_Device_GetDescription_Args& args) {
  args.device_description = &args.device->description;
}
void device_is_addressable(PJRT_Device_IsAddressable_Args& args) { args.is_addressable = true; }
void device_local_hardware_id(PJRT_Device_LocalHardwareId_Args& args) {
  args.local_hardware_id = args.device->description.id;
}
void device_addressable_memories(PJRT_Device_AddressableMemories_Args& args) {
  args.memories = args.device->memories;
  args.num_memories = 1;
}
void device_default_memory(PJRT_Device_DefaultMemory_Args& args) { args.memory = &args.device->memory; }

void device_get_attributes(PJRT_Device_GetAttributes_Args& args) {
  args.attributes = args.device->description.attributes.data();
  args.num_attributes = args.device->description.attributes.size();
  args.device_attributes = nullptr;  // they are the description's
  args.attributes_deleter = [](PJRT_Device_Attributes*) {};
}

// Clients end the process where this fails; NULL says that nobody tracks.
void device_create_async_tracking_event(PJRT_Device_CreateAsyncTrackingEvent_Args& args) { args.event = nullptr; }

void device_memory_stats(PJRT_Device_MemoryStats_Args& args) {
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
void device_clear_memory_stats(PJRT_Device_ClearMemoryStats_Args& args) { args.device->space->clear_stats(); }

void memory_id(PJRT_Memory_Id_Args& args) { args.id = of(args.memory).device.description.id; }
void memory_kind(PJRT_Memory_Kind_Args& args) { args.kind = kMemoryKind.data(), args.kind_size = kMemoryKind.size(); }
void memory_kind_id(PJRT_Memory_Kind_Id_Args& args) { args.kind_id = 0; }
void memory_debug_string(PJRT_Memory_DebugString_Args& args) {
  give(of(args.memory).debug_text, args.debug_string, args.debug_string_size);
}
void memory_to_string(PJRT_Memory_ToString_Args& args) {
  give(of(args.memory).text, args.to_string, args.to_string_size);
}
void memory_addressable_by_devices(PJRT_Memory_AddressableByDevices_Args& args) {
  args.devices = of(args.memory).devices;
  args.num_devices = 1;
}

void topology_create(PJRT_TopologyDescription_Create_Args& args) {
  Options options = options_of(args.create_options, args.num_options);
  // jax gives the name that its user asks for: devices, where it names some.
  const std::string name(text_of("topology_name", args.topology_name, args.topology_name_size));
  args.topology = new PJRT_TopologyDescription(name.empty() ? options.devices : name);
}
void topology_destroy(PJRT_TopologyDescription_Destroy_Args& args) { delete args.topology; }
void topology_platform_name(PJRT_TopologyDescription_PlatformName_Args& args) {
  args.platform_name = kPlatformName.data();
  args.platform_name_size = kPlatformName.size();
}
void topology_platform_version(PJRT_TopologyDescription_PlatformVersion_Args& args) {
  give(version(), args.platform_version, args.platform_version_size);
}
void topology_get_device_descriptions(PJRT_TopologyDescription_GetDeviceDescriptions_Args& args) {
  args.descriptions = args.topology->pointers.data();
  args.num_descriptions = args.topology->pointers.size();
}
void topology_serialize(PJRT_TopologyDescription_Serialize_Args& args) {
  give(args.topology->devices, args.serialized_bytes, args.serialized_bytes_size);
  args.serialized_topology = nullptr;  // the text is the topology's
  args.serialized_topology_deleter = [](PJRT_SerializedTopology*) {};
}
void topology_deserialize(PJRT_TopologyDescription_Deserialize_Args& args) {
  args.topology = new PJRT_TopologyDescription(
      std::string(text_of("serialized_topology", args.serialized_topology, args.serialized_topology_size)));
}
void topology_attributes(PJRT_TopologyDescription_Attributes_Args& args) {
  args.attributes = args.topology->attributes.data();
  args.num_attributes = args.topology->attributes.size();
}
void topology_fingerprint(PJRT_TopologyDescription_Fingerprint_Args& args) {
  args.fingerprint = 14695981039346656037u;  // FNV-1a
  for (const char c : args.topology->devices)
    args.fingerprint = (args.fingerprint ^ static_cast<unsigned char>(c)) * 1099511628211u;
}

}  // namespace pjrt_plugin
