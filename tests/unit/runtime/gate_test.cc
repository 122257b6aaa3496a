// What stands between an executor and its tasks: what a hasty executor leaves running is waited for, and what it starts
// later does nothing, also where others run meanwhile.
#include "runtime/gate.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using xlashape::core::spread;

// What an executor was given.
struct Given {
  void* opaque = nullptr;
  xlashape_task task = nullptr;
  void run(int64_t index) const { task(opaque, index, 0); }
};
using Body = std::function<int32_t(int64_t count, Given given)>;

int32_t parallel_for(void* body, int64_t count, void* opaque, xlashape_task task) {
  return (*static_cast<Body*>(body))(count, {opaque, task});
}
int32_t run(Body body, int64_t count, std::function<void(int64_t)> task) {
  const xlashape_executor executor{sizeof executor, 4, &body, parallel_for, nullptr};
  return spread(executor, count, &task, [](void* opaque, int64_t index, uint32_t) {
    (*static_cast<std::function<void(int64_t)>*>(opaque))(index);
  });
}
int32_t all(int64_t count, Given given) {
  for (int64_t i = 0; i < count; ++i) given.run(i);
  return 0;
}

TEST(Gate, EachTaskOnce) {
  std::vector<int> runs(1000);
  EXPECT_EQ(run(all, 1000, [&](int64_t i) { ++runs[static_cast<size_t>(i)]; }), 0);
  EXPECT_EQ(runs, std::vector<int>(1000, 1));
  EXPECT_EQ(run([](int64_t, Given) { return 7; }, 3, [](int64_t) { FAIL(); }), 7);
}

// The tasks are let go by a thread that gives the executor's call time to return first.
void leave_running(const std::function<int32_t()>& leave) {
  std::atomic<int> running{0}, ended{0};
  std::atomic<bool> go{false};
  std::vector<std::thread> threads;
  const auto hasty = [&](int64_t count, Given given) {
    for (int64_t i = 0; i < count; ++i) threads.emplace_back([given, i] { given.run(i); });
    while (running < count) std::this_thread::yield();
    threads.emplace_back([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      go = true;
    });
    return leave();
  };
  const auto task = [&](int64_t) {
    ++running;
    while (!go) std::this_thread::yield();
    ++ended;
  };
  try {
    EXPECT_EQ(run(hasty, 3, task), 5);
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(ended, 3);
  for (std::thread& thread : threads) thread.join();
}

TEST(Gate, WaitsForWhatRuns) {
  leave_running([] { return 5; });
  leave_running([]() -> int32_t { throw std::runtime_error("mine"); });
}

TEST(Gate, TooLate) {
  Given kept;
  run([&](int64_t, Given given) { return kept = given, 0; }, 1, [](int64_t) { FAIL(); });
  kept.run(0);
  // Through the same gates, also the one that the late task had.
  for (int i = 0; i < 1000; ++i) {
    int runs = 0;
    const auto late = [&](int64_t count, Given given) {
      kept.run(0);
      return all(count, given);
    };
    EXPECT_EQ(run(late, 2, [&](int64_t) { ++runs; }), 0);
    EXPECT_EQ(runs, 2);
  }
}

// More calls within each other than there are gates.
TEST(Gate, MoreThanThereAre) {
  int runs = 0;
  const std::function<void(int64_t)> deeper = [&](int64_t) {
    if (++runs < 600) run(all, 1, deeper);
  };
  for (int i = 0; i < 3; ++i) {
    runs = 0;
    run(all, 1, deeper);
    EXPECT_EQ(runs, 600);
  }
}

// Two callers, and a thread that starts tasks of their latest call, in time or too late: none runs after its call.
TEST(Gate, Races) {
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::atomic<void*> latest{nullptr};
  std::atomic<xlashape_task> task{nullptr};
  const auto call = [&] {
    for (int i = 0; i < 20000; ++i) {
      std::atomic<bool> returned{false};
      const auto leak = [&](int64_t count, Given given) {
        task = given.task;
        latest = given.opaque;
        return all(count, given);
      };
      run(leak, 2, [&](int64_t) { wrong += returned; });
      returned = true;
    }
  };
  std::thread late([&] {
    while (!stop)
      if (void* const opaque = latest) task.load()(opaque, 0, 0);
  });
  std::thread beside(call);
  call();
  beside.join();
  stop = true;
  late.join();
  EXPECT_EQ(wrong, 0);
}

#ifdef __GLIBC__  // elsewhere the end of a thread destroys nothing
TEST(Gate, AThreadThatEndsWithinATask) {
  const auto ending = [](int64_t, Given given) {
    std::thread([given] { given.run(0); }).join();
    return 0;
  };
  EXPECT_EQ(run(ending, 1, [](int64_t) { pthread_exit(nullptr); }), 0);
}
#endif

}  // namespace
