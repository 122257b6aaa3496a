// A GPU backend's shared object, opened as the core does, and the tests that every one of them runs.
#pragma once
#include <dlfcn.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "gpu/cases.h"
#include "gpu/device_proxy.h"

namespace xlashape::testing {

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
  OnDevice(OpenFunction open, xlashape_memory_space space, DeviceProxy::Sides sides)
      : inner(open, 0, 0),
        proxy_(inner.table, space, sides),
        outer(
            [&](const xlashape_host*, xlashape_backend* table, xlashape_error*) {
              proxy_.fill(table);
              return XLASHAPE_OK;
            },
            0, 0) {}

  OpenedBackend inner;

 private:
  DeviceProxy proxy_;

 public:
  OpenedBackend outer;
};

inline void run_every_kernel(const OnDevice& device, const std::string& name) {
  Tally tally;
  Random random(1);
  for (const NamedCase& named : kernel_cases()) {
    const Case c = case_of(named);
    const std::string line = description_of(device.outer, c);
    EXPECT_EQ(line.find(name + " " + named.kernel), 0u) << c.name() << "\n" << line;
    check_relayout(device.outer, random, c, &tally);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

// Under a sanitizer fewer: it does not see into compiled kernels, and the host dialect has been through more.
#if defined(__SANITIZE_ADDRESS__)
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
  EXPECT_EQ(tally.taken, count);
}

inline void run_indices(const OnDevice& device, int count) {
  for (int i = 0; i < count && !::testing::Test::HasFailure(); ++i) {
    Random random(static_cast<uint64_t>(i) + 1);
    check_indices(device.outer, random, *index_array(random));
  }
}

}  // namespace xlashape::testing
