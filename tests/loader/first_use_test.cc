// SPDX-License-Identifier: Apache-2.0
// Loading under threads and forks: sixteen first users, two runtimes, children of a loaded process.
#include <atomic>
#include <thread>

#include "loader.h"
#include "xlashape_runtime.h"

namespace {

using namespace loader;
using testing::HasSubstr;

TEST(FirstUse, SixteenThreadsAtOnce) {
  for (int round = 0; round < 10; ++round) {
    const Folder folder;
    folder.add("good"), folder.add("refuses"), folder.add("no_symbol");
    const Runtime runtime(folder.path());
    std::atomic<int> waiting{16}, right{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; ++i)
      threads.emplace_back([&, i] {
        --waiting;
        while (waiting > 0) std::this_thread::yield();
        if (i % 4 == 3) runtime.report();
        right += runtime.transpose(i % 3 == 0 ? "good" : nullptr) == "good";
      });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(right, 16) << runtime.report();
    EXPECT_EQ(xlashape_runtime_backend_count(runtime.get()), 4) << "each is there once";
  }
}

TEST(FirstUse, ByPathFromManyThreads) {
  const Folder folder;
  const std::string path = folder.add("good");
  const Runtime runtime;
  std::atomic<int> loaded{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { loaded += runtime.load(path).empty(); });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(loaded, 8);
  EXPECT_EQ(xlashape_runtime_backend_count(runtime.get()), 2);
}

TEST(FirstUse, TwoRuntimes) {
  const Folder folder;
  folder.add("good");
  const Runtime first(folder.path());
  EXPECT_EQ(first.transpose(), "good");
  {
    const Runtime second(folder.path());
    EXPECT_EQ(second.transpose(), "good");
    const Runtime empty;
    EXPECT_EQ(empty.transpose(), "scalar");
  }
  EXPECT_EQ(first.transpose(), "good") << "the other one's end is not ours";
}

// A logger that plans when a backend is told to be ready, here or on a thread that it waits for.
struct Planner {
  bool elsewhere;
  xlashape_runtime* runtime = nullptr;
  int calls = 0;

  static void log(void* opaque, int32_t, uint32_t, const char*, int64_t) {
    auto* self = static_cast<Planner*>(opaque);
    if (self->runtime == nullptr || self->calls++ > 0) return;
    int64_t needed = 0;
    xlashape_runtime_report(self->runtime, nullptr, 0, &needed, nullptr);
    if (self->elsewhere) {
      std::thread([self] { self->plan(); }).join();
    } else {
      self->plan();
    }
  }
  std::string plan() const {
    xlashape_shape *from = nullptr, *to = nullptr;
    xlashape_shape_parse("u8[3,4]{1,0}", 12, 0, &from, nullptr);
    xlashape_shape_parse("u8[3,4]{0,1}", 12, 0, &to, nullptr);
    xlashape_plan* made = nullptr;
    EXPECT_EQ(xlashape_plan_create(runtime, from, to, nullptr, &made, nullptr), XLASHAPE_STATUS_OK);
    const std::string backend = xlashape_plan_backend(made);
    xlashape_plan_release(made);
    xlashape_shape_release(from);
    xlashape_shape_release(to);
    return backend;
  }
};

TEST(FirstUse, HooksMayCall) {
  for (const bool elsewhere : {false, true}) {
    Planner planner{elsewhere};
    const Folder folder;
    folder.add("good");
    auto logger = XLASHAPE_INIT(xlashape_logger);
    logger.opaque = &planner;
    logger.log = Planner::log;
    auto options = XLASHAPE_INIT(xlashape_runtime_options);
    options.flags = kAlone;
    options.backend_dirs = folder.path().c_str();
    options.logger = &logger;
    ASSERT_EQ(xlashape_runtime_create(&options, &planner.runtime, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_EQ(planner.plan(), "good");
    EXPECT_GT(planner.calls, 0);
    xlashape_runtime_release(planner.runtime);
  }
}

TEST(Fork, ChildUsesWhatWasLoaded) {
  const Folder folder;
  folder.add("good");
  const Runtime runtime(folder.path());
  ASSERT_EQ(runtime.transpose(), "good");
  EXPECT_EQ(in_child([&] { return runtime.transpose() == "good" ? 0 : 1; }), 0);
  EXPECT_EQ(runtime.transpose(), "good");
}

}  // namespace
