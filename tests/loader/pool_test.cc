// `threads` of a runtime in processes of all kinds: forked ones, ones that end without releasing it, and ones that the
// system gives no more threads or memory. They are no tests of the API since valgrind loses its way in such children.
#include <sys/resource.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>

#include "loader.h"

namespace {

using namespace loader;
using testing::HasSubstr;

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
    char text[16384];
    int64_t needed = 0;
    if (xlashape_runtime_report(runtime_, text, sizeof text, &needed, nullptr) != XLASHAPE_STATUS_OK) return 0;
    const char* const line = std::strstr(text, "\nthreads: ");
    int came = 0, of = 0;
    if (line == nullptr || std::sscanf(line, "\nthreads: %d of %d asked for", &came, &of) != 2 || of != asked) return 0;
    return came;
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
  EXPECT_EQ(spread.create(-1), XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_THAT(spread.message(), HasSubstr("options.threads is -1"));
  EXPECT_EQ(spread.create(4097), XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(spread.create(1), XLASHAPE_STATUS_OK);
  EXPECT_EQ(spread.workers(1), 0) << "nothing to report";
  EXPECT_EQ(spread.warnings(), "");
}

// The user's number is for the default runtime: others have what their program says.
TEST(Pool, WorkersOfTheDefaultRuntime) {
  for (const char* value : {"3", "all", "0", "many"}) {
    EXPECT_EQ(in_child([&] {
                setenv("XLASHAPE_THREADS", value, 1);
                char text[16384];
                int64_t needed = 0;
                if (xlashape_runtime_report(nullptr, text, sizeof text, &needed, nullptr) != XLASHAPE_STATUS_OK)
                  return 1;
                const bool is_known =
                    std::strstr(text, "not known, so ignored (a number from 1 to 4096, or all)") == nullptr;
                const bool is_three = std::strstr(text, "\nthreads: 3 of 3 asked for") != nullptr;
                if (is_known != (*value == '3' || *value == 'a')) return 2;
                if (*value == '3' ? !is_three : !is_known && std::strstr(text, "\nthreads: ") != nullptr) return 3;
                xlashape_runtime* own = nullptr;
                if (xlashape_runtime_create(nullptr, &own, nullptr) != XLASHAPE_STATUS_OK) return 4;
                if (xlashape_runtime_report(own, text, sizeof text, &needed, nullptr) != XLASHAPE_STATUS_OK) return 5;
                return std::strstr(text, "\nthreads: ") == nullptr ? 0 : 6;
              }),
              0)
        << value;
  }
}

}  // namespace
