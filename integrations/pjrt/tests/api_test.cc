// SPDX-License-Identifier: Apache-2.0
// The table, options, devices, layouts, errors: what holds for every call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "arrays.h"

using testing::HasSubstr;
using xlashape::Shape;

namespace {

TEST(Api, TableIsComplete) {
  EXPECT_EQ(api().struct_size, sizeof(PJRT_Api));
  EXPECT_EQ(api().pjrt_api_version.major_version, PJRT_API_MAJOR);
  EXPECT_EQ(api().pjrt_api_version.minor_version, PJRT_API_MINOR);
  // Without its arguments each function says so, or that it is not there; none ends the process.
  int refused = 0, served = 0;
#define CHECK_FUNCTION(Name)                                             \
  {                                                                      \
    ASSERT_NE(api().Name, nullptr) << #Name;                             \
    Name##_Args args = {};                                               \
    const std::string what = told([&] { check(api().Name(&args)); });    \
    if (what.rfind(code(PJRT_Error_Code_UNIMPLEMENTED), 0) == 0) {       \
      EXPECT_THAT(what, HasSubstr(#Name));                               \
      ++refused;                                                         \
    } else {                                                             \
      EXPECT_THAT(what, HasSubstr("struct_size of 0")) << #Name;         \
      ++served;                                                          \
    }                                                                    \
    EXPECT_NE(told([&] { check(api().Name(nullptr)); }), "OK") << #Name; \
  }
  PJRT_API_FUNCTIONS(CHECK_FUNCTION)
#undef CHECK_FUNCTION
  EXPECT_EQ(refused + served, 136);
  EXPECT_GE(served, 100);
}

TEST(Options, WhatIsWrongIsNamed) {
  const struct {
    const char *name, *value;
    PJRT_Error_Code code;
    const char* says;
  } cases[] = {
      {"device", "tpu:v5e", PJRT_Error_Code_INVALID_ARGUMENT, "there is no option device"},
      {"devices", "tpu:v5e,tpu:v1", PJRT_Error_Code_NOT_FOUND, "tpu:v1"},
      {"devices", "", PJRT_Error_Code_NOT_FOUND, "devices ''"},
      {"devices", "cpu@", PJRT_Error_Code_INVALID_ARGUMENT, "no backend is named"},
      {"devices", "cpu@nosuch", PJRT_Error_Code_NOT_FOUND, "there is no backend nosuch"},
      {"devices", "cpu@simd", PJRT_Error_Code_NOT_FOUND, "simd"},
      {"devices", "cpu@nosuch/x", PJRT_Error_Code_INVALID_ARGUMENT, "is no number: 'x'"},
      {"devices", "cpu@nosuch/99999999999", PJRT_Error_Code_INVALID_ARGUMENT, "the backend's device is 99999999999"},
      {"memory_bytes", "-1", PJRT_Error_Code_INVALID_ARGUMENT, "memory_bytes is -1, and must be between 0 and"},
      {"memory_bytes", "1e9", PJRT_Error_Code_INVALID_ARGUMENT, "is no number: '1e9'"},
      {"threads", "99999999999999999999", PJRT_Error_Code_INVALID_ARGUMENT, "is no number"},
      {"threads", "257", PJRT_Error_Code_INVALID_ARGUMENT, "threads is 257, and must be between 0 and 256"},
      {"backend_files", "/nosuch.so", PJRT_Error_Code_NOT_FOUND, "/nosuch.so"},
  };
  for (const auto& [name, value, number, says] : cases) {
    const std::string what = told([&] { Client client(Client::Options{{name, value}}); });
    EXPECT_THAT(what, testing::StartsWith(code(number))) << name;
    EXPECT_THAT(what, HasSubstr(says));
  }
}

// What becomes of a client with these options, which ends at once.
std::string created(const PJRT_NamedValue* options, std::size_t count) {
  return told([&] {
    auto args = args_of<PJRT_Client_Create_Args>();
    args.create_options = options;
    args.num_options = count;
    CALL(PJRT_Client_Create, args);
    auto destroy = args_of<PJRT_Client_Destroy_Args>();
    destroy.client = args.client;
    CALL(PJRT_Client_Destroy, destroy);
  });
}

// Numbers are numbers of PJRT, too, and nothing else.
TEST(Options, HaveTypes) {
  const auto create = [](const char* name, PJRT_NamedValue_Type type) {
    PJRT_NamedValue option = args_of<PJRT_NamedValue>();
    option.name = name;
    option.name_size = std::strlen(name);
    option.type = type;
    option.int64_value = 1;
    option.value_size = 1;
    return created(&option, 1);
  };
  EXPECT_EQ(create("memory_bytes", PJRT_NamedValue_kInt64), "OK");
  EXPECT_THAT(create("memory_bytes", PJRT_NamedValue_kBool), HasSubstr("option memory_bytes must be an integer"));
  EXPECT_THAT(create("devices", PJRT_NamedValue_kInt64), HasSubstr("option devices must be a string"));
}

// Lists and texts that are not there, and are said to hold something.
TEST(Options, MayBeNull) {
  const std::string invalid = code(PJRT_Error_Code_INVALID_ARGUMENT);
  EXPECT_EQ(created(nullptr, 0), "OK");
  EXPECT_EQ(created(nullptr, 3), invalid + "create_options is NULL, and 3 are given");
  PJRT_NamedValue option = args_of<PJRT_NamedValue>();
  option.type = PJRT_NamedValue_kString;
  EXPECT_THAT(created(&option, 1), HasSubstr(invalid + "there is no option : devices, backend_files"));
  option.name_size = 7;
  EXPECT_EQ(created(&option, 1), invalid + "the text of create_options[0].name is NULL, and 7 are given");
  option.name = "devices";
  EXPECT_THAT(created(&option, 1), HasSubstr("devices '': no target is called ''"));
  option.value_size = 3;
  EXPECT_EQ(created(&option, 1), invalid + "the text of option devices is NULL, and 3 are given");

  auto topology = args_of<PJRT_TopologyDescription_Create_Args>();
  topology.topology_name_size = 3;
  EXPECT_EQ(told([&] { CALL(PJRT_TopologyDescription_Create, topology); }),
            invalid + "the text of topology_name is NULL, and 3 are given");
  topology.topology_name_size = 0;
  topology.num_options = 1;
  EXPECT_EQ(told([&] { CALL(PJRT_TopologyDescription_Create, topology); }),
            invalid + "create_options is NULL, and 1 are given");
  auto serialized = args_of<PJRT_TopologyDescription_Deserialize_Args>();
  serialized.serialized_topology_size = 5;
  EXPECT_EQ(told([&] { CALL(PJRT_TopologyDescription_Deserialize, serialized); }),
            invalid + "the text of serialized_topology is NULL, and 5 are given");

  const Client client(Client::Options{{"devices", "tpu:v5e"}});
  auto assignment = args_of<PJRT_Client_DefaultDeviceAssignment_Args>();
  assignment.client = client.get();
  assignment.num_replicas = assignment.num_partitions = 1;
  assignment.default_assignment_size = 1;
  EXPECT_EQ(told([&] { CALL(PJRT_Client_DefaultDeviceAssignment, assignment); }),
            invalid + "default_assignment is NULL, and 1 are given");
  auto program = args_of<PJRT_Program>();
  auto compile = args_of<PJRT_Client_Compile_Args>();
  compile.client = client.get();
  compile.program = &program;
  program.code_size = 4;
  EXPECT_EQ(told([&] { CALL(PJRT_Client_Compile, compile); }),
            invalid + "the text of program is NULL, and 4 are given");
  program.code_size = 0;
  program.format_size = 4;
  EXPECT_THAT(told([&] { CALL(PJRT_Client_Compile, compile); }), HasSubstr("program's format is NULL"));
  program.format = "mlir";
  compile.compile_options_size = 9;
  EXPECT_THAT(told([&] { CALL(PJRT_Client_Compile, compile); }), HasSubstr("compile_options is NULL"));

  auto upload = args_of<PJRT_Client_CreateBuffersForAsyncHostToDevice_Args>();
  upload.client = client.get();
  upload.memory = client.memory(0);
  upload.num_shape_specs = 1;
  EXPECT_EQ(told([&] { CALL(PJRT_Client_CreateBuffersForAsyncHostToDevice, upload); }),
            invalid + "shape_specs is NULL, and 1 are given");
  const std::int64_t dimensions[] = {3, 5};
  auto spec = args_of<PJRT_ShapeSpec>();
  spec.dims = dimensions;
  spec.num_dims = 2;
  spec.element_type = PJRT_Buffer_Type_F32;
  upload.shape_specs = &spec;
  CALL(PJRT_Client_CreateBuffersForAsyncHostToDevice, upload);
  const AsyncHostToDeviceTransferManager manager(upload.transfer_manager);
  auto data = args_of<PJRT_AsyncHostToDeviceTransferManager_TransferData_Args>();
  data.transfer_manager = manager.get();
  data.transfer_size = 60;
  EXPECT_EQ(told([&] { CALL(PJRT_AsyncHostToDeviceTransferManager_TransferData, data); }),
            invalid + "f32[3,5]{1,0:T(4,128)}: data is NULL, and 60 are given");
  auto literal = args_of<PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args>();
  literal.transfer_manager = manager.get();
  literal.shape_dims = dimensions;
  literal.shape_num_dims = 2;
  literal.shape_element_type = PJRT_Buffer_Type_F32;
  EXPECT_THAT(told([&] { CALL(PJRT_AsyncHostToDeviceTransferManager_TransferLiteral, literal); }),
              HasSubstr("f32[3,5]{1,0:T(4,128)}: data is NULL"));
}

TEST(Devices, AreDescribed) {
  const Client client(Client::Options{{"devices", "tpu:v5e,cpu,tpu:v4"}});
  ASSERT_EQ(client.device_count(), 3u);
  EXPECT_EQ(ASK_TEXT(PJRT_Client_PlatformName, client, client.get(), platform_name), "xlashape");
  EXPECT_THAT(ASK_TEXT(PJRT_Client_PlatformVersion, client, client.get(), platform_version), HasSubstr("xlashape "));
  EXPECT_EQ(ASK(PJRT_Client_ProcessIndex, client, client.get(), process_index), 0);
  EXPECT_EQ(ASK(PJRT_Client_AddressableDevices, client, client.get(), num_addressable_devices), 3u);
  EXPECT_EQ(ASK(PJRT_Client_AddressableMemories, client, client.get(), num_addressable_memories), 3u);
  auto attributes = args_of<PJRT_Plugin_Attributes_Args>();
  CALL(PJRT_Plugin_Attributes, attributes);
  EXPECT_EQ(attributes.num_attributes, 2u);
  PJRT_TopologyDescription* const topology = ASK(PJRT_Client_TopologyDescription, client, client.get(), topology);
  EXPECT_EQ(ASK_TEXT(PJRT_TopologyDescription_PlatformName, topology, topology, platform_name), "xlashape");
  const auto descriptions = ASK(PJRT_TopologyDescription_GetDeviceDescriptions, topology, topology, descriptions);
  const Bytes bytes(40, 7);
  for (std::size_t i = 0; i < 3; ++i) {
    PJRT_Device* const device = client.device(i);
    PJRT_DeviceDescription* const description = ASK(PJRT_Device_GetDescription, device, device, device_description);
    EXPECT_EQ(ASK(PJRT_DeviceDescription_Id, device_description, description, id), static_cast<int>(i));
    const std::string kind = (const char*[]){"tpu:v5e", "cpu", "tpu:v4"}[i];
    EXPECT_EQ(ASK_TEXT(PJRT_DeviceDescription_Kind, device_description, description, device_kind), kind);
    EXPECT_EQ(ASK_TEXT(PJRT_DeviceDescription_Kind, device_description, descriptions[i], device_kind), kind);
    const std::string text = "xlashape:" + std::to_string(i) + ' ' + kind;
    EXPECT_EQ(ASK_TEXT(PJRT_DeviceDescription_ToString, device_description, description, to_string), text);
    EXPECT_EQ(ASK_TEXT(PJRT_DeviceDescription_DebugString, device_description, description, debug_string), text);
    EXPECT_EQ(ASK(PJRT_DeviceDescription_Attributes, device_description, description, num_attributes), 2u);
    EXPECT_EQ(ASK(PJRT_Device_GetAttributes, device, device, num_attributes), 2u);
    EXPECT_TRUE(ASK(PJRT_Device_IsAddressable, device, device, is_addressable));

    PJRT_Memory* const memory = client.memory(i);
    EXPECT_EQ(ASK(PJRT_Device_AddressableMemories, device, device, memories)[0], memory);
    EXPECT_EQ(ASK(PJRT_Memory_Id, memory, memory, id), static_cast<int>(i));
    EXPECT_EQ(ASK_TEXT(PJRT_Memory_Kind, memory, memory, kind), "device");
    EXPECT_EQ(ASK_TEXT(PJRT_Memory_ToString, memory, memory, to_string), "memory of " + text);
    EXPECT_EQ(ASK(PJRT_Memory_AddressableByDevices, memory, memory, devices)[0], device);
    // An array that is put there by its memory.
    const std::int64_t dimensions[] = {40};
    auto put = args_of<PJRT_Client_BufferFromHostBuffer_Args>();
    put.client = client.get();
    put.data = bytes.data();
    put.type = PJRT_Buffer_Type_U8;
    put.dims = dimensions;
    put.num_dims = 1;
    put.memory = memory;
    put.device = client.device((i + 1) % 3);
    EXPECT_THAT(told([&] { CALL(PJRT_Client_BufferFromHostBuffer, put); }), HasSubstr("the memory is that of " + text));
    put.device = nullptr;
    CALL(PJRT_Client_BufferFromHostBuffer, put);
    const Event done(put.done_with_host_buffer);
    const Buffer buffer(put.buffer);
    EXPECT_EQ(ASK(PJRT_Buffer_Memory, buffer, buffer.get(), memory), memory);
    EXPECT_EQ(ASK(PJRT_Buffer_Device, buffer, buffer.get(), device), device);
    EXPECT_NE(pointer_of(buffer.get()), 0u);
    EXPECT_EQ(get(buffer.get(), Shape::parse("u8[40]")), bytes);

    // What a client attaches to a memory is given back, and destroyed with it.
    static int destroyed;
    destroyed = 0;
    static const int key = 0;
    int value = 0, other = 0;
    const auto destroy = [](void*) { ++destroyed; };
    EXPECT_EQ(memory->vtable->get_user_data(memory, &key), nullptr);
    memory->vtable->set_user_data(memory, &key, &value, destroy);
    EXPECT_EQ(memory->vtable->get_user_data(memory, &key), &value);
    memory->vtable->set_user_data(memory, &key, &other, nullptr);
    EXPECT_EQ(destroyed, 1);
  }
  auto lookup = args_of<PJRT_Client_LookupDevice_Args>();
  lookup.client = client.get();
  lookup.id = 3;
  EXPECT_THAT(told([&] { CALL(PJRT_Client_LookupDevice, lookup); }),
              HasSubstr(code(PJRT_Error_Code_NOT_FOUND) + "there is no device 3"));
  lookup.id = 2;
  CALL(PJRT_Client_LookupDevice, lookup);
  EXPECT_EQ(lookup.device, client.device(2));
}

TEST(Topology, SaysTheLayoutsWithoutAClient) {
  auto create = args_of<PJRT_TopologyDescription_Create_Args>();
  create.topology_name = "tpu:v5e,cpu";
  create.topology_name_size = 11;
  CALL(PJRT_TopologyDescription_Create, create);
  const TopologyDescription topology(create.topology);
  auto serialize = args_of<PJRT_TopologyDescription_Serialize_Args>();
  serialize.topology = topology.get();
  CALL(PJRT_TopologyDescription_Serialize, serialize);
  auto again = args_of<PJRT_TopologyDescription_Deserialize_Args>();
  again.serialized_topology = serialize.serialized_bytes;
  again.serialized_topology_size = serialize.serialized_bytes_size;
  CALL(PJRT_TopologyDescription_Deserialize, again);
  const TopologyDescription copy(again.topology);
  serialize.serialized_topology_deleter(serialize.serialized_topology);
  auto descriptions = args_of<PJRT_TopologyDescription_GetDeviceDescriptions_Args>();
  descriptions.topology = copy.get();
  CALL(PJRT_TopologyDescription_GetDeviceDescriptions, descriptions);
  EXPECT_EQ(descriptions.num_descriptions, 2u);
  const std::int64_t dimensions[] = {1000, 3};
  auto layout = args_of<PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args>();
  layout.topology_description = copy.get();
  layout.type = PJRT_Buffer_Type_F32;
  layout.dims = dimensions;
  layout.num_dims = 2;
  check(layouts().PJRT_Layouts_PJRT_Topology_GetDefaultLayout(&layout));
  EXPECT_EQ(text_of(layout.layout), "{0,1:T(4,128)}");
  layout.type = PJRT_Buffer_Type_TOKEN;
  EXPECT_THAT(told([&] { check(layouts().PJRT_Layouts_PJRT_Topology_GetDefaultLayout(&layout)); }),
              HasSubstr("no element type"));
}

TEST(Layouts, AsPjrtHasThem) {
  const Client client(Client::Options{{"devices", "tpu:v5e,cpu"}});
  const std::int64_t dimensions[] = {1000, 3};
  auto args = args_of<PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args>();
  args.client = client.get();
  args.type = PJRT_Buffer_Type_BF16;
  args.dims = dimensions;
  args.num_dims = 2;
  check(layouts().PJRT_Layouts_PJRT_Client_GetDefaultLayout(&args));
  EXPECT_EQ(text_of(args.layout), "{0,1:T(4,128)(2,1)}");
  const Bytes bytes(6000);
  const Buffer buffer = client.put(bytes.data(), Shape::parse("bf16[1000,3]"), {}, 0);
  EXPECT_EQ(layout_of(buffer.get()), "{0,1:T(4,128)(2,1)}");
  const auto is_on_cpu = [](PJRT_Buffer* of) { return ASK(PJRT_Buffer_IsOnCpu, buffer, of, is_on_cpu); };
  EXPECT_FALSE(is_on_cpu(buffer.get()));  // tiles: nobody may read it by strides
  EXPECT_TRUE(is_on_cpu(client.copy(buffer.get(), 1).get()));
  const Buffer packed = client.put(bytes.data(), Shape::parse("s4[1]"), {}, 1);  // one byte, as on the host, but E(4)
  EXPECT_FALSE(is_on_cpu(packed.get()));
}

TEST(Errors, NameTheShapeAndWriteNothing) {
  const Client client(Client::Options{{"devices", "tpu:v5e"}});
  const Shape shape = Shape::parse("f32[3,5]");
  const Bytes bytes(60, 1);
  EXPECT_THAT(told([&] { client.put(bytes.data(), shape, {4}, 0); }),
              HasSubstr("f32[3,5]{1,0:T(4,128)}: 1 byte strides"));
  EXPECT_THAT(told([&] { client.put(nullptr, shape, {}, 0); }), HasSubstr("data is NULL"));
  const auto unknown = static_cast<PJRT_HostBufferSemantics>(4);
  EXPECT_THAT(told([&] { client.put(bytes.data(), shape, {}, 0, unknown); }),
              HasSubstr("there are no host buffer semantics 4"));
  EXPECT_THAT(told([&] { client.put(bytes.data(), Shape::parse("f32[9223372036854775807,1]"), {}, 0); }),
              HasSubstr("f32[9223372036854775807,1]"));
  EXPECT_THAT(told([&] { client.put(bytes.data(), Shape::parse("f32[1000000,1000000]"), {}, 0); }),
              HasSubstr(code(PJRT_Error_Code_RESOURCE_EXHAUSTED)));
  const Buffer buffer = client.put(bytes.data(), shape, {}, 0);
  auto to_host = args_of<PJRT_Buffer_ToHostBuffer_Args>();
  to_host.src = buffer.get();
  Bytes out(60, 0xcc);
  to_host.dst = out.data();
  to_host.dst_size = 59;
  EXPECT_THAT(told([&] { CALL(PJRT_Buffer_ToHostBuffer, to_host); }),
              HasSubstr("f32[3,5]{1,0:T(4,128)}: dst has 59 bytes, 60 are wanted"));
  EXPECT_EQ(out, Bytes(60, 0xcc));
  MemoryLayout wrong(Shape::parse("f32[3,5,2]"));
  to_host.dst_size = 60;
  to_host.host_layout = wrong.get();
  EXPECT_THAT(told([&] { CALL(PJRT_Buffer_ToHostBuffer, to_host); }), HasSubstr("rank 2"));
  EXPECT_EQ(out, Bytes(60, 0xcc));
  // Strides of the host: none may reach in front of dst, and elements may not overlap; the size is asked with dst NULL.
  PJRT_Buffer_MemoryLayout strided = {};
  strided.type = PJRT_Buffer_MemoryLayout_Type_Strides;
  std::int64_t strides[] = {-20, 4};
  strided.strides.byte_strides = strides;
  strided.strides.num_byte_strides = 2;
  to_host.host_layout = &strided;
  for (void* const dst : {static_cast<void*>(out.data()), static_cast<void*>(nullptr)}) {
    to_host.dst = dst;
    strides[0] = -20;
    EXPECT_THAT(told([&] { CALL(PJRT_Buffer_ToHostBuffer, to_host); }), HasSubstr("in front of dst"));
    strides[0] = 2;
    EXPECT_NE(told([&] { CALL(PJRT_Buffer_ToHostBuffer, to_host); }), "OK");
  }
  EXPECT_EQ(out, Bytes(60, 0xcc));
  strides[0] = 24;
  CALL(PJRT_Buffer_ToHostBuffer, to_host);
  EXPECT_EQ(to_host.dst_size, 68u);
  const std::string out_of_range = code(PJRT_Error_Code_OUT_OF_RANGE) + "f32[3,5]{1,0:T(4,128)} has 2048 bytes";
  for (const std::int64_t offset : {-4, 2041, 2049})
    EXPECT_THAT(told([&] { raw(buffer.get(), offset, 8); }), HasSubstr(out_of_range)) << offset;
  EXPECT_EQ(raw(buffer.get(), 2048, 0).size(), 0u);
  EXPECT_EQ(raw(buffer.get(), 5, 3).size(), 3u);
  EXPECT_FALSE(ASK(PJRT_Buffer_IsDeleted, buffer, buffer.get(), is_deleted));
  delete_array(buffer.get());
  EXPECT_TRUE(ASK(PJRT_Buffer_IsDeleted, buffer, buffer.get(), is_deleted));
  to_host.host_layout = nullptr;
  to_host.dst = out.data();
  to_host.dst_size = 60;
  EXPECT_THAT(told([&] { CALL(PJRT_Buffer_ToHostBuffer, to_host); }),
              HasSubstr("f32[3,5]{1,0:T(4,128)}: the buffer was deleted"));
  for (const std::string& what :
       {told([&] { client.copy(buffer.get(), 0); }), told([&] { client.copy_to_memory(buffer.get(), 0); })})
    EXPECT_THAT(what, HasSubstr(code(PJRT_Error_Code_FAILED_PRECONDITION) + "f32[3,5]{1,0:T(4,128)}: the buffer was"));
  auto type = args_of<PJRT_Client_BufferFromHostBuffer_Args>();
  type.client = client.get();
  type.data = bytes.data();
  type.device = client.device(0);
  for (const int number : {0, 23, 34, -1}) {
    type.type = static_cast<PJRT_Buffer_Type>(number);
    EXPECT_THAT(told([&] { CALL(PJRT_Client_BufferFromHostBuffer, type); }),
                HasSubstr("PJRT_Buffer_Type " + std::to_string(number) + " is no element type"));
  }
  EXPECT_EQ(client.stats(0).bytes_in_use, 0);

  // The error of a buffer is that of everything made from it.
  auto create = args_of<PJRT_Client_CreateErrorBuffer_Args>();
  create.client = client.get();
  create.error_code = PJRT_Error_Code_ABORTED;
  create.error_message = "lost on the way";
  create.error_message_size = 15;
  const std::int64_t dimensions[] = {3, 5};
  create.shape_dims = dimensions;
  create.shape_num_dims = 2;
  create.shape_element_type = PJRT_Buffer_Type_F32;
  create.memory = client.memory(0);
  CALL(PJRT_Client_CreateErrorBuffer, create);
  const Buffer failed(create.buffer);
  const std::string expected = code(PJRT_Error_Code_ABORTED) + "lost on the way";
  EXPECT_EQ(told([&] { await(ready_event(failed.get()).get()); }), expected);
  EXPECT_EQ(told([&] { get(failed.get(), shape); }), expected);
  EXPECT_EQ(told([&] { client.copy(failed.get(), 0); }), expected);
}

// Clients come and go; each ends its threads.
int thread_count() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("Threads:", 0) == 0) return std::stoi(line.substr(8));
  return 0;
}

TEST(Clients, ComeAndGo) {
  const Bytes bytes(60);
  const int before = thread_count();
  for (int i = 0; i < 50; ++i) {
    const Client client(Client::Options{{"devices", "tpu:v5e"}, {"threads", "3"}});
    const Buffer buffer = client.put(bytes.data(), Shape::parse("f32[3,5]"), {}, 0);
  }
  EXPECT_EQ(thread_count(), before);
}

}  // namespace
