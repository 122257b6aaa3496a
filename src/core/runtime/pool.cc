// SPDX-License-Identifier: Apache-2.0
#include "runtime/pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <system_error>
#include <thread>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include "base/cat.h"
#include "platform/process.h"
#include "platform/processor.h"
#include "platform/thread.h"

namespace xlashape::core {
namespace {

// Four times what kernels need. Set explicitly, so that neither `ulimit -s` nor the C library decides.
constexpr size_t kStackBytes = 1 << 20;
// More threads only compete for the processors.
constexpr uint32_t kMostPerProcessor = 8;
// About the time that it takes to wake a thread: for shorter waits it is better not to sleep.
constexpr std::chrono::microseconds kStayAwake{20};

void wait_while(const std::atomic<uint32_t>& value, uint32_t seen) {
  const auto end = std::chrono::steady_clock::now() + kStayAwake;
  do {
    for (int i = 0; i < 64; ++i)
      if (value.load(std::memory_order_relaxed) != seen) return;
    std::this_thread::yield();  // the thread waited for may need this processor
  } while (std::chrono::steady_clock::now() < end);
  wait_on(value, seen);
}

}  // namespace

class Pool::State {
 public:
  explicit State(uint32_t wanted) : process_(process_id()), wanted_(wanted) {}

  // `self` owns this object; each thread keeps a reference.
  void start(const std::shared_ptr<State>& self);
  void stop();
  uint32_t workers() const { return thread_count_ + 1; }
  std::string shortage() const;
  bool run(int64_t count, void* opaque, Task task);
  bool post(Posted* posted);

 private:
  struct Worker {
    std::shared_ptr<State> state;  // until it runs
    uint32_t number;
    Thread thread;
  };
  // The ring of runs that more threads may join.
  struct Links {
    Links *before = this, *after = this;
    void enter(Links& end);
    void leave();
  };
  struct Run;
  class ServingThread;
  class RunHelper;
  class JoinableRun;

  void serve(uint32_t worker);
  Run* join();
  Posted* take();
  void wake(int64_t left);

  const int64_t process_;
  const uint32_t wanted_;
  const Processors processors_ = processors();
  int error_ = 0;  // why a thread could not be started
  std::unique_ptr<Worker[]> threads_;
  uint32_t thread_count_ = 0;

  std::mutex mutex_;  // for what follows; never held while a task runs
  Links open_;
  Posted *first_ = nullptr, *last_ = nullptr;  // posted work without a thread yet
  uint32_t serving_ = 0;                       // threads that were started and have not ended
  bool stop_ = false;
  // Changed while the mutex is held, waited for while it is not.
  std::atomic<uint32_t> opened_{0};    // runs and posts so far; stopping counts, too
  std::atomic<uint32_t> finished_{0};  // how many times the last helper left a run
};

void Pool::State::Links::enter(Links& end) {
  before = end.before;
  after = &end;
  before->after = end.before = this;
}

void Pool::State::Links::leave() {
  before->after = after;
  after->before = before;
  before = after = this;
}

// One call of run(), on its caller's stack.
struct Pool::State::Run : Links {
  Run(int64_t n, void* o, Task t) : count(n), opaque(o), task(t) {}
  const int64_t count;
  void* const opaque;
  const Task task;
  int64_t helpers = 0;  // threads that joined and have not left; under the mutex
  std::atomic<bool> failed{false};
  alignas(64) std::atomic<int64_t> next{0};  // the first index that no thread has taken

  int64_t left() const { return std::max<int64_t>(count - next.load(std::memory_order_relaxed), 0); }
  void work(uint32_t worker) {
    try {
      for (int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) task(opaque, i, worker);
#ifdef __GLIBCXX__
    } catch (const abi::__forced_unwind&) {
      give_up();
      throw;  // the thread ends (pthread_exit, or cancelled): this exception must not be stopped
#endif
    } catch (...) {
      give_up();
    }
  }
  void give_up() {
    failed = true;
    next = count;
  }
};

// A thread of the pool, until it ends. What a backend ends may be the last one: then nobody would do what was posted.
class Pool::State::ServingThread {
 public:
  explicit ServingThread(State& pool) : pool_(pool) {}
  ~ServingThread() {
    std::unique_lock lock(pool_.mutex_);
    if (--pool_.serving_ > 0) return;
    while (Posted* const posted = pool_.take()) {
      lock.unlock();
      posted->drop(posted);
      lock.lock();
    }
  }
  ServingThread(const ServingThread&) = delete;

 private:
  State& pool_;
};

// A thread's part in a run. It ends however the thread leaves.
class Pool::State::RunHelper {
 public:
  RunHelper(State& pool, Run& run) : pool_(pool), run_(run) {}
  ~RunHelper() {
    {
      const std::lock_guard lock(pool_.mutex_);
      if (--run_.helpers > 0) return;
      pool_.finished_.fetch_add(1);
    }
    wake_all(pool_.finished_);
  }
  RunHelper(const RunHelper&) = delete;

 private:
  State& pool_;
  Run& run_;
};

// A run that other threads may join, until the caller leaves: then it is out of the ring, and without helpers.
class Pool::State::JoinableRun {
 public:
  JoinableRun(State& pool, Run& run) : pool_(pool), run_(run) {
    const std::lock_guard lock(pool_.mutex_);
    run_.enter(pool_.open_);
    pool_.opened_.fetch_add(1);
  }
  ~JoinableRun() {
    std::unique_lock lock(pool_.mutex_);
    run_.leave();
    if (pool_.process_ != process_id()) return;  // a child that was forked meanwhile has no helpers
    while (run_.helpers > 0) {
      const uint32_t seen = pool_.finished_;
      lock.unlock();
      wait_while(pool_.finished_, seen);
      lock.lock();
    }
  }
  JoinableRun(const JoinableRun&) = delete;

 private:
  State& pool_;
  Run& run_;
};

void Pool::State::start(const std::shared_ptr<State>& self) {
  const uint32_t most = std::clamp(wanted_, 1u, kMostPerProcessor * processors_.usable());
  threads_ = std::make_unique<Worker[]>(most);
  while (error_ == 0 && workers() < most) {
    Worker& worker = threads_[thread_count_];
    const auto main = [](void* opaque) {
      Worker& own = *static_cast<Worker*>(opaque);
      const std::shared_ptr<State> state = std::move(own.state);
      state->serve(own.number);
    };
    worker = {self, workers(), {main, &worker, {}}};
    error_ = start_thread(&worker.thread, kStackBytes);
    if (error_ != 0) {
      worker.state.reset();
      break;
    }
    ++thread_count_;
    const std::lock_guard lock(mutex_);
    ++serving_;
  }
}

void Pool::State::stop() {
  if (process_ != process_id()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    opened_.fetch_add(1);
  }
  wake_all(opened_);
  for (uint32_t i = 0; i < thread_count_; ++i) join_thread(threads_[i].thread);
}

std::string Pool::State::shortage() const {
  if (error_ != 0) return "the system gives no more: " + std::generic_category().message(error_);
  if (workers() >= wanted_) return "";
  return cat({"no more than ", std::to_string(kMostPerProcessor), " for each usable processor (",
              processors_.describe(), ")"});
}

// Wakes at most two threads, each of which wakes two more, so that no thread spends long on waking.
void Pool::State::wake(int64_t left) {
  for (int64_t i = std::min<int64_t>(left, 2); i > 0; --i) wake_one(opened_);
}

// Joins the run that was joined least recently; null where no run has tasks left. The mutex is held.
Pool::State::Run* Pool::State::join() {
  while (open_.after != &open_) {
    Run* const run = static_cast<Run*>(open_.after);
    run->leave();
    if (run->left() == 0) continue;
    run->enter(open_);
    ++run->helpers;
    return run;
  }
  return nullptr;
}

// Takes the work that was posted first; null where there is none. The mutex is held.
Pool::Posted* Pool::State::take() {
  Posted* const posted = first_;
  if (posted != nullptr && (first_ = posted->next) == nullptr) last_ = nullptr;
  return posted;
}

void Pool::State::serve(uint32_t worker) {
  const ServingThread thread(*this);
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (Run* const run = join()) {
      // A thread that was woken for one run may have joined another, so the next run counts, too.
      const int64_t left = std::max(run->left(), static_cast<const Run*>(open_.after)->left());
      lock.unlock();
      const RunHelper helper(*this, *run);
      wake(left);
      run->work(worker);
    } else if (Posted* const posted = take()) {
      lock.unlock();
      posted->run(posted);
    } else {
      const uint32_t seen = opened_;
      lock.unlock();
      wait_while(opened_, seen);
    }
    lock.lock();
  }
}

bool Pool::State::run(int64_t count, void* opaque, Task task) {
  Run run(count, opaque, task);
  if (count <= 1 || workers() == 1 || process_ != process_id()) {
    run.work(0);
    return !run.failed;
  }
  const Uncancelled uncancelled;  // or tasks would be left with a stack that no longer exists
  {
    const JoinableRun opened(*this, run);
    wake(count - 1);
    run.work(0);
  }
  return !run.failed;
}

bool Pool::State::post(Posted* posted) {
  if (process_ != process_id()) return false;
  {
    const std::lock_guard lock(mutex_);
    if (serving_ == 0) return false;
    (last_ != nullptr ? last_->next : first_) = posted;
    last_ = posted;
    opened_.fetch_add(1);
  }
  wake_one(opened_);
  return true;
}

Pool::Pool(uint32_t wanted) : state_(std::make_shared<State>(wanted)) { state_->start(state_); }
Pool::~Pool() { state_->stop(); }
uint32_t Pool::workers() const { return state_->workers(); }
std::string Pool::shortage() const { return state_->shortage(); }
bool Pool::run(int64_t count, void* opaque, Task task) { return state_->run(count, opaque, task); }
bool Pool::post(Posted* posted) { return state_->post(posted); }

}  // namespace xlashape::core
