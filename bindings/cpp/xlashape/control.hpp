// SPDX-License-Identifier: Apache-2.0
// Control of a running execution, or of a calibration: cancellation and progress.
#ifndef XLASHAPE_CONTROL_HPP_
#define XLASHAPE_CONTROL_HPP_

#include <atomic>

#include "runtime.hpp"

namespace xlashape {

// Not for executions on queues. With either of them an execution is divided into tasks even if one thread runs them
// all.
struct Control {
  // If it is not 0 no further task begins, and the call returns kCancelled. Any thread may set it. If `progress` is set
  // too, this is read before the first task and after each one.
  const std::atomic<std::int32_t>* cancel = nullptr;
  // Called after each task with `done` of `count` tasks that have ended, on the thread that ran it, possibly on several
  // at once. An exception that it throws cancels the execution and is thrown by the call.
  std::function<void(std::int64_t done, std::int64_t count)> progress = {};
};

namespace detail {

// One execution, or calibration, under a Control, for the time of a Call.
class Watch {
 public:
  Watch(const Control& control, Call& call) noexcept : control_(control), call_(call) {}
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Sets the fields for C; fields that the control does not have are unchanged.
  template <class Options>
  XLASHAPE_THROWS void put_into(Options& options) noexcept {
    if (control_.cancel != nullptr) options.cancel = reinterpret_cast<const std::int32_t*>(control_.cancel);
    if (!control_.progress) return;
    // C reads one number, a private one to which the caller's is copied.
    asked_ = reinterpret_cast<const Number*>(options.cancel);
    follow();
    options.cancel = reinterpret_cast<const std::int32_t*>(&cancel_);
    options.progress = progress;
    options.progress_opaque = this;
  }
  // Whether progress threw, possibly after the last task, when C has nothing left to cancel.
  bool threw() const noexcept { return threw_; }

 private:
  using Number = std::atomic<std::int32_t>;
  static_assert(sizeof(Number) == sizeof(std::int32_t) && Number::is_always_lock_free, "C reads it as an int32_t");

  void follow() noexcept {
    if (asked_ != nullptr && *asked_ != 0) cancel_ = 1;
  }
  // The first exception; further ones, from tasks that ran at the same time, are dropped.
  void keep(std::exception_ptr exception, const char* text) noexcept {
    if (!threw_.exchange(true)) call_.threw(std::move(exception), text);
    cancel_ = 1;
  }
  XLASHAPE_THROWS static void XLASHAPE_CALL progress(void* self, std::int64_t done, std::int64_t count) {
    Watch& watch = *static_cast<Watch*>(self);
    run_hook([&] { watch.control_.progress(done, count); },
             [&](std::exception_ptr thrown, const char* text) {
               watch.keep(std::move(thrown), *text != '\0' ? text : "progress threw");
             });
    watch.follow();
  }

  const Control& control_;
  Call& call_;
  const Number* asked_ = nullptr;  // the caller's
  Number cancel_{0};
  std::atomic<bool> threw_{false};
};

}  // namespace detail

}  // namespace xlashape

#endif  // XLASHAPE_CONTROL_HPP_
