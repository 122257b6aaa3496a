// Devices, their memory and their descriptions; the topology that they make.
#ifndef PJRT_PLUGIN_DEVICE_H_
#define PJRT_PLUGIN_DEVICE_H_

#include "space.h"

namespace pjrt_plugin {

constexpr std::string_view kPlatformName = "xlashape";
constexpr std::string_view kMemoryKind = "device";  // each device has this one

// What a client is made with: from the options of PJRT_Client_Create, else from the environment, else these.
struct Options {
  std::string devices = "tpu:v5e";  // TARGET[@BACKEND[/NUMBER]], ',' between them; XLASHAPE_PJRT_DEVICES
  std::int64_t memory_bytes = std::int64_t{16} << 30;  // of each device; XLASHAPE_PJRT_MEMORY_BYTES
  std::int64_t threads = 0;   // that move arrays; 0: as many as processors, at most 8; XLASHAPE_PJRT_THREADS
  std::string backend_files;  // shared objects to load, ':' between them; XLASHAPE_PJRT_BACKEND_FILES
};
Options options_of(const PJRT_NamedValue* values, std::size_t count);

// One device as `devices` names it.
struct DeviceName {
  xlashape::Target target;
  std::string backend;  // empty: the memory is the host's
  int number = -1;      // of the backend's devices; -1: the one that it takes where none is named
};
std::vector<DeviceName> device_names(const std::string& list);

// Named values that own their texts, in PJRT's form.
class NamedValues {
 public:
  void add(std::string name, std::string value);
  void add(std::string name, std::int64_t value);
  void add(std::string name, Numbers values);
  const PJRT_NamedValue* data();
  std::size_t size() const { return owned_.size(); }

 private:
  struct Owned {
    std::string name, text;
    Numbers list;
    PJRT_NamedValue_Type type;
  };
  std::vector<Owned> owned_;
  std::vector<PJRT_NamedValue> values_;
};

}  // namespace pjrt_plugin

struct PJRT_DeviceDescription {
  PJRT_DeviceDescription(int number, const pjrt_plugin::DeviceName& name);

  int id;
  pjrt_plugin::DeviceName name;
  std::string kind, text, debug_text;
  pjrt_plugin::NamedValues attributes;
};

namespace pjrt_plugin {

// What clients attach to a memory: PJRT_Memory must begin with the table that reaches it.
struct UserData {
  std::mutex mutex;
  std::map<const void*, std::pair<void*, void (*)(void*)>> values;
  ~UserData();
};

struct Memory : PJRT_Memory {
  explicit Memory(PJRT_Device& device);
  PJRT_Device& device;
  UserData user_data;
  std::string text, debug_text;
  PJRT_Device* devices[1];
};
inline Memory& of(PJRT_Memory* memory) { return *static_cast<Memory*>(memory); }

}  // namespace pjrt_plugin

struct PJRT_Device {
  PJRT_Device(PJRT_Client& of_client, int number, const pjrt_plugin::DeviceName& name,
              std::shared_ptr<pjrt_plugin::Space> memory_space);

  PJRT_Client& client;
  PJRT_DeviceDescription description;
  std::shared_ptr<pjrt_plugin::Space> space;
  pjrt_plugin::Memory memory;
  PJRT_Memory* memories[1];
  xlashape::Target target() const { return description.name.target; }
};

struct PJRT_TopologyDescription {
  explicit PJRT_TopologyDescription(std::string list);

  std::string devices;  // as in Options: also its serialised form
  std::vector<std::unique_ptr<PJRT_DeviceDescription>> descriptions;
  std::vector<PJRT_DeviceDescription*> pointers;
  pjrt_plugin::NamedValues attributes;
};

namespace pjrt_plugin {

// The functions of PJRT.
void description_id(PJRT_DeviceDescription_Id_Args& args);
void description_process_index(PJRT_DeviceDescription_ProcessIndex_Args& args);
void description_attributes(PJRT_DeviceDescription_Attributes_Args& args);
void description_kind(PJRT_DeviceDescription_Kind_Args& args);
void description_debug_string(PJRT_DeviceDescription_DebugString_Args& args);
void description_to_string(PJRT_DeviceDescription_ToString_Args& args);
void device_get_description(PJRT_Device_GetDescription_Args& args);
void device_is_addressable(PJRT_Device_IsAddressable_Args& args);
void device_local_hardware_id(PJRT_Device_LocalHardwareId_Args& args);
void device_addressable_memories(PJRT_Device_AddressableMemories_Args& args);
void device_default_memory(PJRT_Device_DefaultMemory_Args& args);
void device_get_attributes(PJRT_Device_GetAttributes_Args& args);
void device_create_async_tracking_event(PJRT_Device_CreateAsyncTrackingEvent_Args& args);
void device_memory_stats(PJRT_Device_MemoryStats_Args& args);
void device_clear_memory_stats(PJRT_Device_ClearMemoryStats_Args& args);
void memory_id(PJRT_Memory_Id_Args& args);
void memory_kind(PJRT_Memory_Kind_Args& args);
void memory_kind_id(PJRT_Memory_Kind_Id_Args& args);
void memory_debug_string(PJRT_Memory_DebugString_Args& args);
void memory_to_string(PJRT_Memory_ToString_Args& args);
void memory_addressable_by_devices(PJRT_Memory_AddressableByDevices_Args& args);
void topology_create(PJRT_TopologyDescription_Create_Args& args);
void topology_destroy(PJRT_TopologyDescription_Destroy_Args& args);
void topology_platform_name(PJRT_TopologyDescription_PlatformName_Args& args);
void topology_platform_version(PJRT_TopologyDescription_PlatformVersion_Args& args);
void topology_get_device_descriptions(PJRT_TopologyDescription_GetDeviceDescriptions_Args& args);
void topology_serialize(PJRT_TopologyDescription_Serialize_Args& args);
void topology_deserialize(PJRT_TopologyDescription_Deserialize_Args& args);
void topology_attributes(PJRT_TopologyDescription_Attributes_Args& args);
void topology_fingerprint(PJRT_TopologyDescription_Fingerprint_Args& args);

}  // namespace pjrt_plugin

#endif  // PJRT_PLUGIN_DEVICE_H_
