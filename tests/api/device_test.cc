// SPDX-License-Identifier: Apache-2.0
// Memory, queues and plans of a device, through xlashape.h: on the simulated one of examples/device.
#include "examples/device/device.h"

#include <gmock/gmock.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "api.h"
#include "xlashape_runtime.h"

namespace {

using api::message;
using api::Plan;
using api::Runtime;
using api::shape;
using testing::HasSubstr;

constexpr int32_t kCpu = XLASHAPE_SPACE_CPU;

// Once only, unlike api::ok: what is allocated or enqueued is there once more otherwise.
template <class F>
void works(F&& call) {
  api::Error err;
  EXPECT_EQ(call(static_cast<xlashape_error*>(&err)), XLASHAPE_STATUS_OK) << err.message;
}

// The message of a failure that the backend reports.
template <class F>
std::string told(xlashape_status status, F&& call) {
  api::Error err;
  EXPECT_EQ(call(static_cast<xlashape_error*>(&err)), status);
  EXPECT_EQ(err.source, 2u);
  return err.message;
}

struct Device : testing::Test {
  Runtime runtime = api::runtime_of(api::alone());

  void SetUp() override { api::add_backend(runtime, "device", xlashape_backend_open_device, 5); }

  static xlashape_queue queue(uint64_t number) { return {DEVICE_QUEUE_KIND, 0, number}; }
  uint64_t alloc(int64_t bytes, int32_t device = 0) {
    uint64_t address = 0;
    works([&](auto* err) { return xlashape_memory_alloc(runtime.get(), device, DEVICE_SPACE, bytes, &address, err); });
    return address;
  }
  void free(uint64_t address, int32_t device = 0) {
    works([&](auto* err) { return xlashape_memory_free(runtime.get(), device, address, DEVICE_SPACE, err); });
  }
  xlashape_status copy(uint64_t dst, int32_t dst_space, uint64_t src, int32_t src_space, int64_t bytes,
                       xlashape_error* err, int32_t device = 0, const xlashape_queue* queue = nullptr) {
    return xlashape_memory_copy(runtime.get(), device, src, src_space, dst, dst_space, bytes, queue, err);
  }
  template <class T>
  static uint64_t address(const std::vector<T>& values) {
    return reinterpret_cast<uintptr_t>(values.data());
  }

  xlashape_status plan(const char* from, const char* to, int32_t device, xlashape_plan** made, xlashape_error* err,
                       const char* backend = nullptr) {
    const auto src = shape(from), dst = shape(to);
    auto options = XLASHAPE_INIT(xlashape_relayout_options);
    options.src_space = options.dst_space = DEVICE_SPACE;
    options.device = device;
    options.backend = backend;
    return xlashape_plan_create(runtime.get(), src.get(), dst.get(), &options, made, err);
  }
};

TEST_F(Device, IsDescribed) {
  auto info = XLASHAPE_INIT(xlashape_backend_info);
  works([&](auto* err) { return xlashape_runtime_backend_info(runtime.get(), 1, &info, err); });
  EXPECT_EQ(info.memory_spaces, uint64_t{1} << DEVICE_SPACE);
  EXPECT_EQ(info.device_count, 2);
  EXPECT_EQ(info.priority, 5);
  const auto text = [&](int64_t ordinal, int32_t device) {
    return [this, ordinal, device](char* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
      return xlashape_runtime_device_text(runtime.get(), ordinal, device, out, capacity, needed, err);
    };
  };
  api::answers_text("simulated device 0, 64 buffers, 4 queues", text(1, 0));
  api::answers_text("simulated device 0, 64 buffers, 4 queues", text(1, 1));
  api::answers_text("simulated device 1, 64 buffers, 4 queues", text(1, 2));
  api::answers_text("", text(0, 0));  // the scalar backend has nothing to say
  const auto why = [&](xlashape_status status, int64_t ordinal, int32_t device) {
    int64_t needed;
    return message(status, [&](auto* err) { return text(ordinal, device)(nullptr, 0, &needed, err); });
  };
  EXPECT_EQ(why(XLASHAPE_STATUS_OUT_OF_RANGE, 1, 3), "there is no device number 2: backend device has 2");
  EXPECT_EQ(why(XLASHAPE_STATUS_OUT_OF_RANGE, 0, 1), "there is no device number 0: backend scalar has 0");
  EXPECT_EQ(why(XLASHAPE_STATUS_INVALID_ARGUMENT, 1, -1), "device is -1, it must not be negative");
  EXPECT_EQ(why(XLASHAPE_STATUS_OUT_OF_RANGE, 2, 0), "backend 2 is not in [0, 2)");
  api::answers_text("device", xlashape_runtime_backend_text, runtime.get(), 1, XLASHAPE_BACKEND_TEXT_NAME);
  for (const int32_t which : {0, 4, -1})
    EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT,
                        [&](auto* err) {
                          int64_t needed;
                          return xlashape_runtime_backend_text(runtime.get(), 1, which, nullptr, 0, &needed, err);
                        }),
                HasSubstr("which is " + std::to_string(which)));
}

TEST_F(Device, CopiesAndFills) {
  std::vector<uint8_t> in(1000), out(1000, 0xEE);
  std::iota(in.begin(), in.end(), uint8_t{1});
  const uint64_t a = alloc(1000), b = alloc(1000);
  EXPECT_NE(a, b);
  works([&](auto* err) { return copy(a, DEVICE_SPACE, address(in), kCpu, 1000, err); });
  works([&](auto* err) { return copy(b + 10, DEVICE_SPACE, a + 20, DEVICE_SPACE, 900, err); });
  works([&](auto* err) { return xlashape_memory_fill(runtime.get(), 0, b, DEVICE_SPACE, 0x5A, 10, nullptr, err); });
  works([&](auto* err) { return copy(address(out), kCpu, b, DEVICE_SPACE, 910, err); });
  for (size_t i = 0; i < 1000; ++i) ASSERT_EQ(out[i], i < 10 ? 0x5A : i < 910 ? in[i + 10] : 0xEE) << i;
  EXPECT_EQ(told(XLASHAPE_STATUS_OUT_OF_RANGE,
                 [&](auto* err) { return copy(b, DEVICE_SPACE, address(in), kCpu, 1001, err); }),
            "dst is not, or not all, memory of the device");
  free(a), free(b), free(0);
}

// Nothing that was enqueued has happened before the queue is waited for; then all of it has, in order.
TEST_F(Device, QueuesWait) {
  for (const int32_t device : {1, 2}) {
    std::vector<int32_t> in = {1, 2, 3, 4, 5, 6}, out(6, -1);
    const int64_t bytes = 24;
    const xlashape_queue second = queue(2), third = queue(3);
    const uint64_t src = alloc(bytes + 8, device), dst = alloc(bytes, device);
    Plan p = api::make<Plan>(
        [&](auto** made, auto* err) { return plan("s32[2,3]{1,0}", "s32[2,3]{0,1}", device, made, err); });
    works([&](auto* err) { return copy(src + 8, DEVICE_SPACE, address(in), kCpu, bytes, err, device, &third); });
    auto exec = XLASHAPE_INIT(xlashape_execute_options);
    exec.queue = third;
    exec.src = src;
    exec.src_byte_offset = 8;
    exec.src_bytes = bytes + 8;
    exec.dst = dst;
    exec.dst_bytes = bytes;
    works([&](auto* err) { return xlashape_plan_execute_with(p.get(), &exec, err); });
    works([&](auto* err) { return copy(address(out), kCpu, dst, DEVICE_SPACE, bytes, err, device, &third); });
    works([&](auto* err) {
      return xlashape_memory_fill(runtime.get(), device, dst, DEVICE_SPACE, 0, bytes, &third, err);
    });
    EXPECT_EQ(out, (std::vector<int32_t>(6, -1)));
    // Another queue, and another device's queue of that number, are other queues.
    works([&](auto* err) { return xlashape_queue_sync(runtime.get(), device, DEVICE_SPACE, &second, err); });
    works([&](auto* err) { return xlashape_queue_sync(runtime.get(), 3 - device, DEVICE_SPACE, &third, err); });
    EXPECT_EQ(out, (std::vector<int32_t>(6, -1)));
    works([&](auto* err) { return xlashape_queue_sync(runtime.get(), device, DEVICE_SPACE, &third, err); });
    EXPECT_EQ(out, (std::vector<int32_t>{1, 4, 2, 5, 3, 6}));
    works([&](auto* err) { return copy(address(out), kCpu, dst, DEVICE_SPACE, bytes, err, device); });
    EXPECT_EQ(out, (std::vector<int32_t>(6, 0)));
    free(src, device), free(dst, device);
  }
}

// Queues and events between them.
struct Events : Device {
  static constexpr int64_t kBytes = 24;

  // Of host memory into the device's or back.
  void enqueue(uint64_t dst, int32_t dst_space, uint64_t src, int32_t src_space, int32_t device, uint64_t number) {
    const xlashape_queue on = queue(number);
    works([&](auto* err) { return copy(dst, dst_space, src, src_space, kBytes, err, device, &on); });
  }
  uint64_t signal(int32_t device, uint64_t number) {
    uint64_t event = 0;
    const xlashape_queue on = queue(number);
    works(
        [&](auto* err) { return xlashape_queue_signal_event(runtime.get(), device, DEVICE_SPACE, &on, &event, err); });
    return event;
  }
  xlashape_status wait(int32_t device, uint64_t number, uint64_t event, xlashape_error* err) {
    const xlashape_queue on = queue(number);
    return xlashape_queue_wait_event(runtime.get(), device, DEVICE_SPACE, &on, event, err);
  }
  void wait(int32_t device, uint64_t number, uint64_t event) {
    works([&](auto* err) { return wait(device, number, event, err); });
  }
  xlashape_status sync(int32_t device, uint64_t number, xlashape_error* err) {
    const xlashape_queue on = queue(number);
    return xlashape_queue_sync(runtime.get(), device, DEVICE_SPACE, &on, err);
  }
  void sync(int32_t device, uint64_t number) {
    works([&](auto* err) { return sync(device, number, err); });
  }
};

// One queue copies, another one relayouts what came, a third one, of the other device, copies back: the host waits for
// the last alone. What a queue does after its signal does not matter.
TEST_F(Events, OneQueueFollowsAnother) {
  const std::vector<int32_t> in = {1, 2, 3, 4, 5, 6}, later(6, 7);
  std::vector<int32_t> out(6, -1), early(6, -1);
  const uint64_t src = alloc(kBytes, 2), dst = alloc(kBytes, 2), other = alloc(kBytes, 1);
  Plan p =
      api::make<Plan>([&](auto** made, auto* err) { return plan("s32[2,3]{1,0}", "s32[2,3]{0,1}", 2, made, err); });
  works([&](auto* err) { return xlashape_memory_fill(runtime.get(), 2, dst, DEVICE_SPACE, 0, kBytes, nullptr, err); });
  enqueue(src, DEVICE_SPACE, address(in), kCpu, 2, 1);
  const uint64_t copied = signal(2, 1);
  enqueue(src, DEVICE_SPACE, address(later), kCpu, 2, 1);
  enqueue(address(early), kCpu, dst, DEVICE_SPACE, 2, 2);
  wait(2, 2, copied);
  auto exec = XLASHAPE_INIT(xlashape_execute_options);
  exec.queue = queue(2);
  exec.src = src;
  exec.dst = dst;
  exec.src_bytes = exec.dst_bytes = kBytes;
  works([&](auto* err) { return xlashape_plan_execute_with(p.get(), &exec, err); });
  enqueue(address(out), kCpu, dst, DEVICE_SPACE, 2, 2);
  const uint64_t turned = signal(2, 2);
  std::vector<int32_t> last(6, -1);
  wait(1, 2, turned);
  enqueue(other, DEVICE_SPACE, address(out), kCpu, 1, 2);
  enqueue(address(last), kCpu, other, DEVICE_SPACE, 1, 2);
  EXPECT_EQ(out, std::vector<int32_t>(6, -1));
  sync(1, 1);
  EXPECT_EQ(out, std::vector<int32_t>(6, -1)) << "another queue";
  sync(1, 2);
  EXPECT_EQ(last, (std::vector<int32_t>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(early, std::vector<int32_t>(6, 0)) << "before the wait";
  // The events have happened, and happen to those that wait again.
  sync(2, 1);
  wait(2, 2, copied), wait(2, 2, turned);
  sync(2, 2);
  free(src, 2), free(dst, 2), free(other, 1);
}

// What fails in one queue fails in those that wait for it, and each sync tells it once.
TEST_F(Events, FailuresAreHandedOn) {
  const std::vector<int32_t> in(6, 5);
  std::vector<int32_t> out(6, -1);
  const uint64_t a = alloc(kBytes, 1);
  const char* const kWhy = "dst is not, or not all, memory of the device";
  enqueue(a, DEVICE_SPACE, address(in), kCpu, 1, 1);
  const uint64_t good = signal(1, 1);
  enqueue(a + 1, DEVICE_SPACE, address(in), kCpu, 1, 1);
  const uint64_t bad = signal(1, 1);
  wait(1, 2, good);
  enqueue(address(out), kCpu, a, DEVICE_SPACE, 1, 2);
  wait(1, 3, bad);
  enqueue(address(out), kCpu, 0, DEVICE_SPACE, 1, 3);
  sync(1, 2);
  EXPECT_EQ(out, in);
  EXPECT_EQ(told(XLASHAPE_STATUS_OUT_OF_RANGE, [&](auto* err) { return sync(1, 3, err); }), kWhy);
  sync(1, 3);
  wait(1, 2, good);
  sync(1, 2);
  EXPECT_EQ(told(XLASHAPE_STATUS_OUT_OF_RANGE, [&](auto* err) { return sync(1, 1, err); }), kWhy);
  sync(1, 1);
  wait(1, 2, bad);  // told by now
  sync(1, 2);
  free(a, 1);
}

// Nobody waits for what cannot come.
TEST_F(Events, MustBeSignalled) {
  const std::vector<int32_t> in(6, 5);
  const uint64_t a = alloc(kBytes, 1), empty = signal(1, 0);
  enqueue(a, DEVICE_SPACE, address(in), kCpu, 1, 0);
  const uint64_t event = signal(1, 0);
  EXPECT_NE(event, 0u);
  EXPECT_NE(event, empty);
  EXPECT_NE(event, signal(2, 0));
  for (const uint64_t unknown : {uint64_t{0}, event + 1, uint64_t{9} << 48, ~uint64_t{0}})
    EXPECT_EQ(told(XLASHAPE_STATUS_INVALID_ARGUMENT, [&](auto* err) { return wait(1, 0, unknown, err); }),
              "the event was signalled by no queue");
  wait(1, 0, event), wait(1, 0, empty);  // its own: that has happened by then
  sync(1, 0);
  uint64_t none = 77;
  for (const int32_t kind : {XLASHAPE_QUEUE_CUDA, -1}) {
    const xlashape_queue unknown = {kind, 0, 0};
    EXPECT_EQ(
        told(XLASHAPE_STATUS_UNSUPPORTED,
             [&](auto* e) { return xlashape_queue_signal_event(runtime.get(), 1, DEVICE_SPACE, &unknown, &none, e); }),
        "the device has no such queue");
    EXPECT_EQ(
        told(XLASHAPE_STATUS_UNSUPPORTED,
             [&](auto* e) { return xlashape_queue_wait_event(runtime.get(), 1, DEVICE_SPACE, &unknown, event, e); }),
        "the device has no such queue");
  }
  EXPECT_EQ(none, 77u);
  const auto queueless = [](auto&& call) { return message(XLASHAPE_STATUS_INVALID_ARGUMENT, call); };
  const xlashape_queue no_queue = {}, damaged = {DEVICE_QUEUE_KIND, 1, 0};
  EXPECT_THAT(queueless([&](auto* e) {
                return xlashape_queue_wait_event(runtime.get(), 1, DEVICE_SPACE, &no_queue, event, e);
              }),
              HasSubstr("events are between queues"));
  EXPECT_THAT(queueless([&](auto* e) {
                return xlashape_queue_signal_event(runtime.get(), 1, DEVICE_SPACE, &no_queue, &none, e);
              }),
              HasSubstr("events are between queues"));
  const auto sync_damaged = [&](auto* e) { return xlashape_queue_sync(runtime.get(), 1, DEVICE_SPACE, &damaged, e); };
  EXPECT_THAT(message(XLASHAPE_STATUS_INCOMPATIBLE, sync_damaged), HasSubstr("queue.reserved is 1"));
  free(a, 1);
}

// A queue has room for 64 commands, wherever in it the first one is.
TEST_F(Events, QueuesAreRings) {
  const uint64_t a = alloc(100, 1);
  const xlashape_queue first = queue(1);
  const auto fill = [&](int i, xlashape_error* err) {
    return xlashape_memory_fill(runtime.get(), 1, a + static_cast<uint64_t>(i), DEVICE_SPACE, i, 1, &first, err);
  };
  for (int i = 0; i < 30; ++i) works([&](auto* err) { return fill(i, err); });
  const uint64_t event = signal(1, 1);
  for (int i = 30; i < 64; ++i) works([&](auto* err) { return fill(i, err); });
  EXPECT_EQ(told(XLASHAPE_STATUS_BUSY, [&](auto* err) { return fill(64, err); }), "the queue is full: wait for it");
  wait(1, 2, event);
  sync(1, 2);
  for (int i = 64; i < 94; ++i) works([&](auto* err) { return fill(i, err); });
  told(XLASHAPE_STATUS_BUSY, [&](auto* err) { return fill(94, err); });
  sync(1, 1);
  std::vector<uint8_t> out(94), want(94);
  std::iota(want.begin(), want.end(), uint8_t{0});
  works([&](auto* err) { return copy(address(out), kCpu, a, DEVICE_SPACE, 94, err, 1); });
  EXPECT_EQ(out, want);
  free(a, 1);
}

// A plan runs on the device that it was made for.
TEST_F(Device, PlansBelongToADevice) {
  const uint64_t first = alloc(24, 1), second = alloc(24, 2), other = alloc(24, 2);
  Plan p =
      api::make<Plan>([&](auto** made, auto* err) { return plan("s32[2,3]{1,0}", "s32[2,3]{0,1}", 2, made, err); });
  char line[64];
  int64_t needed;
  works([&](auto* err) { return xlashape_plan_describe(p.get(), line, sizeof line, &needed, err); });
  EXPECT_STREQ(line, "simulated device 1, 2 loops");
  const auto run = [&](uint64_t src, xlashape_error* err) {
    auto exec = XLASHAPE_INIT(xlashape_execute_options);
    exec.src = src;
    exec.dst = second;
    exec.src_bytes = exec.dst_bytes = 24;
    return xlashape_plan_execute_with(p.get(), &exec, err);
  };
  works([&](auto* err) { return run(other, err); });
  api::Error err;
  EXPECT_EQ(run(first, &err), XLASHAPE_STATUS_OUT_OF_RANGE);
  EXPECT_STREQ(err.message, "src is not, or not all, memory of the device");
  EXPECT_EQ(err.source, 2u);
  xlashape_plan* made = nullptr;
  EXPECT_EQ(message(XLASHAPE_STATUS_OUT_OF_RANGE, [&](auto* e) { return plan("s32[2]", "s32[2]", 3, &made, e); }),
            "there is no device number 2: backend device has 2");
  EXPECT_EQ(made, nullptr);
  free(first, 1), free(second, 2), free(other, 2);
}

// Addresses of devices of others are handles: that their numbers are near each other means nothing.
TEST_F(Device, HandlesDoNotOverlap) {
  const uint64_t a = alloc(4000);
  Plan p =
      api::make<Plan>([&](auto** made, auto* err) { return plan("s32[2,3]{1,0}", "s32[2,3]{0,1}", 0, made, err); });
  auto exec = XLASHAPE_INIT(xlashape_execute_options);
  exec.src = a;
  exec.dst = a + 8;
  exec.src_bytes = exec.dst_bytes = 24;
  works([&](auto* err) { return xlashape_plan_execute_with(p.get(), &exec, err); });
  free(a);
}

// Who asks for a backend by name learns why it refuses.
TEST_F(Device, SaysWhyItRefuses) {
  xlashape_plan* made = nullptr;
  const auto why = [&](const char* from, const char* to) {
    return message(XLASHAPE_STATUS_NOT_FOUND, [&](auto* err) { return plan(from, to, 0, &made, err, "device"); });
  };
  EXPECT_EQ(why("s8[3,4]", "s8[3,4]{1,0:PD(4,8)}"), "backend device does not do this operation: it fills no padding");
  EXPECT_EQ(why("s4[3,4]", "s4[3,4]{0,1:E(4)}"),
            "backend device does not do this operation: elements are packed, or change their width");
  EXPECT_THAT(message(XLASHAPE_STATUS_NOT_FOUND,
                      [&](auto* err) { return plan("s8[3,4]", "s8[3,4]{1,0:PD(4,8)}", 0, &made, err); }),
              HasSubstr("no backend does this operation (memory spaces 40 to 40)"));
  EXPECT_EQ(made, nullptr);
}

TEST_F(Device, RefusesBadCalls) {
  auto* rt = runtime.get();
  uint64_t made = 77;
  const auto alloc_fails = [&](xlashape_status status, int32_t device, int32_t space, int64_t bytes) {
    return message(status, xlashape_memory_alloc, rt, device, space, bytes, &made);
  };
  EXPECT_EQ(alloc_fails(XLASHAPE_STATUS_INVALID_ARGUMENT, 0, DEVICE_SPACE, -1), "bytes is -1, it must not be negative");
  EXPECT_EQ(alloc_fails(XLASHAPE_STATUS_OUT_OF_RANGE, 3, DEVICE_SPACE, 8),
            "there is no device number 2: backend device has 2");
  EXPECT_EQ(alloc_fails(XLASHAPE_STATUS_INVALID_ARGUMENT, 0, 64, 8), "space is 64, it must be within 1 and 63");
  EXPECT_EQ(alloc_fails(XLASHAPE_STATUS_INVALID_ARGUMENT, 0, 0, 8), "space is 0, it must be within 1 and 63");
  EXPECT_THAT(alloc_fails(XLASHAPE_STATUS_NOT_FOUND, 0, 41, 8), HasSubstr("no backend works in memory space 41"));
  EXPECT_THAT(alloc_fails(XLASHAPE_STATUS_UNSUPPORTED, 0, kCpu, 8), HasSubstr("the CPU's"));
  api::Error err;
  EXPECT_EQ(xlashape_memory_alloc(rt, 0, DEVICE_SPACE, INT64_MAX, &made, &err), XLASHAPE_STATUS_NO_MEMORY);
  EXPECT_STREQ(err.message, "the device has less than 1 TiB");
  EXPECT_EQ(made, 77u) << "written although it failed";
  told(XLASHAPE_STATUS_INVALID_ARGUMENT, [&](auto* e) { return xlashape_memory_free(rt, 0, 5, DEVICE_SPACE, e); });
  EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, [&](auto* e) { return copy(0, kCpu, 0, kCpu, 1, e); }),
              HasSubstr("the CPU's"));
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, [&](auto* e) { return copy(0, 99, 0, kCpu, 1, e); }),
              HasSubstr("dst_space is 99"));
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, [&](auto* e) { return copy(0, kCpu, 0, -2, 1, e); }),
              HasSubstr("src_space is -2"));
  // Numbers of bytes whose sum with an address or an offset overflows.
  uint64_t buffer = 0;
  works([&](auto* e) { return xlashape_memory_alloc(rt, 0, DEVICE_SPACE, 100, &buffer, e); });
  std::vector<unsigned char> here(100);
  const auto here_at = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(here.data()));
  for (const int64_t bytes : {int64_t{101}, int64_t{1} << 40, INT64_MAX - 1, INT64_MAX})
    for (const uint64_t offset : {0, 1, 100}) {
      // Where an address has 32 bits the library sees the larger ones itself.
      if (sizeof(void*) < sizeof bytes && bytes > INT32_MAX) continue;
      told(XLASHAPE_STATUS_OUT_OF_RANGE,
           [&](auto* e) { return xlashape_memory_fill(rt, 0, buffer + offset, DEVICE_SPACE, 7, bytes, nullptr, e); });
      told(XLASHAPE_STATUS_OUT_OF_RANGE,
           [&](auto* e) { return copy(buffer + offset, DEVICE_SPACE, here_at, kCpu, bytes, e); });
    }
  EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE,
                      [&](auto* e) { return copy(UINT64_MAX - 5, kCpu, buffer, DEVICE_SPACE, 7, e); }),
              HasSubstr("dst is 0xfffffffffffffffa, 7 bytes from there are beyond the last address"));
  EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE,
                      [&](auto* e) { return copy(buffer, DEVICE_SPACE, UINT64_MAX, kCpu, 1, e); }),
              HasSubstr("src is "));
  works([&](auto* e) { return xlashape_memory_free(rt, 0, buffer, DEVICE_SPACE, e); });
  for (const int32_t byte : {-1, 256})
    EXPECT_THAT(
        message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_memory_fill, rt, 0, 0, DEVICE_SPACE, byte, 1, nullptr),
        HasSubstr("byte is " + std::to_string(byte)));
  for (const int32_t kind : {XLASHAPE_QUEUE_CUDA, -1}) {
    const xlashape_queue unknown = {kind, 0, 0};
    EXPECT_EQ(told(XLASHAPE_STATUS_UNSUPPORTED,
                   [&](auto* e) { return xlashape_queue_sync(rt, 0, DEVICE_SPACE, &unknown, e); }),
              "the device has no such queue");
  }
}

// A backend without memory of its own says so.
TEST(DeviceMemory, SlotsMayBeMissing) {
  const xlashape_backend_open_fn bare = [](const xlashape_host* host, xlashape_backend* table,
                                           xlashape_error*) -> xlashape_status {
    table->abi_version = host->abi_max;
    table->name = "bare";
    table->memory_spaces = XLASHAPE_SPACE_BIT(63) | XLASHAPE_SPACE_BIT(32);
    table->supports = [](void*, const xlashape_op*, xlashape_support*, xlashape_error*) { return xlashape_status{0}; };
    table->plan_execute = [](void*, const void*, const xlashape_op*, const xlashape_run*, xlashape_error*) {
      return xlashape_status{0};
    };
    return XLASHAPE_STATUS_OK;
  };
  const Runtime runtime = api::make<Runtime>(xlashape_runtime_create, nullptr);
  works([&](auto* err) {
    return xlashape_runtime_add_backend(runtime.get(), "bare", 4, bare, nullptr, nullptr, 0, err);
  });
  uint64_t address;
  for (const int32_t space : {32, 63})
    EXPECT_EQ(message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_memory_alloc, runtime.get(), 0, space, 8, &address),
              "backend bare has no memory_alloc");
}

}  // namespace
