// SPDX-License-Identifier: Apache-2.0
#include "client.h"

#include <algorithm>
#include <thread>

namespace pjrt_plugin {
namespace {

// Up to here an array is moved on the thread that asks for it:
// waking another one takes as long (50 us on a virtual machine).
constexpr std::int64_t kAtOnce = 1 << 20;

std::int64_t threads_of(const Options& options) {
  if (options.threads > 0) return options.threads;
  return std::clamp<std::int64_t>(std::thread::hardware_concurrency(), 1, 8);
}

std::shared_ptr<Plans> plans_of(const Options& options) {
  xlashape::RuntimeOptions wanted;
  wanted.threads = static_cast<std::int32_t>(threads_of(options));
  const auto runtime = value_at("xlashape", xlashape::Runtime::try_create(wanted));
  for (std::size_t begin = 0; begin < options.backend_files.size();) {
    const std::size_t end = std::min(options.backend_files.find(':', begin), options.backend_files.size());
    const std::string file = options.backend_files.substr(begin, end - begin);
    if (!file.empty()) value_at("backend_files", runtime.try_load_backend(file));
    begin = end + 1;
  }
  return std::make_shared<Plans>(runtime);
}

}  // namespace
}  // namespace pjrt_plugin

using namespace pjrt_plugin;

PJRT_Client::PJRT_Client(const Options& options)
    : topology(options.devices),
      plans(plans_of(options)),
      arrays(4096),
      workers(static_cast<int>(threads_of(options))) {
  for (const auto& description : topology.descriptions) {
    const DeviceName& name = description->name;
    auto space = name.backend.empty() ? host_space(plans, options.memory_bytes)
                                      : backend_space(plans, options.memory_bytes, name.backend, name.number);
    devices.push_back(std::make_unique<PJRT_Device>(*this, description->id, name, std::move(space)));
    device_pointers.push_back(devices.back().get());
    memory_pointers.push_back(&devices.back()->memory);
  }
}

std::shared_ptr<const Array> PJRT_Client::array(const PJRT_Device& device, PJRT_Buffer_Type type,
                                                const Numbers& dimensions, const PJRT_Buffer_MemoryLayout* wanted) {
  const xlashape::ElementType element_type = type_of(type);
  const auto place = [&] { return named(element_type, dimensions) + ": device_layout"; };
  xlashape::Layout layout;
  if (wanted != nullptr) layout = value_at(place(), xlashape::try_layout_from_pjrt(wanted, element_type, dimensions));
  std::string key = layout ? layout.to_string() : std::string();
  append(key, {static_cast<std::int64_t>(device.target()), type});
  append(key, dimensions);
  return arrays.get(key, [&] {
    if (!layout || is_order(layout)) return array_on(device.target(), element_type, dimensions, layout);
    // PJRT's struct cannot say how many bits an element has: on these devices they are packed.
    const auto shape = value_at(place(), xlashape::Shape::try_array(element_type, dimensions, layout));
    return array_of(value_at(place(), shape.try_with_packed_elements()));
  });
}

std::shared_ptr<Completion> PJRT_Client::run(std::int64_t bytes, const std::shared_ptr<Completion>& before,
                                             std::function<void()> work) {
  if (bytes <= kAtOnce && before->is_set()) {
    before->check();
    work();
    return Completion::done();
  }
  auto after = std::make_shared<Completion>();
  before->then([client = shared_from_this(), before, after, work = std::move(work)]() mutable {
    client->workers.post([before, after, work = std::move(work)]() mutable {
      PJRT_Error* const error = guarded([&] {
        before->check();
        work();
      });
      work = nullptr;  // memory that it held is free when the event is set
      if (error == nullptr) return after->set();
      const char* text = nullptr;
      size_t size = 0;
      error->vtable->message(error, &text, &size);
      after->set(error->vtable->get_code(error), std::string(text, size));
      error->vtable->destroy(error);
    });
  });
  return after;
}

namespace pjrt_plugin {

void call(PJRT_Client_Create_Args& args) {
  auto client = std::make_shared<PJRT_Client>(options_of(args.create_options, args.num_options));
  args.client = client.get();
  args.client->self = std::move(client);
}
void call(PJRT_Client_Destroy_Args& args) { const auto last = std::move(args.client->self); }
void call(PJRT_Client_PlatformName_Args& args) { give(kPlatformName, args.platform_name, args.platform_name_size); }
void call(PJRT_Client_ProcessIndex_Args& args) { args.process_index = 0; }
void call(PJRT_Client_PlatformVersion_Args& args) {
  give(platform_version(), args.platform_version, args.platform_version_size);
}
void call(PJRT_Client_TopologyDescription_Args& args) { args.topology = &args.client->topology; }
void call(PJRT_Client_Devices_Args& args) { give(args.client->device_pointers, args.devices, args.num_devices); }
void call(PJRT_Client_AddressableDevices_Args& args) {
  give(args.client->device_pointers, args.addressable_devices, args.num_addressable_devices);
}

namespace {
PJRT_Device* device_at(const PJRT_Client& client, int id) {
  if (id < 0 || static_cast<std::size_t>(id) >= client.devices.size())
    throw Failure(PJRT_Error_Code_NOT_FOUND, "there is no device " + std::to_string(id) + ": the client has " +
                                                 std::to_string(client.devices.size()));
  return client.devices[static_cast<std::size_t>(id)].get();
}
}  // namespace

void call(PJRT_Client_LookupDevice_Args& args) { args.device = device_at(*args.client, args.id); }
void call(PJRT_Client_LookupAddressableDevice_Args& args) {
  args.addressable_device = device_at(*args.client, args.local_hardware_id);
}
void call(PJRT_Client_AddressableMemories_Args& args) {
  give(args.client->memory_pointers, args.addressable_memories, args.num_addressable_memories);
}
void call(PJRT_Client_DefaultDeviceAssignment_Args& args) {
  const std::int64_t wanted = std::int64_t{args.num_replicas} * args.num_partitions;
  const auto devices = static_cast<std::int64_t>(args.client->devices.size());
  if (wanted < 0 || wanted > devices || static_cast<std::size_t>(wanted) > args.default_assignment_size)
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, std::to_string(args.num_replicas) + " replicas of " +
                                                        std::to_string(args.num_partitions) + " partitions on " +
                                                        std::to_string(devices) + " devices");
  check_list("default_assignment", args.default_assignment, static_cast<std::size_t>(wanted));
  for (int i = 0; i < wanted; ++i) args.default_assignment[i] = i;
}
void call(PJRT_Client_UpdateGlobalProcessInfo_Args&) {}  // there is one process

}  // namespace pjrt_plugin
