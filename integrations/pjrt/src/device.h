/* SPDX-License-Identifier: Apache-2.0 */
// Devices, their memory and their descriptions; the topology that they make.
#pragma once
#include <deque>

#include "space.h"

namespace pjrt_plugin {

constexpr std::string_view kPlatformName = "xlashape";
const std::string& platform_version();
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
  NamedValues() = default;
  NamedValues(const NamedValues&) = delete;
  void add(std::string name, std::string value);
  void add(std::string name, Numbers values);
  const PJRT_NamedValue* data() const { return values_.data(); }
  std::size_t size() const { return values_.size(); }

 private:
  PJRT_NamedValue& append(std::string name, PJRT_NamedValue_Type type);

  std::deque<std::string> texts_;  // and lists, that stay where they are
  std::deque<Numbers> lists_;
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
