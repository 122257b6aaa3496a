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
  const auto refused = [](const char* name, const char* value) {
    return told([&] { Client client(Client::Options{{name, value}}); });
  };
  EXPECT_THAT(refused("device", "tpu:v5e"), HasSubstr("there is no option device"));
  EXPECT_THAT(refused("devices", "tpu:v5e,tpu:v1"), HasSubstr("tpu:v1"));
  EXPECT_THAT(refused("devices", ""), HasSubstr("devices ''"));
  EXPECT_THAT(refused("devices", "cpu@"), HasSubstr("no backend is named"));
  EXPECT_THAT(refused("devices", "cpu@nosuch"), HasSubstr("there is no backend nosuch"));
  EXPECT_THAT(refused("devices", "cpu@simd"), HasSubstr("simd"));
  EXPECT_THAT(refused("devices", "cpu@nosuch/x"), HasSubstr("is no number: 'x'"));
  EXPECT_THAT(refused("devices", "cpu@nosuch/99999999999"), HasSubstr("the backend's device is 99999999999"));
  EXPECT_THAT(refused("memory_bytes", "-1"), HasSubstr("memory_bytes is -1, and must be between 0 and"));
  EXPECT_THAT(refused("memory_bytes", "1e9"), HasSubstr("is no number: '1e9'"));
  EXPECT_THAT(refused("threads", "99999999999999999999"), HasSubstr("is no number"));
  EXPECT_THAT(refused("threads", "257"), HasSubstr("threads is 257, and must be between 0 and 256"));
  EXPECT_THAT(refused("backend_files", "/nosuch.so"), HasSubstr("/nosuch.so"));
}

// Lists and texts that are not there, and are said to hold something.
TEST(Options, MayBeNull) {
  const auto create = [](const PJRT_NamedValue* options, std::size_t count) {
    return told([&] {
      auto args = args_of<PJRT_Client_Create_Args>();
      args.create_options = options;
      args.num_options = count;
      CALL(PJRT_Client_Create, args);
      auto destroy = args_of<PJRT_Client_Destroy_Args>();
      destroy.client = args.client;
      CALL(PJRT_Client_Destroy, destroy);
    });
  };
  const std::string invalid = code(PJRT_Error_Code_INVALID_ARGUMENT);
  EXPECT_EQ(create(nullptr, 0), "OK");
  EXPECT_EQ(create(nullptr, 3), invalid + "create_options is NULL, and 3 are given");
  PJRT_NamedValue option = args_of<PJRT_NamedValue>();
  option.type = PJRT_NamedValue_kString;
  EXPECT_THAT(create(&option, 1), HasSubstr(invalid + "there is no option : devices, backend_files"));
  option.name_size = 7;
  EXPECT_EQ(create(&option, 1), invalid + "the text of create_options[0].name is NULL, and 7 are given");
  option.name = "devices";
  EXPECT_THAT(create(&option, 1), HasSubstr("devices '': no target is called ''"));
  option.value_size = 3;
  EXPECT_EQ(create(&option, 1), invalid + "the text of option devices is NULL, and 3 are given");

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

  auto memory = args_of<PJRT_Device_DefaultMemory_Args>();
  memory.device = client.device(0);
  CALL(PJRT_Device_DefaultMemory, memory);
  auto upload = args_of<PJRT_Client_CreateBuffersForAsyncHostToDevice_Args>();
  upload.client = client.get();
  upload.memory = memory.memory;
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
  for (std::size_t i = 0; i < 3; ++i) {
    auto description = args_of<PJRT_Device_GetDescription_Args>();
    description.device = client.device(i);
    CALL(PJRT_Device_GetDescription, description);
    auto id = args_of<PJRT_DeviceDescription_Id_Args>();
    id.device_description = description.device_description;
    CALL(PJRT_DeviceDescription_Id, id);
    EXPECT_EQ(id.id, static_cast<int>(i));
    auto kind = args_of<PJRT_DeviceDescription_Kind_Args>();
    kind.device_description = description.device_description;
    CALL(PJRT_DeviceDescription_Kind, kind);
    const char* const kinds[] = {"tpu:v5e", "cpu", "tpu:v4"};
    EXPECT_EQ(std::string(kind.device_kind, kind.device_kind_size), kinds[i]);
    auto memory = args_of<PJRT_Device_DefaultMemory_Args>();
    memory.device = client.device(i);
    CALL(PJRT_Device_DefaultMemory, memory);
    // What a client attaches to a memory is given back, and destroyed with it.
    static int destroyed;
    destroyed = 0;
    static const int key = 0;
    int value = 0, other = 0;
    const auto destroy = [](void*) { ++destroyed; };
    EXPECT_EQ(memory.memory->vtable->get_user_data(memory.memory, &key), nullptr);
    memory.memory->vtable->set_user_data(memory.memory, &key, &value, destroy);
    EXPECT_EQ(memory.memory->vtable->get_user_data(memory.memory, &key), &value);
    memory.memory->vtable->set_user_data(memory.memory, &key, &other, nullptr);
    EXPECT_EQ(destroyed, 1);
  }
  auto lookup = args_of<PJRT_Client_LookupDevice_Args>();
  lookup.client = client.get();
  lookup.id = 3;
  EXPECT_THAT(told([&] { CALL(PJRT_Client_LookupDevice, lookup); }), HasSubstr("there is no device 3"));
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
  auto layout = args_of<PJRT_Buffer_GetMemoryLayout_Args>();
  layout.buffer = buffer.get();
  CALL(PJRT_Buffer_GetMemoryLayout, layout);
  EXPECT_EQ(xlashape::try_layout_from_pjrt(&layout.layout, xlashape::ElementType::kBF16, Numbers{1000, 3})
                .value()
                .to_string(),
            "{0,1:T(4,128)(2,1)}");
  auto on_cpu = args_of<PJRT_Buffer_IsOnCpu_Args>();
  on_cpu.buffer = buffer.get();
  CALL(PJRT_Buffer_IsOnCpu, on_cpu);
  EXPECT_FALSE(on_cpu.is_on_cpu);  // tiles: nobody may read it by strides
  const Buffer row_major = client.copy(buffer.get(), 1);
  on_cpu.buffer = row_major.get();
  CALL(PJRT_Buffer_IsOnCpu, on_cpu);
  EXPECT_TRUE(on_cpu.is_on_cpu);
  const Buffer packed = client.put(bytes.data(), Shape::parse("s4[1]"), {}, 1);  // one byte, as on the host, but E(4)
  on_cpu.buffer = packed.get();
  CALL(PJRT_Buffer_IsOnCpu, on_cpu);
  EXPECT_FALSE(on_cpu.is_on_cpu);
}

TEST(Errors, NameTheShapeAndWriteNothing) {
  const Client client(Client::Options{{"devices", "tpu:v5e"}});
  const Shape shape = Shape::parse("f32[3,5]");
  const Bytes bytes(60, 1);
  EXPECT_THAT(told([&] { client.put(bytes.data(), shape, {4}, 0); }),
              HasSubstr("f32[3,5]{1,0:T(4,128)}: 1 byte strides"));
  EXPECT_THAT(told([&] { client.put(nullptr, shape, {}, 0); }), HasSubstr("data is NULL"));
  const auto unknown = static_cast<PJRT_HostBufferSemantics>(4);
  EXPECT_THAT(told([&] { client.put(bytes.data(), shape, {}, 0, false, unknown); }),
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
  EXPECT_THAT(told([&] { raw(buffer.get(), 2049, 1); }), HasSubstr("f32[3,5]{1,0:T(4,128)} has 2048 bytes"));
  EXPECT_EQ(raw(buffer.get(), 2048, 0).size(), 0u);
  EXPECT_EQ(raw(buffer.get(), 5, 3).size(), 3u);
  delete_array(buffer.get());
  to_host.host_layout = nullptr;
  to_host.dst = out.data();
  to_host.dst_size = 60;
  EXPECT_THAT(told([&] { CALL(PJRT_Buffer_ToHostBuffer, to_host); }),
              HasSubstr("f32[3,5]{1,0:T(4,128)}: the buffer was deleted"));
  EXPECT_THAT(told([&] { client.copy(buffer.get(), 0); }), HasSubstr("was deleted"));
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
  auto memory = args_of<PJRT_Device_DefaultMemory_Args>();
  memory.device = client.device(0);
  CALL(PJRT_Device_DefaultMemory, memory);
  create.memory = memory.memory;
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
