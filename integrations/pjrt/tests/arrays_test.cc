// SPDX-License-Identifier: Apache-2.0
// Arrays to devices, between them and back: all types, real sizes, many threads, without growth.
#include "arrays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <thread>

using testing::HasSubstr;
using xlashape::Shape;

namespace {

// What a device of that target must have for an array: in the target's own layout, or in one that is asked for.
Shape on_device_of(xlashape::Target target, const Shape& array, const PJRT_Buffer_MemoryLayout* asked) {
  if (asked == nullptr) return xlashape::for_target(array, target);
  const auto layout = xlashape::try_layout_from_pjrt(asked, array.element_type(), array.dimensions()).value();
  const Shape given = array.with_layout(layout);
  if (layout.tile_count() > 0 || !layout.padded_dimensions().empty()) return given.with_packed_elements();
  return xlashape::for_target(given, target, XLASHAPE_TARGET_KEEP_ORDER);
}

// A layout to ask for: an order of the dimensions, with tiles or with strides that have gaps.
std::unique_ptr<MemoryLayout> random_layout(const Shape& array, std::mt19937_64& random) {
  const auto rank = static_cast<std::size_t>(array.rank());
  xlashape::LayoutSpec spec;
  for (std::size_t d = 0; d < rank; ++d) spec.minor_to_major.push_back(static_cast<std::int64_t>(d));
  std::shuffle(spec.minor_to_major.begin(), spec.minor_to_major.end(), random);
  const auto form = rank == 0 ? 0 : random() % 4;
  if (form == 1) {
    spec.tiles.push_back(rank > 1 ? Numbers{8, 4} : Numbers{16});
    if (random() % 2 == 0) spec.tiles.push_back({2, 1});
  }
  if (form == 2)
    for (const std::int64_t size : array.dimensions()) spec.padded_dimensions.push_back(size + random() % 3);
  return std::make_unique<MemoryLayout>(array.with_layout(xlashape::Layout::create(spec)),
                                        XLASHAPE_PJRT_DROP | (form >= 2 ? XLASHAPE_PJRT_STRIDES : 0));
}

// The array of a buffer as the device holds it, and in layouts of the host: as in the device's order, column-major by
// name and by strides, row-major.
void check_buffer(PJRT_Buffer* buffer, const Shape& array, const Bytes& expected, const Shape& wanted) {
  const Shape on_device = device_shape(buffer, array);
  ASSERT_EQ(on_device, wanted);
  ASSERT_EQ(device_bytes(buffer), on_device.byte_size());
  ASSERT_EQ(raw(buffer), stored(expected, on_device));
  ASSERT_EQ(get(buffer, array), expected);
  xlashape::LayoutSpec order;
  order.minor_to_major = on_device.layout().minor_to_major();
  ASSERT_EQ(get(buffer, nullptr), stored(expected, array.with_layout(xlashape::Layout::create(order))));
  std::sort(order.minor_to_major.begin(), order.minor_to_major.end());
  const Shape columns = array.with_layout(xlashape::Layout::create(order));
  ASSERT_EQ(get(buffer, columns), stored(expected, columns));
  ASSERT_EQ(get(buffer, MemoryLayout(columns, XLASHAPE_PJRT_STRIDES).get()), stored(expected, columns));
  if (on_device.layout().padded_dimensions().empty()) {  // else only strides could say it
    const auto said = ASK(PJRT_Buffer_GetMemoryLayout, buffer, buffer, layout);
    const auto layout = xlashape::try_layout_from_pjrt(&said, array.element_type(), array.dimensions()).value();
    ASSERT_TRUE(layout.equal(on_device.layout(), XLASHAPE_EQUAL_IGNORE_ELEMENT_SIZE)) << layout.to_string();
  }
}

// Random arrays of all types, in the device's layout and in layouts that the client asks for: what the device holds is
// compared with index maps; then they move to the other devices, and come back in layouts of the host.
TEST(Arrays, AreWhereTheIndexMapsSay) {
  const xlashape::Target targets[] = {xlashape::target("tpu:v5e"), xlashape::target("cpu"), xlashape::target("tpu:v4"),
                                      xlashape::target("tpu:v2"), xlashape::target("tpu:v7x")};
  const Client client(Client::Options{{"devices", "tpu:v5e,cpu,tpu:v4,tpu:v2,tpu:v7x"}});
  const auto types = all_types();
  ASSERT_GE(types.size(), 30u);
  std::mt19937_64 random(20261124);
  int with_layout = 0, moved = 0, refused = 0;
  for (int i = 0; i < 1000; ++i) {
    const xlashape::ElementType type = types[static_cast<std::size_t>(i) % types.size()];
    const HostArray array = random_array(type, static_cast<std::size_t>(i / 3) % 7, random);
    const std::size_t on = random() % 5, to = random() % 5;
    const auto semantics = static_cast<PJRT_HostBufferSemantics>(random() % 4);
    const auto asked = random() % 2 == 0 ? random_layout(array.shape, random) : nullptr;
    SCOPED_TRACE("array " + std::to_string(i) + ": " + array.shape.to_string() + " on device " + std::to_string(on));
    Event done;
    Buffer buffer;
    try {
      buffer = client.put(array.data(), array.shape, array.strides, on, semantics, &done,
                          asked == nullptr ? nullptr : asked->get());
    } catch (const PjrtError& error) {  // a target without the type
      EXPECT_EQ(error.code, PJRT_Error_Code_UNIMPLEMENTED) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(array.shape.to_string(XLASHAPE_PRINT_WITHOUT_LAYOUT)));
      ++refused;
      continue;
    }
    await(ready_event(buffer.get()).get());
    const Bytes expected = dense(array);
    with_layout += asked != nullptr;
    const Shape wanted = on_device_of(targets[on], array.shape, asked == nullptr ? nullptr : asked->get());
    check_buffer(buffer.get(), array.shape, expected, wanted);
    if (HasFatalFailure()) return;
    try {
      const Buffer other = i % 2 == 0 ? client.copy(buffer.get(), to) : client.copy_to_memory(buffer.get(), to);
      // A device of the same target keeps the layout.
      check_buffer(other.get(), array.shape, expected,
                   to == on ? wanted : on_device_of(targets[to], array.shape, nullptr));
      if (HasFatalFailure()) return;
      ++moved;
    } catch (const PjrtError& error) {
      EXPECT_EQ(error.code, PJRT_Error_Code_UNIMPLEMENTED) << error.what();
    }
  }
  EXPECT_GT(with_layout, 300);
  EXPECT_GT(moved, 500);
  EXPECT_LT(refused, 400);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(client.stats(i).bytes_in_use, 0);
}

// Sizes that are moved in the background and on several threads, one above and below the limit where that begins.
TEST(Arrays, OfRealSize) {
  const Client client(Client::Options{{"devices", "tpu:v5e,cpu"}, {"threads", "3"}});
  std::mt19937_64 random(7);
  for (const char* const text : {"s8[1024,1024]", "s8[1024,1023]", "s8[1025,1024]", "f32[256,257]", "bf16[1000,1000]",
                                 "f32[2048,2049]", "s4[1024,4096]", "f32[64,8,16,129]", "f64[8388608]"}) {
    SCOPED_TRACE(text);
    const Shape shape = Shape::parse(text);
    Bytes bytes(static_cast<std::size_t>(shape.byte_size()));
    fill(bytes, shape.element_type(), random);
    for (const auto semantics : {PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
                                 PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes}) {
      Event done;
      const Buffer buffer = client.put(bytes.data(), shape, {}, 0, semantics, &done);
      const Buffer row_major = client.copy(buffer.get(), 1);  // follows the transfer, which may be under way
      const Buffer back = client.copy(row_major.get(), 0);
      await(done.get());
      ASSERT_EQ(get(row_major.get(), shape), bytes);
      ASSERT_EQ(raw(back.get()), raw(buffer.get()));
      ASSERT_EQ(get(back.get(), shape), bytes);
    }
  }
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
      const Shape shape = Shape::parse("f32[600,901]");
      Bytes bytes(static_cast<std::size_t>(shape.byte_size()));
      fill(bytes, shape.element_type(), random);
      const Buffer large =
          client.put(bytes.data(), shape, {}, 0, PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes);
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
    const Buffer buffer = client.put(bytes.data(), shape, {}, static_cast<std::size_t>(i) % 2,
                                     static_cast<PJRT_HostBufferSemantics>(i % 4));
    const Buffer other = client.copy(buffer.get(), static_cast<std::size_t>(i / 2) % 2);
    ASSERT_EQ(get(other.get(), shape), bytes);
  }
  EXPECT_EQ(client.stats(0).bytes_in_use, 0);
  EXPECT_EQ(client.stats(1).bytes_in_use, 0);
#ifndef __SANITIZE_ADDRESS__  // which keeps what is freed
  EXPECT_LT(resident_bytes() - before, 1 << 20);
#endif
}

}  // namespace
