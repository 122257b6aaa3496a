#include "runtime/pool.h"

#include <cxxabi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>

#include "base/cat.h"

namespace xlashape {
namespace {

// Four times what kernels need. Said outright, so that neither `ulimit -s` nor the C library decides.
constexpr size_t kStackBytes = 1 << 20;
// More threads only take each other's time.
constexpr uint32_t kMostPerProcessor = 8;
// About what it takes to wake a thread: who waits less long than that had better not sleep.
constexpr std::chrono::microseconds kStayAwake{20};

uint32_t processors() { return std::max(std::thread::hardware_concurrency(), 1u); }

// The program's handlers run on its own threads. Not blocked is what a thread raises by what it does itself: the kernel
// ends the process where that is blocked, and the program may have an answer to faults in its memory.
sigset_t signals_of_others() {
  sigset_t set;
  sigfillset(&set);
  for (const int own : {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP}) sigdelset(&set, own);
  return set;
}

// A caller that were cancelled while tasks run would leave them a stack that is gone.
class Uncancelled {
 public:
  Uncancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state_); }
  ~Uncancelled() { pthread_setcancelstate(state_, nullptr); }
  Uncancelled(const Uncancelled&) = delete;

 private:
  int state_;
};

void wait_while(const std::atomic<uint32_t>& value, uint32_t seen) {
  const auto end = std::chrono::steady_clock::now() + kStayAwake;
  do {
    for (int i = 0; i < 64; ++i)
      if (value.load(std::memory_order_relaxed) != seen) return;
    sched_yield();  // whom we wait for may want this processor
  } while (std::chrono::steady_clock::now() < end);
  value.wait(seen);
}

}  // namespace

void Pool::Links::enter(Links& end) {
  before = end.before;
  after = &end;
  before->after = end.before = this;
}

void Pool::Links::leave() {
  before->after = after;
  after->before = before;
  before = after = this;
}

// One call of run(), on its caller's stack.
struct Pool::Run : Links {
  Run(int64_t n, void* o, Task t) : count(n), opaque(o), task(t) {}
  const int64_t count;
  void* const opaque;
  const Task task;
  int64_t helpers = 0;  // threads that joined and have not left; under the mutex
  std::atomic<bool> failed{false};
  alignas(64) std::atomic<int64_t> next{0};  // the first index that nobody took

  int64_t left() const { return std::max<int64_t>(count - next.load(std::memory_order_relaxed), 0); }
  void work(uint32_t worker) {
    try {
      for (int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) task(opaque, i, worker);
#ifdef __GLIBCXX__
    } catch (const abi::__forced_unwind&) {
      give_up();
      throw;  // the thread ends, by pthread_exit or cancelled, and may not be kept from it
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

// A thread's part in a run: at an end however the thread leaves it.
class Pool::Helping {
 public:
  Helping(Pool& pool, Run& run) : pool_(pool), run_(run) {}
  ~Helping() {
    {
      const std::lock_guard lock(pool_.mutex_);
      if (--run_.helpers > 0) return;
      pool_.finished_.fetch_add(1);
    }
    pool_.finished_.notify_all();
  }
  Helping(const Helping&) = delete;

 private:
  Pool& pool_;
  Run& run_;
};

// A run that is open to others: when the caller leaves it, nobody knows of it any more.
class Pool::Opened {
 public:
  Opened(Pool& pool, Run& run) : pool_(pool), run_(run) {
    const std::lock_guard lock(pool_.mutex_);
    run_.enter(pool_.open_);
    pool_.opened_.fetch_add(1);
  }
  ~Opened() {
    std::unique_lock lock(pool_.mutex_);
    run_.leave();
    while (run_.helpers > 0) {
      const uint32_t seen = pool_.finished_;
      lock.unlock();
      wait_while(pool_.finished_, seen);
      lock.lock();
    }
  }
  Opened(const Opened&) = delete;

 private:
  Pool& pool_;
  Run& run_;
};

Pool::Pool(uint32_t wanted) : process_(getpid()), wanted_(wanted) {
  const uint32_t most = std::clamp(wanted, 1u, kMostPerProcessor * processors());
  threads_.reserve(most);  // they point into it
  start(most);
}

void Pool::start(uint32_t workers) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  const sigset_t blocked = signals_of_others();
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &blocked, &before);  // threads begin with what their creator has
  while (error_ == 0 && this->workers() < workers) {
    Thread& thread = threads_.emplace_back(Thread{this, this->workers(), {}});
    const auto main = [](void* opaque) -> void* {
      const Thread& self = *static_cast<Thread*>(opaque);
      self.pool->serve(self.worker);
      return nullptr;
    };
    error_ = pthread_create(&thread.id, &attributes, main, &thread);
    if (error_ != 0) threads_.pop_back();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
}

Pool::~Pool() {
  if (process_ != getpid()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    opened_.fetch_add(1);
  }
  opened_.notify_all();
  for (const Thread& thread : threads_) pthread_join(thread.id, nullptr);
}

std::string Pool::describe() const {
  std::string text = cat({std::to_string(workers()), " of ", std::to_string(wanted_), " asked for"});
  if (error_ != 0) {
    text += ": the system gives no more: " + std::generic_category().message(error_);
  } else if (workers() < wanted_) {
    text += cat({": no more than ", std::to_string(kMostPerProcessor), " for each of ", std::to_string(processors()),
                 " processors"});
  }
  return text;
}

// Wakes no more than two, each of whom wakes two more: so nobody spends long on waking.
void Pool::wake(int64_t left) {
  for (int64_t i = std::min<int64_t>(left, 2); i > 0; --i) opened_.notify_one();
}

// Joins the run that was joined least lately; null: none has anything left. The mutex is held.
Pool::Run* Pool::join() {
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

void Pool::serve(uint32_t worker) {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (Run* const run = join()) {
      // Who was woken for one run may have come to another: the next one counts too.
      const int64_t left = std::max(run->left(), static_cast<const Run*>(open_.after)->left());
      lock.unlock();
      const Helping helping(*this, *run);
      wake(left);
      run->work(worker);
    } else {
      const uint32_t seen = opened_;
      lock.unlock();
      wait_while(opened_, seen);
    }
    lock.lock();
  }
}

bool Pool::run(int64_t count, void* opaque, Task task) {
  Run run(count, opaque, task);
  if (count <= 1 || workers() == 1 || process_ != getpid()) {
    run.work(0);
    return !run.failed;
  }
  const Uncancelled uncancelled;
  {
    const Opened opened(*this, run);
    wake(count - 1);
    run.work(0);
  }
  return !run.failed;
}

}  // namespace xlashape
