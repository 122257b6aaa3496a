// SPDX-License-Identifier: Apache-2.0
// The GPU kernels as host C++ against the reference walker: each thread a fiber, the threads of a block in three
// orders, the planner held to general kernels and to lower alignments too. Meant to run under sanitizers, which see
// what a kernel touches beyond its buffers.
#include "backends/common/sanitizer.h"
#include "backends/gpu/host/backend.h"
#include "backends/gpu/host/machine.h"
#include "gpu/cases.h"
#include "unit/huge_relayout.h"

namespace xlashape::core {
namespace {

using gpu::Effort;
using gpu::host::Settings;
using gpu::host::ThreadOrder;
using testing::Case;
using testing::OpenedBackend;
using testing::Random;
using testing::Tally;

OpenedBackend opened(const Settings& settings) {
  return OpenedBackend([&](const xlashape_host* host, xlashape_backend* table,
                           xlashape_error* err) { return gpu::host::open(host, settings, table, err); },
                       0, 0);
}

struct Way {
  const char* name;
  Settings settings;
  ThreadOrder order;
};
const Way kWays[] = {
    {"forward", {}, ThreadOrder::kForward},
    {"reverse", {}, ThreadOrder::kReverse},
    {"shuffled", {}, ThreadOrder::kShuffled},
    {"nvidia_forward", {Effort::kNvidia, 16}, ThreadOrder::kForward},
    {"nvidia_reverse", {Effort::kNvidia, 16}, ThreadOrder::kReverse},
    {"nvidia_shuffled", {Effort::kNvidia, 16}, ThreadOrder::kShuffled},
    {"no_shared_memory", {Effort::kNoShared, 16}, ThreadOrder::kForward},
    {"wide_indices", {Effort::kWide, 16}, ThreadOrder::kForward},
    {"aligned_to_4", {Effort::kBest, 4}, ThreadOrder::kShuffled},
    {"aligned_to_1", {Effort::kBest, 1}, ThreadOrder::kForward},
    {"programs", {Effort::kProgramOnly, 16}, ThreadOrder::kForward},
};

void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

class HostGpu : public ::testing::TestWithParam<Way> {
 protected:
  void SetUp() override { gpu::host::set_order(GetParam().order); }
  void TearDown() override { EXPECT_EQ(gpu::host::live_buffers(), 0); }

  void run(int count, Case (*make)(Random&)) {
    const OpenedBackend backend = opened(GetParam().settings);
    Tally tally;
#if XLASHAPE_ADDRESS_SANITIZER
    count /= 2;  // each takes ten times as long
#endif
    for (int i = 0; i < count && !HasFatalFailure(); ++i) {
      Random random(static_cast<uint64_t>(i) + 1);
      testing::check_relayout(backend, random, make(random), &tally);
      if (HasFatalFailure()) ADD_FAILURE() << "seed " << i + 1;
    }
    EXPECT_TRUE(HasFatalFailure() || tally.taken + tally.scattered == count) << tally.taken;
  }
};

TEST_P(HostGpu, EveryKernel) {
  const OpenedBackend backend = opened(GetParam().settings);
  Tally tally;
  Random random(1);
  for (const testing::NamedCase& named : testing::kernel_cases()) {
    const Case c = testing::case_of(named);
    const std::string line = testing::description(backend, c);
    if (GetParam().settings.effort <= Effort::kBest && GetParam().settings.alignment == 16) {
      const std::string kernel =
          GetParam().settings.effort == Effort::kNvidia ? testing::on_nvidia(named.kernel) : named.kernel;
      EXPECT_EQ(line.find("host " + kernel + " "), 0u) << c.name() << "\n" << line;
    }
    testing::check_relayout(backend, random, c, &tally);
    if (HasFatalFailure()) return;
  }
  for (const Case& c : testing::box_cases()) testing::check_relayout(backend, random, c, &tally);
}

TEST_P(HostGpu, RandomCases) { run(80, testing::random_case); }
TEST_P(HostGpu, Planes) { run(25, testing::plane_case); }
TEST_P(HostGpu, Factors) { run(40, testing::factors_case); }

TEST_P(HostGpu, PlansWhatNoMemoryHolds) {
  testing::plan_huge_cases(opened(GetParam().settings), "host", testing::case_count(400), 10);
}

TEST_P(HostGpu, Indices) {
  const OpenedBackend backend = opened(GetParam().settings);
  for (int i = 0; i < 60 && !HasFatalFailure(); ++i) {
    Random random(static_cast<uint64_t>(i) + 1);
    testing::check_indices(backend, random, *testing::index_array(random));
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, HostGpu, ::testing::ValuesIn(kWays),
                         [](const auto& info) { return std::string(info.param.name); });

// In the end, every kernel has been run, whichever way led to it.
class Coverage : public ::testing::Environment {
  void TearDown() override {
    if (::testing::GTEST_FLAG(filter) != "*") return;
    for (int k = 0; k < gpu::kKernels; ++k)
      EXPECT_GT(gpu::host::launches(static_cast<gpu::Kernel>(k)), 0) << gpu::kKernelNames[k] << " was never launched";
  }
};
const auto* const g_coverage = ::testing::AddGlobalTestEnvironment(new Coverage);

TEST(HostMachine, CopiesThatAreWaitedFor) {
  alignas(16) static thread_local unsigned char to[8][16];
  static constexpr unsigned char from[16] = {1, 2, 3};
  const auto ask = [](void*) { gpu::host::copy_later(to[gpu::host::place().thread], from); };
  EXPECT_STREQ(gpu::host::run(1, 8, ask, nullptr), "a thread ended without waiting for its copies");
  EXPECT_EQ(to[3][0], 0);
  const auto wait = [](void*) {
    gpu::host::copy_later(to[gpu::host::place().thread], from);
    gpu::host::finish_copies();
  };
  EXPECT_EQ(gpu::host::run(1, 8, wait, nullptr), nullptr);
  EXPECT_EQ(to[3][2], 3);
}

TEST(HostMachine, SaysWhenThreadsDivergeAtABarrier) {
  const auto body = [](void*) {
    if (gpu::host::place().thread < 3) gpu::host::barrier();
  };
  EXPECT_STREQ(gpu::host::run(1, 8, body, nullptr),
               "barrier divergence: some threads of a block ended while others wait");
  EXPECT_EQ(gpu::host::run(
                2, 8, [](void*) { gpu::host::barrier(); }, nullptr),
            nullptr);
}

}  // namespace
}  // namespace xlashape::core
