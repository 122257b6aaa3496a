// SPDX-License-Identifier: Apache-2.0
// Devices with memory of their own, behind a backend of xlashape:
// the simulated one, and OpenCL where there is a driver.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "arrays.h"
#include "files.h"

using testing::HasSubstr;
using xlashape::Shape;

namespace {

// Arrays to and from a device of `backend`, whose bytes are compared with index maps; and between it and others.
void check_arrays(const Client& client, int count) {
  std::mt19937_64 random(99);
  const auto types = all_types();
  int checked = 0;
  for (int i = 0; i < count; ++i) {
    const HostArray array = random_array(types[static_cast<std::size_t>(i) % types.size()], random() % 5, random);
    SCOPED_TRACE(array.shape.to_string());
    try {
      const std::size_t on = random() % client.device_count();
      const Buffer buffer = client.put(array.data(), array.shape, array.strides, on,
                                       PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes);
      const Bytes expected = dense(array);
      const Shape shape = array.shape.with_layout(xlashape::Layout::parse(layout_of(buffer.get())));
      ASSERT_EQ(raw(buffer.get()), stored(expected, shape)) << shape.to_string();
      ASSERT_EQ(get(buffer.get(), array.shape), expected);
      const Buffer other = client.copy(buffer.get(), random() % client.device_count());
      ASSERT_EQ(get(other.get(), array.shape), expected);
      const std::int64_t bytes = device_bytes(buffer.get());
      if (bytes > 2) {
        const Bytes all = raw(buffer.get());
        ASSERT_EQ(raw(buffer.get(), 1, bytes - 2), Bytes(all.begin() + 1, all.end() - 1));
      }
      ++checked;
    } catch (const PjrtError& error) {
      ASSERT_EQ(error.code, PJRT_Error_Code_UNIMPLEMENTED) << error.what();
    }
  }
  EXPECT_GT(checked, count / 2);
  for (std::size_t i = 0; i < client.device_count(); ++i) EXPECT_EQ(client.stats(i).bytes_in_use, 0);
}

TEST(Backend, SimulatedDevice) {
  const Client client(
      Client::Options{{"devices", "tpu:v5e@device/0,cpu,cpu@device/1,tpu:v5e"}, {"backend_files", backend_file}});
  check_arrays(client, 300);
}

TEST(Backend, ManyThreads) {
  const Client client(
      Client::Options{{"devices", "tpu:v5e@device,cpu@device"}, {"backend_files", backend_file}, {"threads", "3"}});
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      std::mt19937_64 random(static_cast<std::uint64_t>(t));
      for (int i = 0; i < 30; ++i) {
        const Shape shape = Shape::array(xlashape::ElementType::kF32, Numbers{1 + t, 1 + i * 7});
        Bytes bytes(static_cast<std::size_t>(shape.byte_size()));
        fill(bytes, shape.element_type(), random);
        const Buffer buffer = client.put(bytes.data(), shape, {}, random() % 2);
        EXPECT_EQ(get(client.copy(buffer.get(), random() % 2).get(), shape), bytes);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

// The memory of the simulated device is 64 buffers: one too many is told as it should be, and the others stay whole.
TEST(Backend, WithoutMoreMemory) {
  const Client client(Client::Options{{"devices", "cpu@device"}, {"backend_files", backend_file}});
  const Shape shape = Shape::parse("s32[7]");
  std::vector<Buffer> buffers;
  std::string refused;
  for (int i = 0; i < 100 && refused.empty(); ++i) {
    const Numbers values(4, i);
    try {
      buffers.push_back(client.put(values.data(), shape, {}, 0));
    } catch (const PjrtError& error) {
      EXPECT_EQ(error.code, PJRT_Error_Code_RESOURCE_EXHAUSTED);
      refused = error.what();
    }
  }
  EXPECT_THAT(refused, HasSubstr("the device has no more buffers"));
  EXPECT_GT(buffers.size(), 50u);
  buffers.pop_back();  // room for the copy that takes an array out
  buffers.pop_back();
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const Bytes bytes = get(buffers[i].get(), shape);
    EXPECT_EQ(bytes[0], i);
  }
}

TEST(Backend, OpenCl) {
  std::unique_ptr<Client> client;
  try {
    client = std::make_unique<Client>(Client::Options{{"devices", "tpu:v5e@opencl,cpu,cpu@opencl"}});
  } catch (const PjrtError& error) {
    GTEST_SKIP() << "no OpenCL here: " << std::string(error.what()).substr(0, 200);
  }
  check_arrays(*client, 60);
}

}  // namespace
