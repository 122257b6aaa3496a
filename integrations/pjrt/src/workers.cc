// SPDX-License-Identifier: Apache-2.0
#include "workers.h"

#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <system_error>

namespace pjrt_plugin {

// Belongs to the threads, too: a callback may end the client while its thread still runs.
struct Workers::Queue {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> tasks;
  bool ending = false;

  // Of the calling thread, where it is one of the queue's.
  static Queue*& current() {
    static thread_local Queue* queue = nullptr;
    return queue;
  }

  // Runs the first task; the lock is free meanwhile.
  void run_first(std::unique_lock<std::mutex>& lock) {
    {
      const std::function<void()> task = std::move(tasks.front());
      tasks.pop_front();
      lock.unlock();
      task();
    }  // what it held goes before the lock is taken again
    lock.lock();
  }

  void work() {
    current() = this;
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return ending || !tasks.empty(); });
      if (tasks.empty()) return;
      run_first(lock);
    }
  }
};

Workers::Workers(int count) : queue_(std::make_shared<Queue>()) {
  // A program's signal handlers belong to its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    for (int i = 0; i < count; ++i) threads_.emplace_back([queue = queue_] { queue->work(); });
  } catch (const std::system_error&) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Workers::~Workers() {
  {
    const std::lock_guard lock(queue_->mutex);
    queue_->ending = true;
  }
  queue_->changed.notify_all();
  for (std::thread& thread : threads_)
    if (thread.get_id() == std::this_thread::get_id())
      thread.detach();
    else
      thread.join();
}

void Workers::post(std::function<void()> task) {
  if (threads_.empty()) return task();
  {
    const std::lock_guard lock(queue_->mutex);
    queue_->tasks.push_back(std::move(task));
  }
  queue_->changed.notify_one();
}

bool Workers::is_one() { return Queue::current() != nullptr; }

bool Workers::help() {
  Queue* const queue = Queue::current();
  if (queue == nullptr) return false;
  std::unique_lock lock(queue->mutex);
  if (queue->tasks.empty()) return false;
  queue->run_first(lock);
  return true;
}

}  // namespace pjrt_plugin
