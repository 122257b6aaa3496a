// SPDX-License-Identifier: Apache-2.0
// `threads` of a runtime in processes of all kinds: forked ones, ones that end without releasing it, and ones that the
// system gives no more threads or memory. They are no tests of the API since valgrind loses its way in such children.
#include <sched.h>
#include <sys/resource.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>

#include "loader.h"
#include "xlashape_runtime.h"

namespace {

using namespace loader;
using testing::HasSubstr;

// What the report says about threads; "" where it says nothing.
std::string threads_line(xlashape_runtime* runtime) {
  char text[16384];
  int64_t needed = 0;
  if (xlashape_runtime_report(runtime, text, sizeof text, &needed, nullptr) != XLASHAPE_STATUS_OK) return "";
  const char* const line = std::strstr(text, "\nthreads: ");
  if (line == nullptr) return "";
  const char* const from = line + std::strlen("\nthreads: ");
  return {from, std::strcspn(from, "\n")};
}

// A runtime with threads, a plan worth spreading, and what it has to give.
class Spread {
 public:
  static constexpr size_t kRows = 400, kColumns = 500;

  Spread() : src_(kRows * kColumns), dst_(src_.size()) {
    err_.struct_size = sizeof err_;
    for (size_t i = 0; i < src_.size(); ++i) src_[i] = static_cast<uint32_t>(i);
  }
  ~Spread() { release(); }
  Spread(const Spread&) = delete;

  xlashape_status create(int32_t threads) {
    auto logger = XLASHAPE_INIT(xlashape_logger);
    logger.opaque = this;
    logger.log = [](void* self, int32_t level, uint32_t, const char* text, int64_t len) {
      if (level <= XLASHAPE_LOG_WARNING) static_cast<Spread*>(self)->warnings_.append(text, len) += '\n';
    };
    auto options = XLASHAPE_INIT(xlashape_runtime_options);
    options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT;
    options.threads = threads;
    options.logger = &logger;
    if (const xlashape_status status = xlashape_runtime_create(&options, &runtime_, &err_)) return status;
    xlashape_shape *from = nullptr, *to = nullptr;
    xlashape_shape_parse("u32[400,500]{1,0}", 17, 0, &from, nullptr);
    xlashape_shape_parse("u32[400,500]{0,1}", 17, 0, &to, nullptr);
    const xlashape_status status = xlashape_plan_create(runtime_, from, to, nullptr, &plan_, &err_);
    xlashape_shape_release(from);
    xlashape_shape_release(to);
    return status;
  }
  void release() {
    xlashape_plan_release(plan_);
    xlashape_runtime_release(runtime_);
    plan_ = nullptr;
    runtime_ = nullptr;
  }
  bool run(std::vector<uint32_t>& dst) const {
    dst.assign(dst.size(), 0);
    if (xlashape_plan_execute(plan_, src_.data(), byte_count(src_), dst.data(), byte_count(dst), nullptr) !=
        XLASHAPE_STATUS_OK)
      return false;
    for (size_t y = 0; y < kRows; ++y)
      for (size_t x = 0; x < kColumns; ++x)
        if (dst[x * kRows + y] != src_[y * kColumns + x]) return false;
    return true;
  }
  bool run() { return run(dst_); }

  // How many of `asked` the report says that there are; 0: it says something else.
  int workers(int asked) const {
    const std::string line = threads_line(runtime_), all = std::to_string(asked) + ", as options.threads says";
    if (line == all) return asked;
    const int came = std::atoi(line.c_str());
    return line.starts_with(std::to_string(came) + " of " + all + ": ") ? came : 0;
  }
  const xlashape_plan* plan() const { return plan_; }
  const std::string& warnings() const { return warnings_; }
  const char* message() const { return err_.message; }

 private:
  std::vector<uint32_t> src_, dst_;
  std::string warnings_;
  xlashape_error err_ = {};
  xlashape_runtime* runtime_ = nullptr;
  xlashape_plan* plan_ = nullptr;
};

// Runs body in a child that must not print: its exit status, or 128 + the signal that ended it.
template <class Body>
int quietly(Body&& body) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  std::fflush(nullptr);  // what this process has to say
  const int result = in_child([&] {
    dup2(fileno(file.get()), 1);
    dup2(fileno(file.get()), 2);
    return body();
  });
  char text[1024];
  std::rewind(file.get());
  EXPECT_EQ(std::string(text, std::fread(text, 1, sizeof text, file.get())), "") << "it was printed";
  return result;
}

// What a child, limited as `limit` says, made of so many threads: 0, or what was wrong with it.
template <class Limit>
int in_limits(int32_t threads, Limit&& limit) {
  Spread spread;  // its memory is there before the limit
  return quietly([&] {
    if (!limit()) return 77;
    if (spread.create(threads) != XLASHAPE_STATUS_OK) return 1;
    for (int i = 0; i < 3; ++i)
      if (!spread.run()) return 2;
    const int workers = spread.workers(threads);
    if (workers < 1 || workers > threads) return 3;
    if ((workers < threads) != (spread.warnings().find("threads: " + std::to_string(workers) + " of ") == 0)) return 4;
    spread.release();
    return 0;
  });
}

bool set_limit(decltype(RLIMIT_AS) what, rlim_t most) {
  const rlimit limit = {most, most};
  return setrlimit(what, &limit) == 0;
}

TEST(Pool, NoThreadsLeft) {
  for (const int32_t threads : {64, 1024, 4096}) {
    // Root may always have another one.
    const int result =
        in_limits(threads, [] { return (geteuid() != 0 || setuid(54321) == 0) && set_limit(RLIMIT_NPROC, 3); });
    if (result == 77) GTEST_SKIP() << "root cannot become anybody else here";
    EXPECT_EQ(result, 0) << threads;
  }
}

TEST(Pool, NoAddressesLeft) {
  if (kThreadSanitizer || kAddressSanitizer) GTEST_SKIP() << "the sanitizer itself takes all addresses";
  Runtime warm("", 0);
  warm.transpose();  // backends are mapped before
  for (const int32_t threads : {64, 1024, 4096})
    for (const size_t mib : {4, 40}) {
      const int result = in_limits(threads, [&] {
        size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        return set_limit(RLIMIT_AS, pages * static_cast<size_t>(sysconf(_SC_PAGESIZE)) + (mib << 20));
      });
      EXPECT_EQ(result, 0) << threads << " threads, " << mib << " MiB left";
    }
}

TEST(Pool, NoLimits) {
  for (const int32_t threads : {2, 64, 1024, 4096}) EXPECT_EQ(in_limits(threads, [] { return true; }), 0) << threads;
}

// Two pools of different sizes, in use at once; who has the larger one says nothing about it.
TEST(Pool, TwoRuntimes) {
  const int result = quietly([] {
    Spread two, seven;
    if (two.create(2) != XLASHAPE_STATUS_OK || seven.create(7) != XLASHAPE_STATUS_OK) return 1;
    std::atomic<int> right{0};
    std::thread other([&] {
      for (int i = 0; i < 5; ++i) right += two.run();
    });
    for (int i = 0; i < 5; ++i) right += seven.run();
    other.join();
    return right != 10 ? 2 : two.workers(2) != 2 || seven.workers(7) != 7 ? 3 : 0;
  });
  EXPECT_EQ(result, 0);
}

// The pool's threads are not in the child: it works on the calling thread.
TEST(Pool, StaysBehindInAFork) {
  Spread spread;
  ASSERT_EQ(spread.create(3), XLASHAPE_STATUS_OK) << spread.message();
  EXPECT_GT(xlashape_plan_task_count(spread.plan(), 3), 1) << "worth spreading";
  EXPECT_TRUE(spread.run());
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      std::vector<uint32_t> dst(Spread::kRows * Spread::kColumns);
      right += spread.run(dst);
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 4) << "several threads execute at once";
  EXPECT_EQ(in_child([&] { return spread.run() ? 0 : 1; }), 0);
  EXPECT_EQ(in_child([&] {
              spread.release();
              return 0;
            }),
            0);
  EXPECT_TRUE(spread.run());
}

TEST(Pool, ProcessesEndWithoutReleasingIt) {
  EXPECT_EQ(in_child([] {
              static Spread* const spread = new Spread;
              if (spread->create(5) != XLASHAPE_STATUS_OK || !spread->run()) return 1;
              std::exit(7);
              return 2;
            }),
            7);
}

TEST(Pool, HowManyThereMayBe) {
  Spread spread;
  EXPECT_EQ(spread.create(-2), XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_THAT(spread.message(),
              HasSubstr("options.threads is -2, it must be within 0 and 4096, or XLASHAPE_THREADS_ALL"));
  EXPECT_EQ(spread.create(4097), XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(spread.create(1), XLASHAPE_STATUS_OK);
  EXPECT_EQ(spread.workers(1), 1);
  EXPECT_EQ(spread.warnings(), "");
}

// What a child with XLASHAPE_THREADS=value reports of a runtime with these options: 0 if line(...) holds.
template <class Line>
int reports(const char* value, const xlashape_runtime_options* options, Line&& line) {
  return in_child([&] {
    setenv("XLASHAPE_THREADS", value, 1);
    xlashape_runtime* own = nullptr;
    if (options != nullptr && xlashape_runtime_create(options, &own, nullptr) != XLASHAPE_STATUS_OK) return 1;
    return line(threads_line(own)) ? 0 : 2;
  });
}

// The user's number counts wherever the program gives none: in the default runtime, and in others.
TEST(Pool, WorkersThatTheUserChooses) {
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  for (const xlashape_runtime_options* given :
       {static_cast<const xlashape_runtime_options*>(nullptr), &std::as_const(options)}) {
    EXPECT_EQ(reports("3", given, [](auto line) { return line == "3, as XLASHAPE_THREADS says"; }), 0);
    EXPECT_EQ(reports("1", given, [](auto line) { return line == "1, as XLASHAPE_THREADS says"; }), 0);
    EXPECT_EQ(reports("all", given,
                      [](auto line) {
                        return std::atoi(line.c_str()) >= 1 &&
                               line.find(", all that this process may use (") != line.npos &&
                               line.ends_with("), as XLASHAPE_THREADS says");
                      }),
              0);
    for (const char* wrong : {"", "0", "-1", "4097", "many"})
      EXPECT_EQ(
          reports(wrong, given,
                  [](auto line) { return line == "1, as neither options.threads nor XLASHAPE_THREADS asks for more"; }),
          0)
          << wrong;
  }
  options.threads = 2;
  EXPECT_EQ(reports("3", &options, [](auto line) { return line == "2, as options.threads says"; }), 0);
  options.threads = 0;
  options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT;
  EXPECT_EQ(reports("3", &options, [](auto line) { return line.starts_with("1, as neither "); }), 0);
  options.flags = 0;
  auto executor = XLASHAPE_INIT(xlashape_executor);
  executor.max_workers = 5;
  executor.parallel_for = [](void*, int64_t, void*, xlashape_task_fn) -> int32_t { return 1; };
  options.executor = &executor;
  EXPECT_EQ(reports("3", &options, [](auto line) { return line == "5, those of options.executor"; }), 0);
}

// A value that is not known is ignored, which the logger hears and the report says.
TEST(Pool, WorkersThatNobodyKnows) {
  EXPECT_EQ(in_child([] {
              setenv("XLASHAPE_THREADS", "mo\nre", 1);
              static std::string heard;
              auto logger = XLASHAPE_INIT(xlashape_logger);
              logger.log = [](void*, int32_t level, uint32_t, const char* text, int64_t len) {
                if (level == XLASHAPE_LOG_WARNING) heard.append(text, static_cast<size_t>(len)) += '\n';
              };
              auto options = XLASHAPE_INIT(xlashape_runtime_options);
              options.logger = &logger;
              xlashape_runtime* own = nullptr;
              if (xlashape_runtime_create(&options, &own, nullptr) != XLASHAPE_STATUS_OK) return 1;
              const std::string line =
                  "environment: XLASHAPE_THREADS=mo\\x0are: not known, so ignored (a number from 1 to 4096, or all)\n";
              if (heard != line) return 2;
              char text[16384];
              int64_t needed = 0;
              if (xlashape_runtime_report(own, text, sizeof text, &needed, nullptr) != XLASHAPE_STATUS_OK) return 3;
              return std::strstr(text, line.c_str()) != nullptr ? 0 : 4;
            }),
            0);
}

#if defined(__linux__)
// XLASHAPE_THREADS_ALL counts the processors that the thread may run on.
TEST(Pool, AllThatTheAffinityLeaves) {
  cpu_set_t all, some;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  const int most = CPU_COUNT(&all);
  CPU_ZERO(&some);
  for (int left = std::min(most, 3), i = 0; left > 0 && i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &all)) continue;
    CPU_SET(i, &some);
    --left;
    EXPECT_EQ(in_child([&] {
                if (sched_setaffinity(0, sizeof some, &some) != 0) return 1;
                auto options = XLASHAPE_INIT(xlashape_runtime_options);
                options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT;
                options.threads = XLASHAPE_THREADS_ALL;
                xlashape_runtime* own = nullptr;
                if (xlashape_runtime_create(&options, &own, nullptr) != XLASHAPE_STATUS_OK) return 2;
                const std::string line = threads_line(own);
                const int count = CPU_COUNT(&some);
                if (line.find("quota: ") != line.npos) return std::atoi(line.c_str()) <= count ? 0 : 3;
                if (!line.starts_with(std::to_string(count) + ", all that this process may use (")) return 4;
                return count == most || line.find("affinity: " + std::to_string(count) + " of ") != line.npos ? 0 : 5;
              }),
              0);
  }
}
#endif

xlashape_runtime* runtime_with(int32_t threads) {
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT;
  options.threads = threads;
  xlashape_runtime* runtime = nullptr;
  EXPECT_EQ(xlashape_runtime_create(&options, &runtime, nullptr), XLASHAPE_STATUS_OK);
  return runtime;
}

// Each in a process of its own, as a default runtime stays.
TEST(DefaultRuntime, IsTheOneThatWasSet) {
  EXPECT_EQ(in_child([] {
              setenv("XLASHAPE_THREADS", "5", 1);
              auto err = XLASHAPE_INIT(xlashape_error);
              if (xlashape_runtime_set_default(nullptr, &err) != XLASHAPE_STATUS_INVALID_ARGUMENT) return 1;
              xlashape_runtime *const two = runtime_with(2), *const three = runtime_with(3);
              if (xlashape_runtime_set_default(two, &err) != XLASHAPE_STATUS_OK) return 2;
              xlashape_runtime_release(two);  // the process has a reference of its own
              if (threads_line(nullptr) != "2, as options.threads says") return 3;
              for (xlashape_runtime* again : {two, three})
                if (xlashape_runtime_set_default(again, &err) != XLASHAPE_STATUS_BUSY) return 4;
              if (std::strstr(err.message, "there is a default runtime already: set it once, before") == nullptr)
                return 5;
              xlashape_runtime_release(three);
              if (threads_line(nullptr) != "2, as options.threads says") return 6;
              return in_child([] { return threads_line(nullptr) == "2, as options.threads says" ? 0 : 7; });
            }),
            0);
}

TEST(DefaultRuntime, StaysTheOneThatWasMade) {
  EXPECT_EQ(in_child([] {
              setenv("XLASHAPE_THREADS", "5", 1);
              if (threads_line(nullptr) != "5, as XLASHAPE_THREADS says") return 1;
              if (xlashape_runtime_set_default(runtime_with(2), nullptr) != XLASHAPE_STATUS_BUSY) return 2;
              return threads_line(nullptr) == "5, as XLASHAPE_THREADS says" ? 0 : 3;
            }),
            0);
}

// Of threads that set it at once, one succeeds, and everybody uses that one's, also who only uses it meanwhile.
TEST(DefaultRuntime, ManyThreadsAtOnce) {
  for (int round = 0; round < 20; ++round)
    EXPECT_EQ(in_child([&] {
                unsetenv("XLASHAPE_THREADS");
                constexpr int kThreads = 8;
                std::atomic<int> waiting{kThreads}, set{0}, winner{0};
                std::string lines[kThreads];
                std::vector<std::thread> threads;
                for (int i = 0; i < kThreads; ++i)
                  threads.emplace_back([&, i] {
                    xlashape_runtime* const own = i < round % 3 ? nullptr : runtime_with(1 + i);
                    --waiting;
                    while (waiting > 0) std::this_thread::yield();
                    if (own != nullptr && xlashape_runtime_set_default(own, nullptr) == XLASHAPE_STATUS_OK) {
                      ++set;
                      winner = 1 + i;
                    }
                    lines[i] = threads_line(nullptr);
                    xlashape_runtime_release(own);
                  });
                for (auto& thread : threads) thread.join();
                if (set > 1 || (set == 0 && round % 3 == 0)) return 1;
                for (const std::string& line : lines)
                  if (line != lines[0]) return 2;
                const std::string asked = std::to_string(winner) + ", as options.threads says";
                return lines[0] ==
                               (set == 0 ? "1, as neither options.threads nor XLASHAPE_THREADS asks for more" : asked)
                           ? 0
                           : 3;
              }),
              0);
}

}  // namespace
