/* SPDX-License-Identifier: Apache-2.0 */
// The threads on which transfers run that a caller does not wait for.
#pragma once
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace pjrt_plugin {

class Workers {
 public:
  // Where the system starts fewer threads, fewer work; without any, `post` runs its task itself.
  explicit Workers(int count);
  // Waits for all that was posted; on one of the threads, for all but the task that runs there.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Runs the task, which must not throw, on one of the threads; tasks begin in the order in which they come.
  void post(std::function<void()> task);

  // Runs one task that waits for a thread, if the calling thread is one of these: so a task, or a client's callback in
  // one, may wait for another. False where there is none.
  static bool help();
  static bool is_one();  // the calling thread

 private:
  struct Queue;

  std::shared_ptr<Queue> queue_;
  std::vector<std::thread> threads_;
};

}  // namespace pjrt_plugin
