// SPDX-License-Identifier: Apache-2.0
// The pool: each index once, a number for each worker, callers beside and within each other, and what becomes of it
// after a fork, at the end of the process and where the system gives no threads.
#include "runtime/pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <thread>

#include "platform/processor.h"

namespace {

using testing::AnyOf;
using testing::StartsWith;
using xlashape::core::Pool;

template <class Body>
bool run(Pool& pool, int64_t count, Body body) {
  return pool.run(count, &body,
                  [](void* opaque, int64_t i, uint32_t worker) { (*static_cast<Body*>(opaque))(i, worker); });
}

// Waits until condition() holds, but not for ever.
template <class Condition>
bool soon(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

// Runs body in a child: its exit status, or 128 + the signal that ended it.
template <class Body>
int in_child(Body&& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A run, and how much is wrong with it: indices not called once, worker numbers that are too large or two threads have.
int faults(Pool& pool, int64_t count) {
  std::vector<std::atomic<int>> calls(static_cast<size_t>(count)), busy(pool.workers());
  std::atomic<int> wrong{0};
  const auto caller = std::this_thread::get_id();
  const bool whole = run(pool, count, [&](int64_t i, uint32_t worker) {
    ++calls[static_cast<size_t>(i)];
    if (worker >= busy.size() || (worker == 0) != (std::this_thread::get_id() == caller)) {
      ++wrong;
      return;
    }
    if (busy[worker].exchange(1) != 0) ++wrong;
    if (i % 7 == 0) std::this_thread::yield();
    busy[worker] = 0;
  });
  for (const auto& n : calls) wrong += n != 1;
  return wrong + !whole;
}

TEST(Pool, EachIndexOnceAndEachWorkerANumber) {
  for (const uint32_t wanted : {0u, 1u, 2u, 3u, 7u}) {
    Pool pool(wanted);
    EXPECT_EQ(pool.workers(), std::max(wanted, 1u));
    for (const int64_t count : {0, 1, 2, 3, 8, 64, 1000})
      for (int round = 0; round < 20; ++round) ASSERT_EQ(faults(pool, count), 0) << wanted << " workers, " << count;
  }
}

// Each task waits until all workers have one: a thread that is not woken is missed.
TEST(Pool, AllComeWhenThereIsWork) {
  Pool pool(7);
  for (int round = 0; round < 100; ++round) {
    std::atomic<uint32_t> here{0}, late{0};
    run(pool, 7, [&](int64_t, uint32_t) {
      ++here;
      if (!soon([&] { return here == 7; })) ++late;
    });
    ASSERT_EQ(late, 0u) << "round " << round;
    if (round % 2 == 0) usleep(200);  // until they sleep
  }
}

// Tasks that are nothing, taken by all workers at the same time.
TEST(Pool, EachIndexOnceInACrowd) {
  Pool pool(3);
  std::vector<std::atomic<uint8_t>> calls(200000);
  std::atomic<int> here{0}, wrong{0};
  run(pool, static_cast<int64_t>(calls.size()), [&](int64_t i, uint32_t) {
    if (i < 3) {
      ++here;
      soon([&] { return here == 3; });
    }
    if (calls[static_cast<size_t>(i)].exchange(1) != 0) ++wrong;
  });
  for (const auto& n : calls) wrong += n != 1;
  EXPECT_EQ(wrong, 0);
}

TEST(Pool, ManyCallersAtOnce) {
  Pool pool(3);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 6; ++t)
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round) wrong += faults(pool, 1 + round % 40);
    });
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

// Two callers that have each a task to wait in: the threads are shared, and so both come to an end.
TEST(Pool, ThreadsAreShared) {
  Pool pool(3);
  std::atomic<int> here{0}, late{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 2; ++t)
    callers.emplace_back([&] {
      run(pool, 2, [&](int64_t, uint32_t) {
        ++here;
        if (!soon([&] { return here == 4; })) ++late;
      });
    });
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(late, 0);
}

TEST(Pool, WithinTasks) {
  Pool pool(4);
  std::atomic<int> leaves{0}, wrong{0};
  for (int round = 0; round < 20; ++round)
    run(pool, 6, [&](int64_t, uint32_t) {
      run(pool, 5, [&](int64_t, uint32_t) {
        wrong += faults(pool, 9);
        ++leaves;
      });
    });
  EXPECT_EQ(leaves, 20 * 6 * 5);
  EXPECT_EQ(wrong, 0);
}

TEST(Pool, TwoSideBySide) {
  Pool two(2), seven(7);
  EXPECT_EQ(two.workers(), 2u);
  EXPECT_EQ(seven.workers(), 7u);
  std::atomic<int> wrong{0};
  std::thread other([&] {
    for (int round = 0; round < 200; ++round) wrong += faults(two, 20);
  });
  for (int round = 0; round < 200; ++round) wrong += faults(seven, 20);
  other.join();
  run(two, 4, [&](int64_t, uint32_t) { wrong += faults(seven, 30); });
  EXPECT_EQ(wrong, 0);
}

TEST(Pool, WhatIsThrownIsAFailure) {
  Pool pool(3);
  for (int round = 0; round < 50; ++round) {
    EXPECT_FALSE(run(pool, 20, [&](int64_t i, uint32_t) {
      if (i == round % 20) throw std::runtime_error("not today");
    }));
    EXPECT_EQ(faults(pool, 20), 0) << "and the pool goes on";
  }
  Pool alone(1);
  EXPECT_FALSE(run(alone, 2, [](int64_t, uint32_t) { throw 1; }));
}

TEST(Pool, MadeAndGoneOften) {
  for (int round = 0; round < 100; ++round) {
    Pool pool(1 + round % 7);
    if (round % 3 != 0) {
      ASSERT_EQ(faults(pool, round), 0);
    }
  }
}

// A child of a process with a pool works alone, and lets the pool go without waiting for threads that it has not.
TEST(Pool, StaysBehindInAFork) {
  auto pool = std::make_unique<Pool>(3);
  ASSERT_EQ(faults(*pool, 50), 0);
  EXPECT_EQ(in_child([&] {
              const pid_t child = getpid();
              bool alone = true;
              const bool whole =
                  run(*pool, 50, [&](int64_t, uint32_t worker) { alone &= worker == 0 && getpid() == child; });
              pool.reset();
              return whole && alone ? 0 : 1;
            }),
            0);
  EXPECT_EQ(faults(*pool, 50), 0);
}

// Threads that wait, or are in the middle of a task, do not keep a process from its end.
TEST(Pool, ProcessesEndWithoutIt) {
  EXPECT_EQ(in_child([] {
              static Pool* const pool = new Pool(3);
              if (faults(*pool, 20) != 0) return 1;
              usleep(200);
              std::exit(0);
              return 2;
            }),
            0);
  EXPECT_EQ(in_child([] {
              static Pool* const pool = new Pool(3);
              std::atomic<int> here{0};
              run(*pool, 3, [&](int64_t, uint32_t worker) {
                ++here;
                if (worker == 0 && soon([&] { return here == 3; })) std::exit(3);
                for (;;) pause();
              });
              return 2;
            }),
            3);
}

// The program's signals are for its own threads; what a thread's own faults raise is not held back.
TEST(Pool, Signals) {
  const auto mask = [] {
    sigset_t set;
    pthread_sigmask(SIG_SETMASK, nullptr, &set);
    return set;
  };
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const sigset_t most = mask();  // an emulator keeps a signal for itself, which nobody can block
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  Pool pool(2);
  sigset_t theirs;
  std::atomic<int> here{0};
  run(pool, 2, [&](int64_t, uint32_t worker) {
    if (worker == 1) theirs = mask();
    ++here;
    soon([&] { return here == 2; });
  });
  for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGALRM, SIGCHLD, SIGPROF, SIGUSR1, SIGUSR2})
    EXPECT_TRUE(sigismember(&theirs, signal)) << signal;
  for (const int signal : {SIGRTMIN, SIGRTMAX})
    EXPECT_EQ(sigismember(&theirs, signal), sigismember(&most, signal)) << signal;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) EXPECT_FALSE(sigismember(&theirs, signal)) << signal;
  const sigset_t ours = mask();
  for (int signal = 1; signal < 32; ++signal) EXPECT_FALSE(sigismember(&ours, signal)) << "the caller's is as it was";
}

// A caller that is cancelled ends its run first: its helpers use its stack.
TEST(Pool, CancelledCallersEndTheirRun) {
  struct Caller {
    Pool pool{3};
    std::atomic<int> calls{0};
    bool whole = false;
  } caller;
  const auto body = [](void* opaque) -> void* {
    auto& self = *static_cast<Caller*>(opaque);
    const pthread_t id = pthread_self();
    self.whole = run(self.pool, 50, [&](int64_t i, uint32_t) {
      if (i == 0) pthread_cancel(id);
      usleep(1);
      ++self.calls;
    });
    pthread_testcancel();
    return nullptr;
  };
  pthread_t id;
  void* result = nullptr;
  ASSERT_EQ(pthread_create(&id, nullptr, body, &caller), 0);
  ASSERT_EQ(pthread_join(id, &result), 0);
  EXPECT_EQ(result, PTHREAD_CANCELED);
  EXPECT_TRUE(caller.whole);
  EXPECT_EQ(caller.calls, 50);
}

TEST(Pool, StacksAreOneMebibyte) {
  EXPECT_EQ(in_child([] {
              const rlimit most = {RLIM_INFINITY, RLIM_INFINITY};
              setrlimit(RLIMIT_STACK, &most);
              Pool pool(2);
              std::atomic<int> here{0};
              size_t bytes = 0;
              run(pool, 2, [&](int64_t, uint32_t worker) {
                if (worker == 1) {
                  pthread_attr_t attributes;
                  pthread_getattr_np(pthread_self(), &attributes);
                  pthread_attr_getstacksize(&attributes, &bytes);
                  pthread_attr_destroy(&attributes);
                }
                ++here;
                soon([&] { return here == 2; });
              });
              // musl counts pages of its own in, or takes them off.
              return bytes > (1 << 20) - 65536 && bytes < (1 << 20) + 65536 ? 0 : 1;
            }),
            0);
}

TEST(Pool, NoMoreThanIsSane) {
  const uint32_t most = 8 * xlashape::core::processors().usable();
  Pool pool(most + 1);
  EXPECT_LE(pool.workers(), most);
  EXPECT_THAT(pool.shortage(), AnyOf(StartsWith("no more than 8 for each usable processor ("),
                                     StartsWith("the system gives no more: ")));
  EXPECT_EQ(faults(pool, 100), 0);
  EXPECT_EQ(Pool(2).shortage(), "");
}

#if defined(__linux__)
// The processors that the process may use count, not those that there are.
TEST(Pool, NoMoreThanItsProcessors) {
  EXPECT_EQ(in_child([] {
              cpu_set_t all, one;
              if (sched_getaffinity(0, sizeof all, &all) != 0) return 1;
              int first = 0;
              while (!CPU_ISSET(first, &all)) ++first;
              CPU_ZERO(&one);
              CPU_SET(first, &one);
              if (sched_setaffinity(0, sizeof one, &one) != 0) return 2;
              const Pool pool(64);
              if (pool.workers() > 8) return 3;
              const std::string text = pool.shortage();
              if (!text.starts_with("no more than 8 for each usable processor (")) return 4;
              return text.find("(affinity: 1 of ") != text.npos || text.find("(1 processor") != text.npos ? 0 : 5;
            }),
            0);
}
#endif

// A user who may have three threads gets no more, and what there are do the work. Root may have any number, so it
// becomes somebody else first, who has no other process; anybody else has some, and gets none.
TEST(Pool, FewerWhereTheSystemGivesNoMore) {
  for (const rlim_t allowed : {1, 3}) {
    const int result = in_child([&] {
      const bool root = geteuid() == 0;
      if (root && setuid(54321) != 0) return 77;
      const rlimit limit = {root ? allowed : 1, root ? allowed : 1};
      setrlimit(RLIMIT_NPROC, &limit);
      Pool pool(7);
      if (pool.workers() > limit.rlim_cur) return 1;  // a sanitizer's own thread may be one of them
      if (!pool.shortage().starts_with("the system gives no more: ")) return 2;
      return faults(pool, 100) == 0 ? 0 : 3;
    });
    if (result == 77) GTEST_SKIP() << "root cannot become anybody else here";
    EXPECT_EQ(result, 0) << allowed;
  }
}

}  // namespace
