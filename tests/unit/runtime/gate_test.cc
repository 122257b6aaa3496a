// SPDX-License-Identifier: Apache-2.0
// What stands between an executor and its tasks: what a hasty executor leaves running is waited for, and what it starts
// later does nothing, also where others run meanwhile.
#include "runtime/gate.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "xlashape_runtime.h"

namespace {

using xlashape::core::Spread;
using xlashape::core::spread;

// What an executor was given.
struct Given {
  void* opaque = nullptr;
  xlashape_task_fn task = nullptr;
  void run(int64_t index) const { task(opaque, index, 0); }
};
using Body = std::function<int32_t(int64_t count, Given given)>;

int32_t parallel_for(void* body, int64_t count, void* opaque, xlashape_task_fn task) {
  return (*static_cast<Body*>(body))(count, {opaque, task});
}
Spread run(Body body, int64_t count, std::function<void(int64_t)> task) {
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
  EXPECT_EQ(run(all, 1000, [&](int64_t i) { ++runs[static_cast<size_t>(i)]; }), Spread::kWhole);
  EXPECT_EQ(runs, std::vector<int>(1000, 1));
}

// What executors must not do, and are told by.
TEST(Gate, WhatIsNotWhole) {
  const auto nothing = [](int64_t) {};
  EXPECT_EQ(run([](int64_t, Given) { return 7; }, 3, nothing), Spread::kGaveUp);
  EXPECT_EQ(run([](int64_t, Given) { return 0; }, 3, nothing), Spread::kNotWhole);
  EXPECT_EQ(run([](int64_t, Given) -> int32_t { throw 7; }, 3, nothing), Spread::kThrew);
  EXPECT_THROW(run([](int64_t, Given) -> int32_t { throw std::bad_alloc(); }, 3, nothing), std::bad_alloc);
  for (const std::vector<int64_t>& indices : {std::vector<int64_t>{0, 1},
                                              {0, 1, 1},
                                              {0, 1, 2, 2},
                                              {0, 1, 2, 3},
                                              {0, 1, -1},
                                              {0, 1, 2, INT64_MIN},
                                              {0, 1, INT64_MAX}}) {
    std::vector<int64_t> ran;
    const auto some = [&](int64_t, Given given) {
      for (const int64_t i : indices) given.run(i);
      return 0;
    };
    EXPECT_EQ(run(some, 3, [&](int64_t i) { ran.push_back(i); }), Spread::kNotWhole);
    for (const int64_t i : ran) EXPECT_TRUE(i >= 0 && i < 3) << i;
  }
}

// The tasks are let go by a thread that gives the executor's call time to return first.
void leave_running(const std::function<int32_t()>& leave, Spread expected) {
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
    EXPECT_EQ(run(hasty, 3, task), expected);
  } catch (const std::bad_alloc&) {
  }
  EXPECT_EQ(ended, 3);
  for (std::thread& thread : threads) thread.join();
}

TEST(Gate, WaitsForWhatRuns) {
  leave_running([] { return 0; }, Spread::kWhole);
  leave_running([] { return 5; }, Spread::kGaveUp);
  leave_running([]() -> int32_t { throw std::runtime_error("mine"); }, Spread::kThrew);
  leave_running([]() -> int32_t { throw std::bad_alloc(); }, Spread::kThrew);
}

TEST(Gate, TooLate) {
  Given kept;
  run([&](int64_t, Given given) { return kept = given, 0; }, 1, [](int64_t) { FAIL(); });
  kept.run(0);
  kept.task(nullptr, 0, 0);
  // Through the same gates, also the one that the late task had.
  for (int i = 0; i < 1000; ++i) {
    int runs = 0;
    const auto late = [&](int64_t count, Given given) {
      kept.run(0);
      return all(count, given);
    };
    EXPECT_EQ(run(late, 2, [&](int64_t) { ++runs; }), Spread::kWhole);
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
  std::atomic<xlashape_task_fn> task{nullptr};
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
  EXPECT_EQ(run(ending, 1, [](int64_t) { pthread_exit(nullptr); }), Spread::kNotWhole);
}
#endif

// What a child exits with; -1 where it does not end.
int exit_of(pid_t child) {
  int status = -1;
  for (int i = 0; i < 3000; ++i) {
    if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return -1;
}

// The child has no thread that would end the other task.
TEST(Gate, AForkWithinATask) {
  std::atomic<bool> begun{false}, done{false};
  pid_t child = -1;
  const auto two = [&](int64_t, Given given) {
    std::thread other([given] { given.run(1); });
    given.run(0);
    if (child == 0) other.detach();  // there is none
    if (child != 0) other.join();
    return 0;
  };
  const auto task = [&](int64_t i) {
    if (i == 1) {
      begun = true;
      while (!done) std::this_thread::yield();
      return;
    }
    while (!begun) std::this_thread::yield();
    child = fork();
    done = true;
  };
  const Spread how = run(two, 2, task);
  if (child == 0) _exit(how == Spread::kNotWhole && run(all, 2, [](int64_t) {}) == Spread::kWhole ? 0 : 1);
  EXPECT_EQ(how, Spread::kWhole);
  EXPECT_EQ(exit_of(child), 0);
}

// A late task that is just finding out is not in the child, which must not wait for it.
TEST(Gate, AForkBesideLateTasks) {
  Given kept;
  run([&](int64_t, Given given) { return kept = given, 0; }, 1, [](int64_t) {});
  std::atomic<bool> stop{false};
  std::thread late[2];
  for (std::thread& thread : late)
    thread = std::thread([&] {
      while (!stop) kept.run(0);
    });
  for (int i = 0; i < 30; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      for (int k = 0; k < 300; ++k)
        if (run(all, 3, [](int64_t) {}) != Spread::kWhole) _exit(1);
      _exit(0);
    }
    ASSERT_EQ(exit_of(child), 0) << i;
  }
  stop = true;
  for (std::thread& thread : late) thread.join();
}

// The child's own threads are waited for, also in a call that its parent began.
TEST(Gate, AForkWithinAnExecutor) {
  std::atomic<int> ended{0};
  pid_t child = -1;
  const auto forks = [&](int64_t count, Given given) {
    child = fork();
    if (child != 0) return all(count, given);
    std::atomic<int> begun{0};
    for (int64_t i = 0; i < count; ++i)
      std::thread([&begun, given, i] {
        ++begun;
        given.run(i);
      }).detach();
    while (begun < count) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return 0;
  };
  const auto task = [&](int64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ++ended;
  };
  const Spread how = run(forks, 3, task);
  if (child == 0) _exit(how == Spread::kWhole && ended == 3 ? 0 : 1);
  EXPECT_EQ(how, Spread::kWhole);
  EXPECT_EQ(exit_of(child), 0);
}

// The gates that others have do not go with them.
TEST(Gate, AForkWhenAllAreTaken) {
  std::atomic<bool> full{false}, go{false};
  int depth = 0;
  const std::function<void(int64_t)> deeper = [&](int64_t) {
    if (++depth < 300) return static_cast<void>(run(all, 1, deeper));
    full = true;
    while (!go) std::this_thread::yield();
  };
  std::thread other([&] { run(all, 1, deeper); });
  while (!full) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    bool called = false;
    const auto notes = [&](int64_t count, Given given) { return called = true, all(count, given); };
    _exit(run(notes, 2, [](int64_t) {}) == Spread::kWhole && called ? 0 : 1);
  }
  EXPECT_EQ(exit_of(child), 0);
  go = true;
  other.join();
}

}  // namespace
