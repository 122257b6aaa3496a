// SPDX-License-Identifier: Apache-2.0
#include "event.h"

#include <chrono>

#include "workers.h"

namespace pjrt_plugin {

const std::shared_ptr<Completion>& Completion::done() {
  static const auto* const completion = [] {
    auto* made = new std::shared_ptr<Completion>(std::make_shared<Completion>());
    (*made)->set();
    return made;  // never freed: clients may hold events while the process exits
  }();
  return *completion;
}

void Completion::set(PJRT_Error_Code code, std::string message) {
  std::vector<std::function<void()>> waiting;
  {
    const std::lock_guard lock(mutex_);
    if (set_) throw Failure(PJRT_Error_Code_FAILED_PRECONDITION, "the event was set before");
    code_ = code;
    message_ = std::move(message);
    set_ = true;
    waiting.swap(waiting_);
  }
  changed_.notify_all();
  for (const auto& function : waiting) function();
}

bool Completion::is_set() const {
  const std::lock_guard lock(mutex_);
  return set_;
}

void Completion::wait() const {
  std::unique_lock lock(mutex_);
  if (!Workers::is_one()) return changed_.wait(lock, [this] { return set_; });
  // Of the plugin's own threads this may be the only one: it does what comes meanwhile.
  while (!set_) {
    lock.unlock();
    const bool helped = Workers::help();
    lock.lock();
    if (!helped) changed_.wait_for(lock, std::chrono::milliseconds(1), [this] { return set_; });
  }
}

PJRT_Error* Completion::error() const {
  const std::lock_guard lock(mutex_);
  return new_error(code_, message_);
}

void Completion::check() const {
  const std::lock_guard lock(mutex_);
  if (code_ != PJRT_Error_Code_OK) throw Failure(code_, message_);
}

void Completion::then(std::function<void()> function) {
  {
    const std::lock_guard lock(mutex_);
    if (!set_) {
      waiting_.push_back(std::move(function));
      return;
    }
  }
  function();
}

PJRT_Event* new_event(std::shared_ptr<Completion> completion) { return new PJRT_Event{std::move(completion)}; }

void call(PJRT_Event_Destroy_Args& args) {
  const std::unique_ptr<PJRT_Event> event(args.event);
  // Nobody else can set it, and somebody may wait for it.
  if (event != nullptr && event->is_clients && !event->completion->is_set())
    event->completion->set(PJRT_Error_Code_CANCELLED, "the event was destroyed before it was set");
}

void call(PJRT_Event_IsReady_Args& args) { args.is_ready = args.event->completion->is_set(); }

void call(PJRT_Event_Error_Args& args) {
  if (!args.event->completion->is_set())
    throw Failure(PJRT_Error_Code_FAILED_PRECONDITION, "PJRT_Event_Error: the event is not ready");
  args.event->completion->check();
}

void call(PJRT_Event_Await_Args& args) {
  args.event->completion->wait();
  args.event->completion->check();
}

void call(PJRT_Event_OnReady_Args& args) {
  // The caller may destroy the event before: the completion stays.
  args.event->completion->then([completion = args.event->completion.get(), callback = args.callback,
                                user_arg = args.user_arg] { callback(completion->error(), user_arg); });
}

void call(PJRT_Event_Create_Args& args) {
  args.event = new_event(std::make_shared<Completion>());
  args.event->is_clients = true;
}

void call(PJRT_Event_Set_Args& args) {
  const auto completion = args.event->completion;  // a callback may destroy the event
  completion->set(known(args.error_code), args.error_message == nullptr
                                              ? std::string()
                                              : std::string(args.error_message, args.error_message_size));
}

}  // namespace pjrt_plugin
