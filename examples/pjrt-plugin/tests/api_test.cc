// The plugin through PJRT's C API alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <thread>

#include "arrays.h"

using testing::HasSubstr;
using xlashape::Shape;

namespace {

// What a call fails with: "CODE: message", or "OK".
std::string told(const std::function<void()>& call) {
  try {
    call();
    return "OK";
  } catch (const PjrtError& error) {
    return std::to_string(error.code) + ": " + error.what();
  }
}
std::string code(PJRT_Error_Code code) { return std::to_string(code) + ": "; }

Shape device_shape(PJRT_Buffer* buffer, const Shape& shape) {
  return shape.with_layout(xlashape::Layout::parse(layout_of(buffer)));
}

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
  EXPECT_THAT(refused("devices", "cpu@nosuch/99999999999"), HasSubstr("no such device"));
  EXPECT_THAT(refused("memory_bytes", "-1"), HasSubstr("memory_bytes is -1"));
  EXPECT_THAT(refused("memory_bytes", "1e9"), HasSubstr("is no number: '1e9'"));
  EXPECT_THAT(refused("threads", "99999999999999999999"), HasSubstr("is no number"));
  EXPECT_THAT(refused("backend_files", "/nosuch.so"), HasSubstr("/nosuch.so"));
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

// Random arrays of all types, in the device's layout and in layouts that the client asks for: what the device holds is
// compared with index maps; then they move to the other devices, and come back in layouts of the host.
TEST(Arrays, AreWhereTheIndexMapsSay) {
  const Client client(Client::Options{{"devices", "tpu:v5e,cpu,tpu:v4"}});
  const auto types = all_types();
  ASSERT_GE(types.size(), 30u);
  std::mt19937_64 random(20261124);
  int with_layout = 0, moved = 0, refused = 0;
  for (int i = 0; i < 700; ++i) {
    const xlashape::ElementType type = types[static_cast<std::size_t>(i) % types.size()];
    const HostArray array = random_array(type, static_cast<std::size_t>(i / 3) % 7, random);
    const std::size_t on = random() % 3;
    const auto semantics = static_cast<PJRT_HostBufferSemantics>(random() % 4);
    Shape wanted = array.shape;
    const bool asks = random() % 2 == 0;
    if (asks) {
      const auto rank = static_cast<std::size_t>(array.shape.rank());
      xlashape::LayoutParts parts;
      for (std::size_t d = 0; d < rank; ++d) parts.minor_to_major.push_back(static_cast<std::int64_t>(d));
      std::shuffle(parts.minor_to_major.begin(), parts.minor_to_major.end(), random);
      if (rank > 0 && random() % 2 == 0) parts.tiles.push_back(rank > 1 ? Numbers{8, 4} : Numbers{16});
      if (!parts.tiles.empty() && random() % 2 == 0) parts.tiles.push_back({2, 1});
      wanted = wanted.with_layout(xlashape::Layout::of_parts(parts));
    }
    SCOPED_TRACE("array " + std::to_string(i) + ": " + wanted.to_string() + " on device " + std::to_string(on));
    Event done;
    Buffer buffer;
    try {
      buffer = client.put(array.data(), wanted, array.strides, on, asks, semantics, &done);
    } catch (const PjrtError& error) {  // a target without the type
      EXPECT_EQ(error.code, PJRT_Error_Code_UNIMPLEMENTED) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(wanted.to_string(XLASHAPE_PRINT_WITHOUT_LAYOUT)));
      ++refused;
      continue;
    }
    await(ready_event(buffer.get()).get());
    const Bytes expected = dense(array);
    const Shape on_device = device_shape(buffer.get(), array.shape);
    if (asks && wanted.layout().tile_count() > 0) {
      EXPECT_EQ(on_device.layout().tile_count(), wanted.layout().tile_count());
    } else {
      EXPECT_EQ(on_device.layout().minor_to_major(),
                asks ? wanted.layout().minor_to_major() : on_device.layout().minor_to_major());
    }
    with_layout += asks;
    ASSERT_EQ(device_bytes(buffer.get()), on_device.byte_size());
    ASSERT_EQ(raw(buffer.get()), stored(expected, on_device));
    ASSERT_EQ(get(buffer.get(), array.shape), expected);
    try {
      const Buffer other = client.copy(buffer.get(), (on + 1) % 3);
      const Shape there = device_shape(other.get(), array.shape);
      ASSERT_EQ(raw(other.get()), stored(expected, there)) << there.to_string();
      Numbers order(static_cast<std::size_t>(array.shape.rank()));
      for (std::size_t d = 0; d < order.size(); ++d) order[d] = static_cast<std::int64_t>(d);
      xlashape::LayoutParts columns;
      columns.minor_to_major = order;
      const Shape host = array.shape.with_layout(xlashape::Layout::of_parts(columns));
      ASSERT_EQ(get(other.get(), host), stored(expected, host));
      ++moved;
    } catch (const PjrtError& error) {
      EXPECT_EQ(error.code, PJRT_Error_Code_UNIMPLEMENTED) << error.what();
    }
  }
  EXPECT_GT(with_layout, 250);
  EXPECT_GT(moved, 400);
  EXPECT_LT(refused, 250);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(client.stats(i).bytes_in_use, 0);
}

// Sizes that are moved in the background and on several threads, one above and below the limit where that begins.
TEST(Arrays, OfRealSize) {
  const Client client(Client::Options{{"devices", "tpu:v5e,cpu"}, {"threads", "3"}});
  std::mt19937_64 random(7);
  for (const char* const text : {"s8[128,1024]", "s8[128,1023]", "s8[129,1024]", "f32[256,257]", "bf16[1000,1000]",
                                 "f32[2048,2049]", "s4[1024,4096]", "f32[64,8,16,129]", "f64[8388608]"}) {
    SCOPED_TRACE(text);
    const Shape shape = Shape::parse(text);
    Bytes bytes(static_cast<std::size_t>(shape.byte_size()));
    fill(bytes, shape.element_type(), random);
    for (const auto semantics : {PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
                                 PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes}) {
      Event done;
      const Buffer buffer = client.put(bytes.data(), shape, {}, 0, false, semantics, &done);
      const Buffer row_major = client.copy(buffer.get(), 1);  // follows the transfer, which may be under way
      const Buffer back = client.copy(row_major.get(), 0);
      await(done.get());
      ASSERT_EQ(get(row_major.get(), shape), bytes);
      ASSERT_EQ(raw(back.get()), raw(buffer.get()));
      ASSERT_EQ(get(back.get(), shape), bytes);
    }
  }
}

TEST(Events, CallBackOnce) {
  const Client client(Client::Options{{"devices", "tpu:v5e"}, {"threads", "2"}});
  const Shape shape = Shape::parse("f32[1024,4097]");
  const Bytes bytes(static_cast<std::size_t>(shape.byte_size()), 5);
  std::mutex mutex;
  std::condition_variable changed;
  struct State {
    std::mutex& mutex;
    std::condition_variable& changed;
    int calls = 0;
  } state{mutex, changed};
  Event done;
  const Buffer buffer =
      client.put(bytes.data(), shape, {}, 0, false, PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes, &done);
  for (int i = 0; i < 3; ++i) {
    Event event = ready_event(buffer.get());
    auto args = args_of<PJRT_Event_OnReady_Args>();
    args.event = event.get();
    args.user_arg = &state;
    args.callback = [](PJRT_Error* error, void* user) {
      auto& state = *static_cast<State*>(user);
      EXPECT_EQ(error, nullptr);
      const std::lock_guard lock(state.mutex);
      ++state.calls;
      state.changed.notify_all();
    };
    CALL(PJRT_Event_OnReady, args);
  }  // the events are gone before they are ready
  std::unique_lock lock(mutex);
  EXPECT_TRUE(changed.wait_for(lock, std::chrono::seconds(60), [&] { return state.calls == 3; }));
  lock.unlock();
  await(done.get());
  EXPECT_TRUE(is_ready(done.get()));

  // An event of the client's own: not ready, then an error that is told each time.
  auto create = args_of<PJRT_Event_Create_Args>();
  CALL(PJRT_Event_Create, create);
  const Event own(create.event);
  EXPECT_FALSE(is_ready(own.get()));
  auto error = args_of<PJRT_Event_Error_Args>();
  error.event = own.get();
  EXPECT_THAT(told([&] { CALL(PJRT_Event_Error, error); }), HasSubstr("not ready"));
  auto set = args_of<PJRT_Event_Set_Args>();
  set.event = own.get();
  set.error_code = PJRT_Error_Code_DATA_LOSS;
  set.error_message = "lost";
  set.error_message_size = 4;
  CALL(PJRT_Event_Set, set);
  EXPECT_THAT(told([&] { CALL(PJRT_Event_Set, set); }), HasSubstr("set before"));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(told([&] { await(own.get()); }), code(PJRT_Error_Code_DATA_LOSS) + "lost");
  EXPECT_EQ(told([&] { CALL(PJRT_Event_Error, error); }), code(PJRT_Error_Code_DATA_LOSS) + "lost");
}

std::uint64_t pointer_of(PJRT_Buffer* buffer) {
  auto args = args_of<PJRT_Buffer_UnsafePointer_Args>();
  args.buffer = buffer;
  CALL(PJRT_Buffer_UnsafePointer, args);
  return args.buffer_pointer;
}
void remove(PJRT_Buffer* buffer) {
  auto args = args_of<PJRT_Buffer_Delete_Args>();
  args.buffer = buffer;
  CALL(PJRT_Buffer_Delete, args);
}

// Memory of the host stays where it is when the device would store the same bytes; the host hears when it is free.
TEST(ZeroCopy, WhereTheLayoutAllowsIt) {
  const Client client(Client::Options{{"devices", "cpu,tpu:v5e"}});
  const Shape shape = Shape::parse("f32[3,5]");
  std::vector<float> data(16, 1.5f);
  const auto put = [&](const Shape& as, const Numbers& strides, std::size_t on, bool with_layout, Event* done,
                       int offset = 0) {
    return client.put(reinterpret_cast<const char*>(data.data()) + offset, as, strides, on, with_layout,
                      PJRT_HostBufferSemantics_kImmutableZeroCopy, done);
  };
  const auto address = reinterpret_cast<std::uintptr_t>(data.data());
  Event done;
  Buffer buffer = put(shape, {20, 4}, 0, false, &done);
  EXPECT_EQ(pointer_of(buffer.get()), address);
  EXPECT_FALSE(is_ready(done.get()));
  EXPECT_EQ(client.stats(0).bytes_in_use, 0);
  Buffer second = client.copy(buffer.get(), 0);
  EXPECT_NE(pointer_of(second.get()), address);
  // An external reference keeps the memory when the buffer is deleted.
  auto increase = args_of<PJRT_Buffer_IncreaseExternalReferenceCount_Args>();
  increase.buffer = buffer.get();
  CALL(PJRT_Buffer_IncreaseExternalReferenceCount, increase);
  remove(buffer.get());
  EXPECT_THAT(told([&] { pointer_of(buffer.get()); }), HasSubstr("f32[3,5]{1,0}: the buffer was deleted"));
  EXPECT_FALSE(is_ready(done.get()));
  auto decrease = args_of<PJRT_Buffer_DecreaseExternalReferenceCount_Args>();
  decrease.buffer = buffer.get();
  CALL(PJRT_Buffer_DecreaseExternalReferenceCount, decrease);
  EXPECT_TRUE(is_ready(done.get()));
  EXPECT_THAT(told([&] { CALL(PJRT_Buffer_DecreaseExternalReferenceCount, decrease); }),
              HasSubstr("no external reference"));

  // A column-major array for a column-major device layout; others are moved.
  const Shape columns = Shape::parse("f32[3,5]{0,1}");
  EXPECT_EQ(pointer_of(put(columns, {4, 12}, 0, true, &done).get()), address);
  EXPECT_NE(pointer_of(put(columns, {20, 4}, 0, true, &done).get()), address);
  EXPECT_NE(pointer_of(put(shape, {24, 4}, 0, false, &done).get()), address);                   // gaps
  EXPECT_NE(pointer_of(put(shape, {20, 4}, 1, false, &done).get()), address);                   // tiles
  EXPECT_NE(pointer_of(put(shape, {20, 4}, 0, false, &done, 2).get()), address + 2);            // not aligned
  EXPECT_NE(pointer_of(put(Shape::parse("s4[3,5]"), {5, 1}, 0, false, &done).get()), address);  // packed
}

TEST(Views, OfMemoryThatOthersOwn) {
  const Client client(Client::Options{{"devices", "cpu"}});
  const Shape shape = Shape::parse("f32[4,8]{1,0:T(2,4)}");
  std::vector<float> memory(32);
  for (std::size_t i = 0; i < 32; ++i) memory[i] = static_cast<float>(i);
  const Numbers dimensions = shape.dimensions();
  int released = 0;
  auto args = args_of<PJRT_Client_CreateViewOfDeviceBuffer_Args>();
  args.client = client.get();
  args.device_buffer_ptr = memory.data();
  args.dims = dimensions.data();
  args.num_dims = 2;
  args.element_type = PJRT_Buffer_Type_F32;
  MemoryLayout layout(shape);
  args.layout = layout.get();
  args.device = client.device(0);
  args.on_delete_callback = [](void*, void* user) { ++*static_cast<int*>(user); };
  args.on_delete_callback_arg = &released;
  CALL(PJRT_Client_CreateViewOfDeviceBuffer, args);
  Buffer view(args.buffer);
  const Bytes out = get(view.get(), Shape::parse("f32[4,8]"));
  float value = 0;
  std::memcpy(&value, out.data() + 4 * (1 * 8 + 2), 4);
  EXPECT_EQ(value, 6.0f);
  EXPECT_EQ(released, 0);
  view.reset();
  EXPECT_EQ(released, 1);
  const std::int64_t three[] = {4, 8, 1};  // for a layout of two dimensions
  args.dims = three;
  args.num_dims = 3;
  EXPECT_NE(told([&] { CALL(PJRT_Client_CreateViewOfDeviceBuffer, args); }), "OK");
  args.dims = dimensions.data();
  EXPECT_EQ(released, 1);

  // As DLPack: the shape of a buffer that strides can say, and a view of the same memory, row-major.
  const Shape plain = Shape::parse("f32[4,8]");
  const Buffer buffer = client.put(memory.data(), plain, {}, 0);
  const auto tensor =
      xlashape::try_to_dlpack(device_shape(buffer.get(), plain), 0, reinterpret_cast<void*>(pointer_of(buffer.get())))
          .value();
  EXPECT_EQ(xlashape::from_dlpack(tensor.get()), plain);
  args.num_dims = 2;
  args.layout = nullptr;
  args.device_buffer_ptr = reinterpret_cast<void*>(pointer_of(buffer.get()));
  CALL(PJRT_Client_CreateViewOfDeviceBuffer, args);
  view.reset(args.buffer);
  EXPECT_EQ(get(view.get(), plain), get(buffer.get(), plain));
}

TEST(Memory, IsCountedAndLimited) {
  const Client client(Client::Options{{"devices", "tpu:v5e,cpu"}, {"memory_bytes", "100000"}});
  const Shape shape = Shape::parse("f32[3,5]");
  const Bytes bytes(60);
  std::vector<Buffer> buffers;
  while (client.stats(0).bytes_in_use + 4096 <= 100000) buffers.push_back(client.put(bytes.data(), shape, {}, 0));
  const auto stats = client.stats(0);
  EXPECT_EQ(stats.bytes_in_use, static_cast<std::int64_t>(buffers.size()) * device_bytes(buffers[0].get()));
  EXPECT_EQ(stats.peak_bytes_in_use, stats.bytes_in_use);
  EXPECT_EQ(stats.num_allocs, static_cast<std::int64_t>(buffers.size()));
  EXPECT_EQ(stats.bytes_limit, 100000);
  const std::string refused = told([&] {
    for (int i = 0; i < 3; ++i) buffers.push_back(client.put(bytes.data(), shape, {}, 0));
  });
  EXPECT_THAT(refused, HasSubstr(code(PJRT_Error_Code_RESOURCE_EXHAUSTED) +
                                 "f32[3,5]{1,0:T(4,128)}: the device has no more memory"));
  buffers.clear();
  EXPECT_EQ(client.stats(0).bytes_in_use, 0);
  EXPECT_GE(client.stats(0).peak_bytes_in_use, stats.bytes_in_use);
  auto clear = args_of<PJRT_Device_ClearMemoryStats_Args>();
  clear.device = client.device(0);
  CALL(PJRT_Device_ClearMemoryStats, clear);
  EXPECT_EQ(client.stats(0).peak_bytes_in_use, 0);
  // Each device has its own.
  const Buffer other = client.put(bytes.data(), shape, {}, 1);
  EXPECT_EQ(client.stats(0).bytes_in_use, 0);
  EXPECT_EQ(client.stats(1).bytes_in_use, 60);
  // An older client's struct ends earlier.
  PJRT_Device_MemoryStats_Args old;
  std::memset(&old, 0xaa, sizeof old);
  old.struct_size = offsetof(PJRT_Device_MemoryStats_Args, bytes_reserved);
  old.device = client.device(1);
  CALL(PJRT_Device_MemoryStats, old);
  EXPECT_EQ(old.bytes_in_use, 60);
  EXPECT_EQ(static_cast<unsigned char>(reinterpret_cast<char*>(&old)[old.struct_size]), 0xaa);
}

TEST(Errors, NameTheShapeAndWriteNothing) {
  const Client client(Client::Options{{"devices", "tpu:v5e"}});
  const Shape shape = Shape::parse("f32[3,5]");
  const Bytes bytes(60, 1);
  EXPECT_THAT(told([&] { client.put(bytes.data(), shape, {4}, 0); }),
              HasSubstr("f32[3,5]{1,0:T(4,128)}: 1 byte strides"));
  EXPECT_THAT(told([&] { client.put(nullptr, shape, {}, 0); }), HasSubstr("data is NULL"));
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
  remove(buffer.get());
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

AsyncHostToDeviceTransferManager upload(const Client& client, const Shape& shape, std::size_t count) {
  const Numbers dimensions = shape.dimensions();
  std::vector<PJRT_ShapeSpec> specs(
      count, {sizeof(PJRT_ShapeSpec), nullptr, dimensions.data(), dimensions.size(), pjrt_type(shape.element_type())});
  auto create = args_of<PJRT_Client_CreateBuffersForAsyncHostToDevice_Args>();
  create.client = client.get();
  create.shape_specs = specs.data();
  create.num_shape_specs = count;
  auto memory = args_of<PJRT_Device_DefaultMemory_Args>();
  memory.device = client.device(0);
  CALL(PJRT_Device_DefaultMemory, memory);
  create.memory = memory.memory;
  CALL(PJRT_Client_CreateBuffersForAsyncHostToDevice, create);
  return AsyncHostToDeviceTransferManager(create.transfer_manager);
}

// The last piece to come ends long before one that came earlier.
TEST(Uploads, AreReadyWhenAllPiecesHaveEnded) {
  const Client client(Client::Options{{"devices", "cpu"}, {"threads", "3"}});
  const Shape shape = Shape::parse("f32[4096,1000]");
  Bytes bytes(static_cast<std::size_t>(shape.byte_size()));
  std::mt19937_64 random(4);
  fill(bytes, shape.element_type(), random);
  for (int round = 0; round < 5; ++round) {
    const AsyncHostToDeviceTransferManager manager = upload(client, shape, 1);
    auto retrieve = args_of<PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args>();
    retrieve.transfer_manager = manager.get();
    CALL(PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer, retrieve);
    const Buffer buffer(retrieve.buffer_out);
    std::vector<Event> events;
    const auto total = static_cast<std::int64_t>(bytes.size());
    for (const std::int64_t begin : {std::int64_t{0}, total - 1}) {
      auto transfer = args_of<PJRT_AsyncHostToDeviceTransferManager_TransferData_Args>();
      transfer.transfer_manager = manager.get();
      transfer.offset = begin;
      transfer.transfer_size = begin == 0 ? total - 1 : 1;
      transfer.data = bytes.data() + begin;
      transfer.is_last_transfer = begin != 0;
      CALL(PJRT_AsyncHostToDeviceTransferManager_TransferData, transfer);
      events.emplace_back(transfer.done_with_h2d_transfer);
    }
    ASSERT_EQ(get(buffer.get(), shape), bytes);
    for (const Event& event : events) await(event.get());
  }
}

TEST(Uploads, InPieces) {
  const Client client(Client::Options{{"devices", "tpu:v5e"}, {"threads", "3"}});
  const Shape shape = Shape::parse("f32[512,1000]");
  std::mt19937_64 random(3);
  Bytes bytes(static_cast<std::size_t>(shape.byte_size()));
  fill(bytes, shape.element_type(), random);
  const Numbers dimensions = shape.dimensions();
  AsyncHostToDeviceTransferManager manager = upload(client, shape, 3);
  std::vector<Buffer> buffers;
  for (int i = 0; i < 3; ++i) {
    auto retrieve = args_of<PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args>();
    retrieve.transfer_manager = manager.get();
    retrieve.buffer_index = i;
    CALL(PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer, retrieve);
    buffers.emplace_back(retrieve.buffer_out);
    EXPECT_FALSE(is_ready(ready_event(buffers.back().get()).get()));
    EXPECT_THAT(told([&] { CALL(PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer, retrieve); }),
                HasSubstr("retrieved before"));
  }
  // Buffer 0: the device's bytes in pieces, while a copy of it already waits. Buffer 1: a literal. Buffer 2: never.
  const Buffer waiting = client.copy(buffers[0].get(), 0);
  const Bytes on_device = stored(bytes, device_shape(buffers[0].get(), shape));
  std::vector<Event> events;
  constexpr std::int64_t kPieces = 7;
  const auto total = static_cast<std::int64_t>(on_device.size());
  for (std::int64_t i = 0; i < kPieces; ++i) {
    auto transfer = args_of<PJRT_AsyncHostToDeviceTransferManager_TransferData_Args>();
    transfer.transfer_manager = manager.get();
    transfer.offset = total * i / kPieces;
    transfer.transfer_size = total * (i + 1) / kPieces - transfer.offset;
    transfer.data = on_device.data() + transfer.offset;
    transfer.is_last_transfer = i == kPieces - 1;
    CALL(PJRT_AsyncHostToDeviceTransferManager_TransferData, transfer);
    events.emplace_back(transfer.done_with_h2d_transfer);
  }
  auto late = args_of<PJRT_AsyncHostToDeviceTransferManager_TransferData_Args>();
  late.transfer_manager = manager.get();
  late.data = on_device.data();
  EXPECT_THAT(told([&] { CALL(PJRT_AsyncHostToDeviceTransferManager_TransferData, late); }),
              HasSubstr("its last transfer has come"));
  late.buffer_index = 3;
  EXPECT_THAT(told([&] { CALL(PJRT_AsyncHostToDeviceTransferManager_TransferData, late); }),
              HasSubstr("there is no buffer 3"));
  late.buffer_index = 1;
  late.offset = total - 1;
  late.transfer_size = 2;
  EXPECT_THAT(told([&] { CALL(PJRT_AsyncHostToDeviceTransferManager_TransferData, late); }),
              HasSubstr("there are no 2 from"));
  auto literal = args_of<PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args>();
  literal.transfer_manager = manager.get();
  literal.buffer_index = 1;
  literal.data = bytes.data();
  literal.shape_dims = dimensions.data();
  literal.shape_num_dims = 2;
  literal.shape_element_type = PJRT_Buffer_Type_F32;
  CALL(PJRT_AsyncHostToDeviceTransferManager_TransferLiteral, literal);
  events.emplace_back(literal.done_with_h2d_transfer);
  for (const Event& event : events) await(event.get());
  EXPECT_EQ(get(waiting.get(), shape), bytes);
  EXPECT_EQ(get(buffers[1].get(), shape), bytes);
  manager.reset();
  EXPECT_THAT(told([&] { get(buffers[2].get(), shape); }),
              HasSubstr("its transfer manager went before its bytes had come"));
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

// Many threads, each with its own arrays, on shared devices and plans that nobody has made yet.
TEST(Threads, SixteenAtOnce) {
  const Client client(Client::Options{{"devices", "tpu:v5e,cpu"}, {"threads", "4"}});
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t)
    threads.emplace_back([&, t] {
      std::mt19937_64 random(static_cast<std::uint64_t>(t / 2));  // pairs ask for the same plans
      const auto types = all_types();
      for (int i = 0; i < 40; ++i) {
        const HostArray array = random_array(types[random() % types.size()], random() % 5, random);
        try {
          const Buffer buffer = client.put(array.data(), array.shape, array.strides, random() % 2);
          const Buffer other = client.copy(buffer.get(), random() % 2);
          if (get(other.get(), array.shape) != dense(array)) ++wrong;
        } catch (const PjrtError& error) {
          if (error.code != PJRT_Error_Code_UNIMPLEMENTED) ++wrong;
        }
      }
      const Shape shape = Shape::parse("f32[300,501]");
      Bytes bytes(static_cast<std::size_t>(shape.byte_size()));
      fill(bytes, shape.element_type(), random);
      const Buffer large =
          client.put(bytes.data(), shape, {}, 0, false, PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes);
      if (get(client.copy(large.get(), 1).get(), shape) != bytes) ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(client.stats(0).bytes_in_use, 0);
  EXPECT_EQ(client.stats(1).bytes_in_use, 0);
}

std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t pages = 0;
  file >> pages >> pages;
  return pages * 4096;
}

TEST(Memory, TenThousandTransfersDoNotGrow) {
  const Client client(Client::Options{{"devices", "tpu:v5e,cpu"}});
  const Shape shape = Shape::parse("f32[40,30]");
  Bytes bytes(static_cast<std::size_t>(shape.byte_size()));
  std::mt19937_64 random(1);
  fill(bytes, shape.element_type(), random);
  std::int64_t before = 0;
  for (int i = 0; i < 10000; ++i) {
    if (i == 2000) before = resident_bytes();
    const Buffer buffer = client.put(bytes.data(), shape, {}, static_cast<std::size_t>(i) % 2, false,
                                     static_cast<PJRT_HostBufferSemantics>(i % 4));
    const Buffer other = client.copy(buffer.get(), static_cast<std::size_t>(i / 2) % 2);
    ASSERT_EQ(get(other.get(), shape), bytes);
  }
  EXPECT_EQ(client.stats(0).bytes_in_use, 0);
  EXPECT_EQ(client.stats(1).bytes_in_use, 0);
  EXPECT_LT(resident_bytes() - before, 1 << 20);
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
