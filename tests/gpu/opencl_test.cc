// SPDX-License-Identifier: Apache-2.0
// The opencl backend on whatever device OpenCL has here: both sides on the device, one, and none. Every device buffer
// has canaries. Argument: the plugin.
#include "gpu/plugin.h"

namespace xlashape::core {
namespace {

using testing::DeviceProxy;
using testing::OnDevice;

testing::OpenFunction open_plugin = nullptr;

struct Where {
  const char* name;
  DeviceProxy::Sides sides;
};

void PrintTo(const Where& where, std::ostream* out) { *out << where.name; }

class OpenCl : public ::testing::TestWithParam<Where> {
 protected:
  OpenCl() : device_(open_plugin, XLASHAPE_SPACE_OPENCL, GetParam().sides) {}
  bool all_on_device() const { return GetParam().sides.src && GetParam().sides.dst; }
  const OnDevice device_;
};

TEST_P(OpenCl, EveryKernel) { testing::run_every_kernel(device_, "opencl", false); }
TEST_P(OpenCl, RandomCases) { testing::run_random(device_, all_on_device() ? 200 : 40, testing::random_case); }
TEST_P(OpenCl, Planes) { testing::run_random(device_, all_on_device() ? 60 : 10, testing::plane_case); }
TEST_P(OpenCl, Factors) { testing::run_random(device_, all_on_device() ? 80 : 10, testing::factors_case); }
TEST_P(OpenCl, Indices) { testing::run_indices(device_, all_on_device() ? 60 : 10); }

TEST_P(OpenCl, OnePlanOnFourThreads) {
  if (all_on_device()) testing::run_on_threads(device_.inner, XLASHAPE_SPACE_OPENCL);
}

TEST_P(OpenCl, TellsItsDevices) {
  const xlashape_backend& table = device_.inner.table;
  ASSERT_GE(table.device_count(table.self), 1);
  char text[512];
  for (const int32_t device : {0, 1}) {
    EXPECT_GT(table.device_info(table.self, device, text, sizeof text), 0);
    EXPECT_NE(std::string(text).find("OpenCL"), std::string::npos) << text;
  }
  EXPECT_EQ(table.device_info(table.self, 99, text, sizeof text), 0);
}

INSTANTIATE_TEST_SUITE_P(Memory, OpenCl,
                         ::testing::Values(Where{"device", {true, true}}, Where{"to_device", {false, true}},
                                           Where{"from_device", {true, false}}, Where{"host", {false, false}}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace xlashape::core

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (argc != 2) return 2;
  xlashape::core::open_plugin = xlashape::core::testing::open_function(argv[1], "opencl");
  return RUN_ALL_TESTS();
}
