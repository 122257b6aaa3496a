// The threads on which transfers run that a caller does not wait for.
#ifndef PJRT_PLUGIN_WORKERS_H_
#define PJRT_PLUGIN_WORKERS_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace pjrt_plugin {

class Workers {
 public:
  // Where the system starts fewer threads, fewer work; without any, `post` runs its task itself.
  explicit Workers(int count);
  // Waits for all that was posted.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Runs the task, which must not throw, on one of the threads; tasks begin in the order in which they come.
  void post(std::function<void()> task);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace pjrt_plugin

#endif  // PJRT_PLUGIN_WORKERS_H_
