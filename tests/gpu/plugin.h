/* SPDX-License-Identifier: Apache-2.0 */
// A GPU backend's shared object, opened as the core does, and the tests that every one of them runs.
#pragma once
#include <dlfcn.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "backends/common/sanitizer.h"
#include "gpu/cases.h"
#include "gpu/device_proxy.h"

namespace xlashape::core::testing {

using OpenFunction = xlashape_status (*)(const xlashape_host*, xlashape_backend*, xlashape_error*);

// Of the plugin at `path`; it stays loaded.
inline OpenFunction open_function(const std::string& path, const std::string& name) {
  void* object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (object == nullptr) throw std::runtime_error(dlerror());
  void* symbol = dlsym(object, ("xlashape_backend_open_" + name).c_str());
  if (symbol == nullptr) throw std::runtime_error(path + " does not open " + name);
  return reinterpret_cast<OpenFunction>(symbol);
}

// A backend whose buffers lie where `sides` says.
class OnDevice {
 public:
  OnDevice(OpenFunction open, xlashape_memory_space space, DeviceProxy::Sides sides, HostOption option = {})
      : inner(open, 0, 0, option),
        proxy_(inner.table, space, sides),
        outer(
            [&](const xlashape_host*, xlashape_backend* table, xlashape_error*) {
              proxy_.fill(table);
              return XLASHAPE_STATUS_OK;
            },
            0, 0) {}

  OpenedBackend inner;

 private:
  DeviceProxy proxy_;

 public:
  OpenedBackend outer;
};

inline void run_every_kernel(const OnDevice& device, const std::string& name, bool nvidia) {
  Tally tally;
  Random random(1);
  for (const NamedCase& named : kernel_cases()) {
    const Case c = case_of(named);
    const std::string line = description(device.outer, c);
    const std::string kernel = nvidia ? on_nvidia(named.kernel) : named.kernel;
    EXPECT_EQ(line.find(name + " " + kernel + " "), 0u) << c.name() << "\n" << line;
    check_relayout(device.outer, random, c, &tally);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

// Under a sanitizer fewer: it does not see into compiled kernels, and the host dialect has been through more.
#if XLASHAPE_ADDRESS_SANITIZER
inline constexpr int kOneOf = 4;
#else
inline constexpr int kOneOf = 1;
#endif

inline void run_random(const OnDevice& device, int count, Case (*make)(Random&)) {
  Tally tally;
  count = std::max(1, count / kOneOf);
  for (int i = 0; i < count; ++i) {
    Random random(static_cast<uint64_t>(i) + 1);
    check_relayout(device.outer, random, make(random), &tally);
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "seed " << i + 1;
      return;
    }
  }
  EXPECT_EQ(tally.taken + tally.scattered, count);
}

// One plan with tables, on four threads at once, each with a destination of its own.
inline void run_on_threads(const OpenedBackend& backend, xlashape_memory_space space) {
  const Case c = case_of({"s4[133,77]{1,0}", "s4[133,77]{0,1:E(4)}", ""});
  alignas(16) char memory[16384];
  Arena arena(memory, sizeof memory);
  xlashape_relayout_ir ir;
  auto err = XLASHAPE_INIT(xlashape_error);
  ASSERT_EQ(build_relayout(c.request, arena, &ir, &err), XLASHAPE_STATUS_OK) << err.message;
  auto op = XLASHAPE_INIT(xlashape_op);
  op.kind = XLASHAPE_OP_RELAYOUT;
  op.src_space = op.dst_space = space;
  op.relayout = &ir;
  const xlashape_backend& t = backend.table;
  const auto copy = [&](uint64_t to, int32_t to_space, uint64_t from, int32_t from_space, int64_t bytes) {
    return t.memory_copy(t.self, 0, from, from_space, to, to_space, bytes, &kNoQueue, nullptr);
  };
  std::vector<unsigned char> in(static_cast<size_t>(ir.src_high)), want(static_cast<size_t>(ir.dst_high));
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i * 37);
  reference::relayout(ir, in.data(), want.data());
  uint64_t src = 0;
  ASSERT_EQ(t.memory_alloc(t.self, 0, space, ir.src_high, &src, &err), XLASHAPE_STATUS_OK) << err.message;
  ASSERT_EQ(copy(src, space, reinterpret_cast<uint64_t>(in.data()), XLASHAPE_SPACE_CPU, ir.src_high),
            XLASHAPE_STATUS_OK);
  int64_t bytes, alignment;
  t.plan_size(t.self, &op, &bytes, &alignment, nullptr);
  std::vector<std::max_align_t> storage(static_cast<size_t>(bytes) / sizeof(std::max_align_t) + 1);
  ASSERT_EQ(t.plan_init(t.self, &op, storage.data(), &err), XLASHAPE_STATUS_OK) << err.message;
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int n = 0; n < 5; ++n) {
        uint64_t dst = 0;
        if (t.memory_alloc(t.self, 0, space, ir.dst_high, &dst, nullptr)) return;
        auto run = XLASHAPE_INIT(xlashape_run);
        run.src = src;
        run.dst = dst;
        run.task_end = run.task_count = 1;
        std::vector<unsigned char> got(want.size());
        if (t.plan_execute(t.self, storage.data(), &op, &run, nullptr)) return;
        if (copy(reinterpret_cast<uint64_t>(got.data()), XLASHAPE_SPACE_CPU, dst, space, ir.dst_high)) return;
        t.memory_free(t.self, 0, dst, space, nullptr);
        right += got == want;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 20);
  t.plan_destroy(t.self, storage.data());
  t.memory_free(t.self, 0, src, space, nullptr);
}

inline void run_indices(const OnDevice& device, int count) {
  for (int i = 0; i < count && !::testing::Test::HasFailure(); ++i) {
    Random random(static_cast<uint64_t>(i) + 1);
    check_indices(device.outer, random, *index_array(random));
  }
}

}  // namespace xlashape::core::testing
