/* SPDX-License-Identifier: Apache-2.0 */
// Index plans on device memory through the public interface, held against batches on the CPU. `Device` is the caller's
// side of an API:
//
//   struct Device {
//     static constexpr int32_t kSpace, kQueueKind;
//     uint64_t queue() const;
//     uint64_t alloc(int64_t bytes);  // an address, or a cl_mem
//     void free(uint64_t memory);
//     // Behind what is on the queue; both wait.
//     void write(uint64_t memory, int64_t offset, const void* from, int64_t bytes);
//     void read(void* to, uint64_t memory, int64_t offset, int64_t bytes);
//     void wait();   // for the queue
//     void enter();  // before another thread uses it
//   };
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "byte_count.h"
#include "xlashape_runtime.h"

namespace xlashape::core::testing {

using Ints = std::vector<int64_t>;
inline constexpr int64_t kOld = -77;
inline constexpr int64_t kGuard = 16;  // entries round each buffer

struct Released {
  void operator()(xlashape_index_map* map) const { xlashape_index_map_release(map); }
  void operator()(xlashape_index_plan* plan) const { xlashape_index_plan_release(plan); }
};
using Map = std::unique_ptr<xlashape_index_map, Released>;
using IndexPlan = std::unique_ptr<xlashape_index_plan, Released>;

inline Map map_of(const std::string& text) {
  xlashape_shape* shape = nullptr;
  xlashape_index_map* map = nullptr;
  EXPECT_EQ(xlashape_shape_parse(text.data(), text.size(), 0, &shape, nullptr), XLASHAPE_STATUS_OK) << text;
  EXPECT_EQ(xlashape_index_map_create(shape, &map, nullptr), XLASHAPE_STATUS_OK) << text;
  xlashape_shape_release(shape);
  return Map(map);
}

struct Steps {
  int64_t index, dimension;
};

inline IndexPlan plan_of(const Map& map, int32_t conversion, uint32_t flags, Steps steps, int32_t src_space,
                         int32_t dst_space) {
  auto options = XLASHAPE_INIT(xlashape_index_options);
  options.flags = flags;
  options.index_step = steps.index;
  options.dimension_step = steps.dimension;
  options.src_space = src_space;
  options.dst_space = dst_space;
  xlashape_index_plan* plan = nullptr;
  auto err = XLASHAPE_INIT(xlashape_error);
  EXPECT_EQ(xlashape_index_plan_create(nullptr, map.get(), conversion, &options, &plan, &err), XLASHAPE_STATUS_OK)
      << err.message;
  return IndexPlan(plan);
}

// The same on the CPU. Fails with the first bad entry in *index where that ends it.
inline xlashape_status on_cpu(const Map& map, int32_t conversion, int64_t count, const Ints& in, Ints* out, Steps steps,
                              uint32_t flags, int64_t* bad, int64_t* index) {
  auto err = XLASHAPE_INIT(xlashape_error);
  const IndexPlan plan = plan_of(map, conversion, flags, steps, XLASHAPE_SPACE_CPU, XLASHAPE_SPACE_CPU);
  const xlashape_status status = xlashape_index_plan_execute(plan.get(), count, in.data(), byte_count(in), out->data(),
                                                             byte_count(*out), bad, &err);
  *index = err.index;
  return status;
}

// Maps without sums of few and of many positions, with sums, with more values than the small kernels hold,
// with padding.
inline std::vector<std::string> index_shapes() {
  std::string bounds, order;
  for (int i = 0; i < 70; ++i) {
    bounds += (i > 0 ? "," : "") + std::string(i % 12 == 5 ? "3" : "1");
    order += (i > 0 ? "," : "") + std::to_string(69 - i);
  }
  return {"f32[3,5]",
          "u8[100,20,1,4]{0,3,1,2}",
          "f32[128,3,9000000]{2,1,0}",
          "f32[100,300]{1,0:T(8,128)}",
          "bf16[6,5]{1,0:T(3,5)(2,1)L(64)}",
          "f32[70000,40000]{0,1:T(8,128)}",
          "s4[7]",
          "f32[" + bounds + "]{" + order + ":T(2,2)}"};
}

// Numbers of one side in device memory, with guards.
template <class Device>
class OnDevice {
 public:
  OnDevice(Device& device, const Ints& numbers) : device_(device), numbers_(2 * kGuard + numbers.size(), kOld) {
    std::copy(numbers.begin(), numbers.end(), numbers_.begin() + kGuard);
    memory = device.alloc(bytes());
    device.write(memory, 0, numbers_.data(), bytes());
  }
  ~OnDevice() { device_.free(memory); }
  OnDevice(const OnDevice&) = delete;
  int64_t bytes() const { return static_cast<int64_t>(8 * numbers_.size()); }
  Ints fetch() {
    device_.read(numbers_.data(), memory, 0, bytes());
    for (size_t i = 0; i < kGuard; ++i) EXPECT_EQ(numbers_[i], kOld) << "written before the buffer";
    for (size_t i = 1; i <= kGuard; ++i) EXPECT_EQ(numbers_[numbers_.size() - i], kOld) << "written behind the buffer";
    return Ints(numbers_.begin() + kGuard, numbers_.end() - kGuard);
  }
  uint64_t memory = 0;

 private:
  Device& device_;
  Ints numbers_;
};

// Where the numbers are in their buffers; a side that is null is not on the device.
template <class Device>
xlashape_execute_options exec_of(const OnDevice<Device>* src, const OnDevice<Device>* dst) {
  auto exec = XLASHAPE_INIT(xlashape_execute_options);
  if (src != nullptr) exec.src = src->memory, exec.src_bytes = src->bytes(), exec.src_byte_offset = 8 * kGuard;
  if (dst != nullptr) exec.dst = dst->memory, exec.dst_bytes = dst->bytes(), exec.dst_byte_offset = 8 * kGuard;
  return exec;
}
// The same on the device's queue.
template <class Device>
xlashape_execute_options queued(const Device& device, xlashape_execute_options exec) {
  exec.queue.kind = Device::kQueueKind;
  exec.queue.handle = device.queue();
  return exec;
}

// One batch with bad entries, if wished, and what becomes of it on the CPU.
struct Batch {
  Batch(const Map& map, int32_t conversion, int64_t count, Steps steps, int bad_percent, std::mt19937_64& random)
      : map(map), conversion(conversion), count(count), steps(steps) {
    const int64_t rank = xlashape_index_map_rank(map.get());
    const auto positions = static_cast<uint64_t>(xlashape_index_map_storage_elements(map.get()));
    const auto size = static_cast<size_t>((count - 1) * steps.index + (rank - 1) * steps.dimension + 1);
    Ints linear(static_cast<size_t>(count)), index(size, kOld), one(static_cast<size_t>(rank));
    for (size_t i = 0; i < linear.size(); ++i) {
      int32_t is_padding = 0;
      do {
        linear[i] = static_cast<int64_t>(random() % positions);
        xlashape_index_map_multidimensional_index(map.get(), linear[i], one.data(), rank, &is_padding, nullptr);
      } while (is_padding != 0);
      if (random() % 100 < static_cast<uint64_t>(bad_percent)) {
        const int64_t wrong[] = {-1, INT64_MIN, INT64_MAX, static_cast<int64_t>(positions)};
        linear[i] = wrong[random() % 4];
        one[random() % one.size()] = wrong[random() % 3];
      }
      for (int64_t d = 0; d < rank; ++d)
        index[i * static_cast<size_t>(steps.index) + static_cast<size_t>(d * steps.dimension)] =
            one[static_cast<size_t>(d)];
    }
    in = conversion == XLASHAPE_CONVERSION_TO_LINEAR ? index : linear;
    out.assign(conversion == XLASHAPE_CONVERSION_TO_LINEAR ? linear.size() : size, kOld);
    want = out;
    EXPECT_EQ(on_cpu(map, conversion, count, in, &want, steps, XLASHAPE_INDEX_MARK_INVALID, &bad, &first_invalid),
              XLASHAPE_STATUS_OK);
    Ints other = out;
    on_cpu(map, conversion, count, in, &other, steps, 0, nullptr, &first_invalid);
  }
  const Map& map;
  int32_t conversion;
  int64_t count;
  Steps steps;
  Ints in, out, want;                  // want: with what is bad marked
  int64_t bad = 0, first_invalid = 0;  // the latter only where there is one
};

template <class Device>
void check(Device& device, const Batch& b) {
  auto err = XLASHAPE_INIT(xlashape_error);
  OnDevice<Device> src(device, b.in);
  for (const bool on_queue : {true, false}) {
    OnDevice<Device> dst(device, b.out);
    const xlashape_execute_options exec = exec_of(&src, &dst), enqueues = queued(device, exec);
    const IndexPlan plan =
        plan_of(b.map, b.conversion, XLASHAPE_INDEX_MARK_INVALID, b.steps, Device::kSpace, Device::kSpace);
    int64_t bad = kOld;
    ASSERT_EQ(xlashape_index_plan_execute_with(plan.get(), b.count, on_queue ? &enqueues : &exec,
                                               on_queue ? nullptr : &bad, &err),
              XLASHAPE_STATUS_OK)
        << err.message;
    if (!on_queue) {
      ASSERT_EQ(bad, b.bad);
    }
    ASSERT_EQ(dst.fetch(), b.want) << (on_queue ? "on a queue" : "waiting");
  }
  // Without marks: up to the first bad one.
  OnDevice<Device> dst(device, b.out);
  const xlashape_execute_options exec = exec_of(&src, &dst), enqueues = queued(device, exec);
  const IndexPlan strict = plan_of(b.map, b.conversion, 0, b.steps, Device::kSpace, Device::kSpace);
  int64_t bad = kOld;
  const xlashape_status status = xlashape_index_plan_execute_with(strict.get(), b.count, &exec, &bad, &err);
  if (b.bad == 0) {
    ASSERT_EQ(status, XLASHAPE_STATUS_OK) << err.message;
    ASSERT_EQ(bad, 0);
    ASSERT_EQ(dst.fetch(), b.want);
  } else {
    ASSERT_EQ(status, XLASHAPE_STATUS_OUT_OF_RANGE);
    ASSERT_EQ(err.index, b.first_invalid) << err.message;
    ASSERT_EQ(bad, kOld);
    const Ints got = dst.fetch();
    const bool to_linear = b.conversion == XLASHAPE_CONVERSION_TO_LINEAR;
    const int64_t rank = to_linear ? 1 : xlashape_index_map_rank(b.map.get()), step = to_linear ? 1 : b.steps.index;
    for (int64_t i = 0; i < b.first_invalid; ++i)
      for (int64_t d = 0; d < rank; ++d) {
        const auto at = static_cast<size_t>(i * step + d * b.steps.dimension);
        ASSERT_EQ(got[at], b.want[at]) << "entry " << i;
      }
  }
  ASSERT_EQ(xlashape_index_plan_execute_with(strict.get(), b.count, &enqueues, nullptr, &err),
            XLASHAPE_STATUS_UNSUPPORTED);
  // One side on the host: such a call waits.
  if (b.count > 1000) return;
  const IndexPlan to_device =
      plan_of(b.map, b.conversion, XLASHAPE_INDEX_MARK_INVALID, b.steps, XLASHAPE_SPACE_CPU, Device::kSpace);
  OnDevice<Device> there(device, b.out);
  xlashape_execute_options to_there = exec_of<Device>(nullptr, &there);
  to_there.src = reinterpret_cast<uint64_t>(b.in.data()), to_there.src_bytes = byte_count(b.in);
  const auto from_host = [&](const xlashape_execute_options& how) {
    return xlashape_index_plan_execute_with(to_device.get(), b.count, &how, nullptr, &err);
  };
  ASSERT_EQ(from_host(to_there), XLASHAPE_STATUS_OK) << err.message;
  ASSERT_EQ(there.fetch(), b.want);
  ASSERT_EQ(from_host(queued(device, to_there)), XLASHAPE_STATUS_UNSUPPORTED);
  const IndexPlan from_device =
      plan_of(b.map, b.conversion, XLASHAPE_INDEX_MARK_INVALID, b.steps, Device::kSpace, XLASHAPE_SPACE_CPU);
  Ints here = b.out;
  xlashape_execute_options from_there = exec_of<Device>(&src, nullptr);
  from_there.dst = reinterpret_cast<uint64_t>(here.data()), from_there.dst_bytes = byte_count(here);
  ASSERT_EQ(xlashape_index_plan_execute_with(from_device.get(), b.count, &from_there, nullptr, &err),
            XLASHAPE_STATUS_OK)
      << err.message;
  ASSERT_EQ(here, b.want);
}

// Every shape, both ways, in the usual arrangements and with gaps, with and without bad entries.
template <class Device>
void check_index_plans(Device& device, const char* backend) {
  std::mt19937_64 random(3);
  for (const std::string& text : index_shapes()) {
    SCOPED_TRACE(text);
    const Map map = map_of(text);
    const int64_t rank = xlashape_index_map_rank(map.get());
    for (const int32_t conversion : {XLASHAPE_CONVERSION_TO_LINEAR, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL})
      for (const int64_t count : {int64_t{1}, int64_t{300}, int64_t{2000}})
        for (const Steps steps : {Steps{rank, 1}, Steps{1, count}, Steps{1, count + 3}, Steps{2 * rank + 1, 2}}) {
          check(device, Batch(map, conversion, count, steps, 0, random));
          check(device, Batch(map, conversion, count, steps, 3, random));
          if (::testing::Test::HasFatalFailure()) return;
        }
    const IndexPlan plan = plan_of(map, XLASHAPE_CONVERSION_TO_LINEAR, 0, {rank, 1}, Device::kSpace, Device::kSpace);
    EXPECT_STREQ(xlashape_index_plan_backend(plan.get()), backend);
    char words[256];
    int64_t needed;
    EXPECT_EQ(xlashape_index_plan_describe(plan.get(), words, sizeof words, &needed, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_NE(std::string(words).find("xs_to_linear"), std::string::npos) << words;
  }
}

// A scalar's indices have no entries, but the device must know a buffer.
template <class Device>
void check_scalars(Device& device) {
  const Map map = map_of("f32[]");
  auto err = XLASHAPE_INIT(xlashape_error);
  OnDevice<Device> linear(device, {0, 0, 1}), index(device, {}), out(device, {kOld, kOld, kOld});
  xlashape_execute_options there = exec_of(&index, &out);
  const xlashape_execute_options back = exec_of(&linear, &index);
  int64_t bad = kOld;
  const Steps steps{0, 0};
  const IndexPlan to_linear = plan_of(map, XLASHAPE_CONVERSION_TO_LINEAR, 0, steps, Device::kSpace, Device::kSpace);
  ASSERT_EQ(xlashape_index_plan_execute_with(to_linear.get(), 3, &there, nullptr, &err), XLASHAPE_STATUS_OK)
      << err.message;
  EXPECT_EQ(out.fetch(), (Ints{0, 0, 0}));
  there.src = 0, there.src_bytes = XLASHAPE_UNCHECKED;
  EXPECT_EQ(xlashape_index_plan_execute_with(to_linear.get(), 3, &there, nullptr, &err),
            XLASHAPE_STATUS_INVALID_ARGUMENT);
  const IndexPlan to_multi = plan_of(map, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, XLASHAPE_INDEX_MARK_INVALID, steps,
                                     Device::kSpace, Device::kSpace);
  ASSERT_EQ(xlashape_index_plan_execute_with(to_multi.get(), 3, &back, &bad, &err), XLASHAPE_STATUS_OK) << err.message;
  EXPECT_EQ(bad, 1);
  EXPECT_EQ(index.fetch(), Ints());
}

// What lies on a queue leaves alone what a waiting execution of the same plan counts.
template <class Device>
void check_queue_beside_waiting(Device& device) {
  const Map map = map_of("f32[100,300]{1,0:T(8,128)}");
  std::mt19937_64 random(5);
  const Batch much(map, XLASHAPE_CONVERSION_TO_LINEAR, 5000, {2, 1}, 100, random),
      few(map, XLASHAPE_CONVERSION_TO_LINEAR, 5000, {2, 1}, 1, random);
  const IndexPlan plan =
      plan_of(map, XLASHAPE_CONVERSION_TO_LINEAR, XLASHAPE_INDEX_MARK_INVALID, {2, 1}, Device::kSpace, Device::kSpace);
  OnDevice<Device> much_src(device, much.in), much_dst(device, much.out), few_src(device, few.in),
      few_dst(device, few.out);
  const xlashape_execute_options enqueues = queued(device, exec_of(&much_src, &much_dst)),
                                 waits = exec_of(&few_src, &few_dst);
  std::atomic<bool> done{false};
  std::atomic<int> failures{0}, runs{0};
  std::thread enqueuing([&] {
    device.enter();
    while (!done) {
      failures +=
          xlashape_index_plan_execute_with(plan.get(), much.count, &enqueues, nullptr, nullptr) != XLASHAPE_STATUS_OK;
      device.wait();
      ++runs;
    }
  });
  while (runs == 0) std::this_thread::yield();
  for (int i = 0; i < 60; ++i) {
    int64_t bad = kOld;
    EXPECT_EQ(xlashape_index_plan_execute_with(plan.get(), few.count, &waits, &bad, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_EQ(bad, few.bad) << i;
  }
  done = true;
  enqueuing.join();
  EXPECT_EQ(failures, 0);
  EXPECT_GT(few.bad, 0);
  EXPECT_EQ(much_dst.fetch(), much.want);
  EXPECT_EQ(few_dst.fetch(), few.want);
}

}  // namespace xlashape::core::testing
