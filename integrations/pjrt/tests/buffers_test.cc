// SPDX-License-Identifier: Apache-2.0
// Buffers: their events, memory that belongs to others, what a device has, uploads in pieces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "arrays.h"

using testing::HasSubstr;
using xlashape::Shape;

namespace {

void on_ready(const Event& event, PJRT_Event_OnReadyCallback callback, void* user) {
  auto args = args_of<PJRT_Event_OnReady_Args>();
  args.event = event.get();
  args.callback = callback;
  args.user_arg = user;
  CALL(PJRT_Event_OnReady, args);
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
      client.put(bytes.data(), shape, {}, 0, PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes, &done);
  for (int i = 0; i < 3; ++i)
    on_ready(
        ready_event(buffer.get()),
        [](PJRT_Error* error, void* user) {
          auto& state = *static_cast<State*>(user);
          EXPECT_EQ(error, nullptr);
          const std::lock_guard lock(state.mutex);
          ++state.calls;
          state.changed.notify_all();
        },
        &state);  // the events are gone before they are ready
  std::unique_lock lock(mutex);
  EXPECT_TRUE(changed.wait_for(lock, std::chrono::seconds(60), [&] { return state.calls == 3; }));
  lock.unlock();
  await(done.get());
  EXPECT_TRUE(is_ready(done.get()));
  // One that is ready: at once.
  on_ready(
      done, [](PJRT_Error*, void* user) { ++static_cast<State*>(user)->calls; }, &state);
  EXPECT_EQ(state.calls, 4);

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

  // One that goes before it is set: who waits hears of it.
  CALL(PJRT_Event_Create, create);
  Event gone(create.event);
  int code = -1;
  const auto keep_code = [](PJRT_Error* failure, void* user) {
    *static_cast<int*>(user) = ASK(PJRT_Error_GetCode, error, failure, code);
    auto destroy = args_of<PJRT_Error_Destroy_Args>();
    destroy.error = failure;
    api().PJRT_Error_Destroy(&destroy);
  };
  on_ready(gone, keep_code, &code);
  gone.reset();
  EXPECT_EQ(code, PJRT_Error_Code_CANCELLED);
}

// Memory of the host stays where it is when the device would store the same bytes; the host hears when it is free.
// A callback may wait for other transfers, also where the plugin has one thread, and may end the client.
TEST(Events, CallbacksMayWaitAndDestroy) {
  for (const bool destroys : {false, true}) {
    Client client(Client::Options{{"devices", "tpu:v5e"}, {"threads", "1"}});
    const Shape shape = Shape::parse("f32[1024,1025]");
    const Bytes bytes(static_cast<std::size_t>(shape.byte_size()), 5);
    std::vector<Event> events(3);
    std::vector<Buffer> buffers;
    for (Event& event : events)
      buffers.push_back(
          client.put(bytes.data(), shape, {}, 0, PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes, &event));
    std::atomic<int> calls{0};
    const std::function<void()> work = [&] {
      await(events[1].get());
      await(events[2].get());
      if (destroys) {
        buffers.clear();
        client.destroy();
      }
      ++calls;
    };
    on_ready(
        events[0], [](PJRT_Error*, void* user) { (*static_cast<const std::function<void()>*>(user))(); },
        const_cast<void*>(static_cast<const void*>(&work)));
    for (int i = 0; i < 6000 && calls == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_EQ(calls, 1);
  }
}

// What a client made may be used after it was destroyed, and copied to a device of another client.
TEST(Buffers, OutliveTheirClient) {
  const Shape shape = Shape::parse("f32[600,1000]");
  Bytes bytes(static_cast<std::size_t>(shape.byte_size()));
  std::mt19937_64 random(6);
  fill(bytes, shape.element_type(), random);
  Buffer buffer, copied, other;
  {
    Client first(Client::Options{{"devices", "tpu:v5e,cpu"}});
    const Client second(Client::Options{{"devices", "cpu"}});
    Event done;
    buffer = first.put(bytes.data(), shape, {}, 0, PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes, &done);
    copied = first.copy(buffer.get(), 1);
    other = second.copy(buffer.get(), 0);
    first.destroy();
    await(done.get());
    EXPECT_EQ(get(other.get(), shape), bytes);
  }
  for (const Buffer* const each : {&buffer, &copied, &other}) EXPECT_EQ(get(each->get(), shape), bytes);
}

TEST(ZeroCopy, WhereTheLayoutAllowsIt) {
  const Client client(Client::Options{{"devices", "cpu,tpu:v5e"}});
  const Shape shape = Shape::parse("f32[3,5]");
  std::vector<float> data(16, 1.5f);
  const auto put = [&](const Shape& as, const Numbers& strides, std::size_t on, Event* done, int offset = 0) {
    MemoryLayout layout(as);
    return client.put(reinterpret_cast<const char*>(data.data()) + offset, as, strides, on,
                      PJRT_HostBufferSemantics_kImmutableZeroCopy, done, as.has_layout() ? layout.get() : nullptr);
  };
  const auto address = reinterpret_cast<std::uintptr_t>(data.data());
  Event done;
  Buffer buffer = put(shape, {20, 4}, 0, &done);
  EXPECT_EQ(pointer_of(buffer.get()), address);
  EXPECT_FALSE(is_ready(done.get()));
  EXPECT_EQ(client.stats(0).bytes_in_use, 0);
  Buffer second = client.copy(buffer.get(), 0);
  EXPECT_NE(pointer_of(second.get()), address);
  // An external reference keeps the memory when the buffer is deleted.
  auto increase = args_of<PJRT_Buffer_IncreaseExternalReferenceCount_Args>();
  increase.buffer = buffer.get();
  CALL(PJRT_Buffer_IncreaseExternalReferenceCount, increase);
  delete_array(buffer.get());
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
  EXPECT_EQ(pointer_of(put(columns, {4, 12}, 0, &done).get()), address);
  EXPECT_NE(pointer_of(put(columns, {20, 4}, 0, &done).get()), address);
  EXPECT_NE(pointer_of(put(shape, {24, 4}, 0, &done).get()), address);                   // gaps
  EXPECT_NE(pointer_of(put(shape, {20, 4}, 1, &done).get()), address);                   // tiles
  EXPECT_NE(pointer_of(put(shape, {20, 4}, 0, &done, 2).get()), address + 2);            // not aligned
  EXPECT_NE(pointer_of(put(Shape::parse("s4[3,5]"), {5, 1}, 0, &done).get()), address);  // packed
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
  args.num_dims = 2;
  args.device_buffer_ptr = nullptr;
  EXPECT_THAT(told([&] { CALL(PJRT_Client_CreateViewOfDeviceBuffer, args); }), HasSubstr("device_buffer_ptr is NULL"));

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

AsyncHostToDeviceTransferManager upload(const Client& client, const Shape& shape, std::size_t count) {
  const Numbers dimensions = shape.dimensions();
  std::vector<PJRT_ShapeSpec> specs(
      count, {sizeof(PJRT_ShapeSpec), nullptr, dimensions.data(), dimensions.size(), pjrt_type(shape.element_type())});
  auto create = args_of<PJRT_Client_CreateBuffersForAsyncHostToDevice_Args>();
  create.client = client.get();
  create.shape_specs = specs.data();
  create.num_shape_specs = count;
  create.memory = client.memory(0);
  CALL(PJRT_Client_CreateBuffersForAsyncHostToDevice, create);
  return AsyncHostToDeviceTransferManager(create.transfer_manager);
}

Buffer retrieve(const AsyncHostToDeviceTransferManager& manager, int number) {
  auto args = args_of<PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args>();
  args.transfer_manager = manager.get();
  args.buffer_index = number;
  CALL(PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer, args);
  return Buffer(args.buffer_out);
}

// The bytes [begin, end) of `bytes`, as the device has them.
Event transfer(const AsyncHostToDeviceTransferManager& manager, int number, const Bytes& bytes, std::int64_t begin,
               std::int64_t end, bool is_last = false) {
  auto args = args_of<PJRT_AsyncHostToDeviceTransferManager_TransferData_Args>();
  args.transfer_manager = manager.get();
  args.buffer_index = number;
  args.data = bytes.data() + begin;
  args.offset = begin;
  args.transfer_size = end - begin;
  args.is_last_transfer = is_last;
  CALL(PJRT_AsyncHostToDeviceTransferManager_TransferData, args);
  return Event(args.done_with_h2d_transfer);
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
    const Buffer buffer = retrieve(manager, 0);
    const auto total = static_cast<std::int64_t>(bytes.size());
    const Event first = transfer(manager, 0, bytes, 0, total - 1),
                last = transfer(manager, 0, bytes, total - 1, total, true);
    ASSERT_EQ(get(buffer.get(), shape), bytes);
    await(first.get());
    await(last.get());
  }
}

TEST(Uploads, InPieces) {
  const Client client(Client::Options{{"devices", "tpu:v5e"}, {"threads", "3"}});
  const Shape shape = Shape::parse("f32[2048,1000]");
  std::mt19937_64 random(3);
  Bytes bytes(static_cast<std::size_t>(shape.byte_size()));
  fill(bytes, shape.element_type(), random);
  const Numbers dimensions = shape.dimensions();
  AsyncHostToDeviceTransferManager manager = upload(client, shape, 3);
  std::vector<Buffer> buffers;
  for (int i = 0; i < 3; ++i) {
    buffers.push_back(retrieve(manager, i));
    EXPECT_FALSE(is_ready(ready_event(buffers.back().get()).get()));
    EXPECT_THAT(told([&] { retrieve(manager, i); }), HasSubstr("retrieved before"));
  }
  // Buffer 0: the device's bytes in pieces, while a copy of it already waits. Buffer 1: a literal. Buffer 2: never.
  const Buffer waiting = client.copy(buffers[0].get(), 0);
  const Bytes on_device = stored(bytes, device_shape(buffers[0].get(), shape));
  std::vector<Event> events;
  constexpr std::int64_t kPieces = 7;
  const auto total = static_cast<std::int64_t>(on_device.size());
  for (std::int64_t i = 0; i < kPieces; ++i)
    events.push_back(transfer(manager, 0, on_device, total * i / kPieces, total * (i + 1) / kPieces, i == kPieces - 1));
  EXPECT_THAT(told([&] { transfer(manager, 0, on_device, 0, 0); }), HasSubstr("its last transfer has come"));
  EXPECT_THAT(told([&] { transfer(manager, 3, on_device, 0, 0); }), HasSubstr("there is no buffer 3"));
  EXPECT_THAT(told([&] { transfer(manager, 1, on_device, total - 1, total + 1); }), HasSubstr("there are no 2 from"));
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

}  // namespace
