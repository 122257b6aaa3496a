/* SPDX-License-Identifier: Apache-2.0 */
// Completions: what asynchronous work tells of its end. A PJRT_Event is a handle on one.
#pragma once
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "error.h"

namespace pjrt_plugin {

// Set once, by any thread.
class Completion {
 public:
  // One that is set, and well: what is moved at once needs no other.
  static const std::shared_ptr<Completion>& done();

  void set(PJRT_Error_Code code = PJRT_Error_Code_OK, std::string message = {});
  bool is_set() const;
  void wait() const;  // a thread of the plugin works meanwhile
  // What it was set to: NULL, or a new error. Only once it is set.
  PJRT_Error* error() const;
  // The same, thrown.
  void check() const;
  // Calls the function once it is set: at once, or on the thread that sets it.
  void then(std::function<void()> function);

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool set_ = false;
  PJRT_Error_Code code_ = PJRT_Error_Code_OK;
  std::string message_;
  std::vector<std::function<void()>> waiting_;
};

PJRT_Event* new_event(std::shared_ptr<Completion> completion);

}  // namespace pjrt_plugin

struct PJRT_Event {
  std::shared_ptr<pjrt_plugin::Completion> completion;
  bool is_clients = false;  // made by PJRT_Event_Create
};
